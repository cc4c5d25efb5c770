"""The steps from a file to a released map, a page each."""
