"""Public geography that comes with the package: countries, regions, towns, land and rivers."""
