"""`python -m dpmap`: the command line."""

from dpmap.cli.entry_point import program

program()
