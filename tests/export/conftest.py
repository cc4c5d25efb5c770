"""The hand-made records are shared with the tests of the maps."""

import sys
from pathlib import Path

collect_ignore = ["open_in_qgis.py"]  # it runs under the Python that has PyQGIS
sys.path.insert(0, str(Path(__file__).parents[1] / "render"))
