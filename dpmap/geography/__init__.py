"""Public geography that comes with the package; nothing is ever fetched."""
