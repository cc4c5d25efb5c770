"""How fast the exact noise is, beside numpy's unsafe one (the floor) and OpenDP (the peer), in one run: Laplace, then Gaussian.

    python benchmarks/noise.py

Medians over repetitions in which the three take turns, so that a busy machine slows all of them. OpenDP is timed
on fewer draws; its time a draw does not depend on their number. A row without a target is there to be seen.
"""

import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dpmap.vault.gaussian import discrete_gaussian
from dpmap.vault.laplace import discrete_laplace

DRAWS, PEER_DRAWS, REPETITIONS = 1_000_000, 20_000, 7
SCALES = {
    "0.7": (Fraction(7, 10), None, None),
    "1": (Fraction(1), 6, 20),
    "2.5": (Fraction(5, 2), None, None),
    "3": (Fraction(3), None, None),
    "10": (Fraction(10), 6, 20),
    "20": (Fraction(20), None, None),
    "200/3": (Fraction(200, 3), None, None),
    "1000": (Fraction(1000), 6, 20),
    "65536*10": (Fraction(65536 * 10), 12, 20),
    "2^32*7/3": (Fraction(2**32 * 7, 3), None, None),
    "2^32*10": (Fraction(2**32 * 10), 15, 20),
}


def nanoseconds(draw: Callable[[], object], draws: int) -> float:
    """The wall time of one call, in nanoseconds a draw."""
    start = time.perf_counter()
    draw()
    return (time.perf_counter() - start) / draws * 1e9


def measure(scale: Fraction) -> tuple[float, float, float | None]:
    """The median nanoseconds a draw of ours, of numpy and of OpenDP (None if it is not installed)."""
    numpy_generator = np.random.default_rng()
    ours, floor, peer = [], [], []
    for _ in range(REPETITIONS):
        ours.append(nanoseconds(lambda: discrete_laplace(DRAWS, scale), DRAWS))
        floor.append(nanoseconds(lambda: numpy_generator.laplace(0.0, float(scale), DRAWS), DRAWS))
        try:
            peer.append(
                nanoseconds(
                    lambda: discrete_laplace(PEER_DRAWS, scale, source="opendp"), PEER_DRAWS
                )
            )
        except ImportError:
            continue
    return (
        statistics.median(ours),
        statistics.median(floor),
        statistics.median(peer) if peer else None,
    )


def peer_gaussian(sigma: int) -> None:
    """As many draws of OpenDP's discrete Gaussian."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="float")
    dp.m.make_gaussian(*space, scale=float(sigma))([0] * PEER_DRAWS)


def measure_gaussian(sigma: int) -> tuple[float, float, float, float | None]:
    """The median nanoseconds a draw of ours, of our Laplace noise as wide, of numpy's normal and of OpenDP."""
    numpy_generator, peer = np.random.default_rng(), []
    ours, laplace, floor = [], [], []
    for _ in range(REPETITIONS):
        ours.append(nanoseconds(lambda: discrete_gaussian(DRAWS, sigma), DRAWS))
        laplace.append(nanoseconds(lambda: discrete_laplace(DRAWS, Fraction(sigma)), DRAWS))
        floor.append(nanoseconds(lambda: numpy_generator.normal(0.0, float(sigma), DRAWS), DRAWS))
        try:
            peer.append(nanoseconds(lambda: peer_gaussian(sigma), PEER_DRAWS))
        except ImportError:
            continue
    return *(statistics.median(part) for part in (ours, laplace, floor)), statistics.median(
        peer
    ) if peer else None


def beside(ratio: float, target: int | None, *, at_most: bool) -> str:
    """A ratio with its target and whether it is met."""
    if target is None:
        return f"{ratio:7.1f}x {'':14}"
    met = ratio <= target if at_most else ratio >= target
    return f"{ratio:7.1f}x {'<=' if at_most else '>='} {target:2d}x {'pass' if met else 'SHORT':6}"


def main() -> None:
    """Print the table."""
    for source in ("dpmap", "opendp"):
        try:
            discrete_laplace(1000, Fraction(1), source=source)
        except ImportError as missing:
            print(f"without the peer: {missing}")
    print(
        f"{DRAWS:,} draws a run ({PEER_DRAWS:,} for OpenDP), median of {REPETITIONS}, nanoseconds a draw\n"
    )
    print(
        f"{'scale':>10} {'ours':>8} {'numpy':>8} {'OpenDP':>9}   {'ours / numpy':23} {'OpenDP / ours':23}"
    )
    for name, (scale, slower_at_most, faster_at_least) in SCALES.items():
        ours, floor, peer = measure(scale)
        line = f"{name:>10} {ours:8.1f} {floor:8.1f} {f'{peer:9.0f}' if peer else '        -'} "
        line += beside(ours / floor, slower_at_most, at_most=True)
        print(line + (beside(peer / ours, faster_at_least, at_most=False) if peer else ""))
    print("\nGaussian noise")
    print(
        f"{'sigma':>10} {'ours':>8} {'Laplace':>8} {'normal':>8} {'OpenDP':>9}   ours / Laplace, ours / normal, OpenDP / ours"
    )
    for name, sigma in {"10": 10, "1000": 1000, "2^32*10": 2**32 * 10, "2^50": 2**50}.items():
        ours, laplace, floor, peer = measure_gaussian(sigma)
        line = f"{name:>10} {ours:8.1f} {laplace:8.1f} {floor:8.1f} {f'{peer:9.0f}' if peer else '        -'}   "
        print(
            line
            + f"{ours / laplace:.1f}x, {ours / floor:.1f}x"
            + (f", {peer / ours:.0f}x" if peer else "")
        )


if __name__ == "__main__":
    main()
