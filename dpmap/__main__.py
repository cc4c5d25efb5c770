"""`python -m dpmap`: the command line."""

from dpmap.cli import main

main()
