"""Draws maps of a release, for print and for the browser."""
