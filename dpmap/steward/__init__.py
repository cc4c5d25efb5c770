"""What the steward does: releasing, choosing, planning, inspecting, rehearsing. One file for each."""
