"""Maps of a release: for print and for the browser."""
