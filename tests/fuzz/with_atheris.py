"""Fuzzes one target with atheris for as long as one likes: `pip install atheris`, then
`python tests/fuzz/with_atheris.py numbers -max_total_time=600`.
"""

import sys
import tempfile
import warnings


def main():
    """Instruments dpmap, then hands the target to atheris with honest inputs as its corpus."""
    import atheris

    with atheris.instrument_imports(include=["dpmap"]):
        import targets
    target = targets.TARGETS[sys.argv.pop(1)]
    warnings.simplefilter("ignore")
    targets.prepare(tempfile.mkdtemp())
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
