"""The public mathematics of noise: distributions, tails and compositions. Nothing here sees a
survey.
"""
