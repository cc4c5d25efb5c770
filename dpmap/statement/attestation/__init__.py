"""Answers what a board and an auditor ask of a release, each question with its evidence, and says
to whoever is in it what can be learned.

All of it is made from the record alone. `questions` has the list; `purpose`, `data`, `learned` and
`governed` answer it for a curator's map, a file for each head, and `merged` and `local` what is
otherwise for those kinds. `vanishing` works out what the noise hides, `person` the page for whoever
is protected. `written` puts them into their four files.
"""
