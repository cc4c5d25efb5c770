"""Caps two units at once, so that neither a contributor's part nor a site's existence shows.

Records are edges (u, s) between contributors and sites, repeats counted once; a table of sites
gives each its one cell. Take the edges in an order that is a hash of (u, s), and keep an edge while
u has fewer than C_u kept edges and s fewer than C_s. A cell's total is the kept edges of its sites.

**Theorem.** Removing a contributor moves the totals by at most C_u in L1, removing a site by at
most 2 C_s.

*Proof.* Run the greedy with and without the node v, side by side, over the edges in their order;
those at v are in the first run only, and which others there are, their order and their cells are
the same in both, since an edge's place in the order is fixed by its own two names. Let D(x) be the
difference of the kept edges at x, for x not v. A kept edge at v, say (v, x), changes |D(x)| by at
most 1. Any other edge on which the runs disagree was refused in one of them because an endpoint was
full there and not in the other, so at that endpoint the keeping run had fewer kept edges: |D| falls
by 1 there, and rises by at most 1 at the other endpoint. So the sum of |D(x)| over all x is at most
the number of kept edges at v, which is at most v's own cap. The cells change by no more than the
sites in them do: for a contributor by at most the sum of |D| over sites, C_u; for a site by that,
at most C_s, and by its own edges, at most C_s more. QED

Noise of scale max(C_u, 2 C_s) / epsilon so protects both. `Policy` asks for C_u >= 2 C_s, which
makes that C_u: with C_s = 1 and C_u >= 2 the sites are protected at no extra noise.
"""

import numpy as np

from dpmap.private_totals import Edges, PrivateTotals
from dpmap.promise.policy import Policy


def edges(joint: str) -> str:
    """Builds SQL that answers each link of a contributor and a listed site once, as numbers `(who,
    site, cell)` in the fixed order. It reads `rows (unit)`, each the names of a contributor and,
    after the last `joint`, of a site, and `listed (unit, cell)`, the sites.

    Rows of sites that are not listed are dropped, since a cell read off the rows would be the
    contributors' word. A list that gives one site two lines is refused by the engine; if one came,
    its site would have the first of its own cells. MD5 is over canonical bytes under no key; edges
    whose hashes meet are ordered by their names.
    """
    return f"""
        WITH sites AS (SELECT CAST(unit AS VARCHAR) AS site, MIN(cell) AS cell
                       FROM listed GROUP BY unit),
             texts AS (SELECT DISTINCT CAST(unit AS VARCHAR) AS unit FROM rows),
             named AS (SELECT unit, split_part(unit, '{joint}', -1) AS site FROM texts),
             edges AS (SELECT left(unit, length(unit) - length(site) - 1) AS who, site FROM named)
        SELECT DENSE_RANK() OVER (ORDER BY who) - 1 AS who,
               DENSE_RANK() OVER (ORDER BY site) - 1 AS site, cell
        FROM edges JOIN sites USING (site)
        ORDER BY MD5(CONCAT(edges.who, '|', site)), edges.who, site"""


def capped_pairs(links: Edges, policy: Policy) -> PrivateTotals:
    """Returns the total of each occupied cell in lattice steps: one point for every edge that
    the greedy keeps.
    """
    counted = greedy(links._who.tolist(), links._site.tolist(), policy.cap, policy.site_cap)
    cells, counts = np.unique(links._cell[np.array(counted, dtype=bool)], return_counts=True)
    return PrivateTotals(cells.astype(np.int64), counts.astype(np.int64) * policy.lattice)


def count_refused(links: Edges, policy: Policy) -> dict[str, int]:
    """Counts the links in all, those kept, and those left out because the contributor, or else the
    site, was full.

    True numbers, which no release holds: for the operator's screen, in `inspect` alone.
    """
    who = links._who.tolist()
    counted = greedy(who, links._site.tolist(), policy.cap, policy.site_cap)
    degrees = [0] * (max(who, default=-1) + 1)
    tally = {"links": len(who), "count": 0, "cap": 0, "site cap": 0}
    for u, counts in zip(who, counted, strict=True):
        tally["count" if counts else "cap" if degrees[u] == policy.cap else "site cap"] += 1
        degrees[u] += counts
    return tally


def greedy(who: list[int], site: list[int], cap: int, site_cap: int) -> list[bool]:
    """Returns for each edge, in order, whether it is kept.

    >>> greedy([0, 0, 1, 1], [0, 1, 1, 2], cap=2, site_cap=1)
    [True, True, False, True]
    """
    of_contributor = [0] * (max(who, default=-1) + 1)
    of_site = [0] * (max(site, default=-1) + 1)
    counted = []
    for u, s in zip(who, site, strict=True):
        free = of_contributor[u] < cap and of_site[s] < site_cap
        of_contributor[u] += free
        of_site[s] += free
        counted.append(free)
    return counted
