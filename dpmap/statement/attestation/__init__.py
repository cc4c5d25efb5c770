"""Answers what a board and an auditor ask of a release, each question with its evidence, and says
to whoever is in it what can be learned.

All of it is made from the record alone. The texts stand in `statement/assets`; `attestation` fills
them in and reads the answers back, `group_size` works out what the noise hides, `participant_page`
is for whoever is protected, and `writers` puts them into their four files.
"""
