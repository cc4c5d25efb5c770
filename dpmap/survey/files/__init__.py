"""Readers of survey files: one for each kind of file, and the function that finds the right one."""
