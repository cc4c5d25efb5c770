"""Writes what a release says of itself in words: the statement, and its form for registries."""
