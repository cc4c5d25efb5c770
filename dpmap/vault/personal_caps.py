"""Keeps every unit's loss within a limit that the unit itself states, under one noise for all.

**Definition** (personalised differential privacy: Jorgensen, Yu and Cormode 2015; Ebadi, Sands and
Schneider 2015). For all surveys S, all units u in S and all sets of outputs O, with S' being S
without all rows of u, and so without the limit that they state, the chances of O under S and S'
differ by a factor of at most e^(the limit that u states in S, in rows that count: a row outside the
area or the layers, or without consent, is not looked at).

A row states a limit in the declared column. It is rounded down to one of the *declared* levels;
what lies below the lowest, or cannot be read, is level 0. A row that states nothing is left out by
itself, like one without consent. A unit whose rows differ has the strictest of their levels.

**Theorem.** Let the noise be made for epsilon E and the cap C, on the lattice L. A unit of level e
adds at most floor(C * L * min(1, s * e / E)) steps in L1, s being this release's share of lifetime
limits (else 1), and one of level 0 adds nothing. The release then loses at most min(E, s * e)
towards the removal of that unit.

*Proof.* The unit's level is the least in its own rows (MIN, grouped by unit) and its scaled weights
are made of its own total, so no one else's limit or rows change what it adds, and its removal moves
the totals by d, what it adds alone. Where its total weight fits under its own cap it adds at most
that; else sum(w * most / W), rounded down, at most most = the bound above. A measurement whose
share is e_j has noise of scale C * L / e_j and so loses at most e_j * d / (C * L) when some unit
moves its regions by d or less in L1, in whatever partition, chosen after whatever answers. The
shares add up to at most E (session), the losses to at most E * d / (C * L) <= min(E, s * e). QED

*After a sample* of the units at rate q the noise is made for E' with ln(1 + q (e^E' - 1)) <= E. The
unit then loses g(E' d / (C * L)) for g(x) = ln(1 + q (e^x - 1)), which is convex with g(0) = 0: at
most d / (C * L) * g(E').

*The limit is private too.* It goes with the unit's rows, so it shows no more than they do: that she
took part at all moves nobody's odds by more than e^(her own limit). That she stated a rather than
b, given that she took part, is hidden by a + b, by way of the survey without her. A minimum read
off all rows would be one unit's own number; hence levels are declared.

*Over the years* limits hold for each release by itself. Where they are declared to be for a
lifetime, releases lose s_1 e + s_2 e + ..., and the ledger keeps the sum of shares at 1 or below
(accounting).
"""

from dpmap.promise.policy import Policy


def own_caps(policy: Policy) -> tuple[int, ...]:
    """Returns the most lattice steps that a unit of each level adds, from level 0 (which adds none)
    upwards.

    >>> own_caps(Policy(epsilon=1, unit="who", cap=4, epsilon_by="comfort=0.25,1"))
    (0, 1073741824, 4294967296)
    """
    return (0, *(int(policy.cap * policy.lattice * share) for share in policy.own_shares))


def scaled_to_own_caps(policy: Policy, shares: int) -> str:
    """Builds SQL over `rows (unit, cell, weight, level)` that counts every row at min(1, its unit's
    own cap / its total weight).

    `fits` is the most weight that the own cap holds as it stands: W <= fits has W * L / shares <=
    most.
    """
    levels = [
        (level, most, most * shares // policy.lattice)
        for level, most in enumerate(own_caps(policy))
    ]
    most = " ".join(f"WHEN {level} THEN {steps}" for level, steps, _ in levels)
    fits = " ".join(f"WHEN {level} THEN {weight}" for level, _, weight in levels)
    return f"""
        SELECT cell, CASE WHEN whole <= fits THEN weight * {policy.lattice} // {shares}
                          ELSE weight * most // whole END AS steps
        FROM rows JOIN (
            SELECT unit, whole, CASE level {most} END AS most, CASE level {fits} END AS fits
            FROM (SELECT unit, CAST(SUM(weight) AS BIGINT) AS whole, MIN(level) AS level
                  FROM rows GROUP BY unit) AS units) AS limited
        USING (unit)"""
