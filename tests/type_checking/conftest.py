"""The pages are for type checkers and are never run."""

collect_ignore = ["right_uses.py", "typos.py"]
