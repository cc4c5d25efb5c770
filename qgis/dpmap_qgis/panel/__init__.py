"""The panel: what remains, and what a place that is clicked or drawn holds."""
