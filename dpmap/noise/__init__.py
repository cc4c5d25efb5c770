"""The public mathematics of noise: laws, tails and compositions. Nothing here sees a survey."""
