"""Fuzzes one target with atheris for as long as one likes: `pip install atheris`, then
`python tests/fuzz/with_atheris.py numbers -max_total_time=600`.
"""

import sys
import tempfile
import warnings
from pathlib import Path


def main():
    """Instruments dpmap, then hands the target to atheris with honest inputs as its corpus."""
    import atheris

    with atheris.instrument_imports(include=["dpmap"]):
        import targets
    name = sys.argv.pop(1)
    warnings.simplefilter("ignore")
    targets.prepare(tempfile.mkdtemp())
    corpus = Path(tempfile.mkdtemp())
    for number, seed in enumerate(targets.SEEDS[name]):
        (corpus / str(number)).write_bytes(seed)
    atheris.Setup([*sys.argv, str(corpus)], targets.TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
