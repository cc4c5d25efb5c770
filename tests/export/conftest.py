"""What pytest leaves alone here."""

collect_ignore = ["open_in_qgis.py"]  # it runs under the Python that has PyQGIS
