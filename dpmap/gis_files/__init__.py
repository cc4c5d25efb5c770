"""The one door through which files are read by GDAL: which driver reads a file is told by our look
at it.

GDAL tries each of its hundred drivers on a file, and some take a text for the description of a
server and ask that. So a file is admitted only as one of the kinds named here, which hold their own
features or pixels; it is told by its first bytes *and* its ending, and is read by that kind's
drivers only. GeoJSON is parsed and written anew with the members that hold features, since others
are links. What a file says of a CRS is looked at before GDAL sees it, because PROJ would open the
files that it names. Parts beside the file are plain files of its own folder; an archive is unpacked
into a private folder first. `docs/decisions/062-files-that-point-elsewhere.md` has the reasons.
"""
