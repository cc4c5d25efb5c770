"""Draws a sample of units: each takes part with a declared chance, and nobody learns which did.

**Theorem** (Li, Qardaji and Su 2012; Balle, Barthe and Gaboardi 2018, theorem 8). Let M lose at
most e towards the removal of one unit, and let every unit be kept independently with chance q
before M sees it. The two together lose at most ln(1 + q (e^e - 1)).

*Proof.* Fix who else was drawn, and let p be the chance of an event without the unit, p' with it.
Its chance is p in the survey that never held it, and (1 - q) p + q p' in the one that does. As p'
<= e^e p the latter is at most (1 + q (e^e - 1)) p. As p' >= e^-e p it is at least (1 - q (1 -
e^-e)) p >= p / (1 + q (e^e - 1)), since (1 - q (1 - x)) (1 + q (1 / x - 1)) = 1 + q (1 - q) (1 -
x)^2 / x >= 1 for x = e^-e. Average over the draws. QED

The draw must come before the cap (it does: the limiter sees the drawn rows only), be one for the
whole release (the secret is made once, and the totals are counted once) and be independent from
unit to unit: it is a hash of the unit's name under a secret of 512 fresh bits, that is, as
independent as MD5 in this nested, keyed form is a pseudo-random function (Bellare 2006), on which
the guarantee rests from here on. Only removal of a whole unit is amplified.
"""

import os

from dpmap.promise.policy import Policy

BITS = 128


def restrict_to_drawn(limiter: str, policy: Policy, secret: bytes) -> str:
    """Restricts the limiter's SQL to the drawn units: those whose keyed hash lies below q of its
    range, rounded down.

    >>> restrict_to_drawn("SELECT 1", Policy(epsilon=1, unit="a", cap=1), fresh_secret())
    'SELECT 1'
    """
    if policy.sample is None:
        return limiter
    inner, outer = (half.hex() for half in (secret[:32], secret[32:]))
    bar = int(policy.sample * 2**BITS)
    mark = f"MD5(CONCAT('{outer}', MD5(CONCAT('{inner}', name))))"
    taking_part = f"WHERE unit IN (SELECT unit FROM names WHERE {mark} < '{bar:032x}')"
    return (
        f"WITH rows AS (SELECT * FROM rows {taking_part}), numbered AS (SELECT * FROM numbered"
        f" {taking_part}) {limiter}"
    )


def fresh_secret() -> bytes:
    """Returns 64 bytes of the operating system's entropy, used for one release and written
    nowhere.
    """
    return os.urandom(64)
