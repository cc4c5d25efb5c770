"""Says in which surroundings dpmap runs: its own, since QGIS's Python, GDAL and PROJ are others than dpmap's."""

import os

CLEARED = (
    "VIRTUAL_ENV", "__PYVENV_LAUNCHER__", "QGIS_PREFIX_PATH", "QGIS_PLUGINPATH", "PROJ_DATA", "PROJ_LIB",
    "GDAL_DATA", "GDAL_DRIVER_PATH", "GDAL_CONFIG_FILE", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT",
)  # fmt: skip
BEGINNINGS = ("PYTHON", "PIP_", "DYLD_", "_DPMAP", "_TYPER", "TYPER_")
"""What QGIS or a shell sets for its own Python and libraries, and what makes dpmap's command line print something else."""
CERTIFICATES = (
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT", "PIP_CLIENT_CERT", "OPENSSL_CONF",
)  # fmt: skip
"""Files of certificates: an installer of QGIS may leave names behind of files that are not there, and then no connection works."""
WHENCE = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_PROXY", "PIP_CERT", "PIP_CLIENT_CERT", "PIP_TRUSTED_HOST",
    "PIP_CONFIG_FILE", "PIP_TIMEOUT", "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES", "PIP_CACHE_DIR", "PIP_NO_CACHE_DIR", "PIP_KEYRING_PROVIDER",
)  # fmt: skip
"""What tells pip from where and through which proxy it fetches: a download alone keeps these, since a company sets them so that it works.

What tells pip what to do with a package (PIP_TARGET, PIP_USER, PIP_PREFIX) is never kept: it would put dpmap into somebody else's Python.
"""


def environment(private, given=None, *, fetching=False):
    """Returns the environment of a command; `private` is the folder in which it may put what is only for a while.

    `fetching` keeps what a company tells pip about its index, its proxy and its certificates.
    """
    given = os.environ if given is None else given
    kept = {name: value for name, value in given.items() if _stays(name, value, fetching)}
    if "PATH" in kept:
        kept["PATH"] = sure(kept["PATH"])
    own = {"PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    return {**kept, **own, "TMPDIR": str(private), "TEMP": str(private), "TMP": str(private)}


def _stays(name, value, fetching):
    if name in CERTIFICATES and not os.path.exists(value):
        return False
    if fetching and name in WHENCE:
        return True
    return name not in CLEARED and not name.startswith(BEGINNINGS)


def sure(places):
    """Returns a list of folders without those that hang on where a program runs: the survey's folder must not supply a program.

    >>> sure(os.pathsep.join(["", os.path.abspath("a"), "b", os.curdir])) == os.path.abspath("a")
    True
    """
    return os.pathsep.join(one for one in places.split(os.pathsep) if os.path.isabs(one))
