"""The readers: one for each kind of file, and the door that finds the right one."""
