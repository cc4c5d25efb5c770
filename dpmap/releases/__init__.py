"""The objects that users hold: a release, to draw, ask, merge, export and save."""
