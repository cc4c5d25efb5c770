"""Shows releases: layers with their style and statement, seasons, a print layout."""
