"""Holds the steward's tasks, one file for each: releasing, choosing, planning, inspecting,
rehearsing.
"""
