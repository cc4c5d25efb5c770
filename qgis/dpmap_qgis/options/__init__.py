"""The page in QGIS's settings: which dpmap is used, how one is made, and whether it keeps its promise."""
