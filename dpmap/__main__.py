"""`python -m dpmap`: the command line."""

from dpmap.cli.program import program

program()
