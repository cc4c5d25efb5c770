"""What is promised: the policy, who may use the map, and what has no proof together."""
