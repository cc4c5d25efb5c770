"""Describes a release to catalogues: a file for each kind, all made from the public record alone.

Portals, libraries and search engines find a data set by what stands in these files. They say of the
map what its statement says, in the words of others' standards, and nothing that the record does not
hold. `write` names them all.
"""
