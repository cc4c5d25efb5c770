"""Turns a layer into what dpmap reads: its own file, or its rows one by one."""
