"""Finds the dpmap command and runs it apart from QGIS. Only `settings` needs QGIS: the rest can be tried alone."""
