"""The code that privacy rests on: the cap (`limiter`; `limits` where units state their own, `pairs`
for two units at once, `choose` when it is chosen privately), the draw of a sample (`sampling`), the
noise (`laplace`, `gaussian`, `opendp`, and `mechanism`, which says how much) and the one door
(`session`). What it spends is kept in the room beside it, `ledger`.

The proof of every release, in three lines. The limiter bounds what one unit adds to all cells
together by C, whatever the other units do, so in any partition of the cells the totals have L1
sensitivity C. The session adds to each region's total a discrete Laplace of scale C / share, so one
`measure` has privacy loss `share`. The shares are debited before each draw from one reservation of
epsilon, and so is the share that chooses a cap; the cap chosen, what follows is proven as for a
declared one. So by composition the release has privacy loss at most epsilon; the rest is
post-processing.

With a delta the limiter also bounds a unit's length in single cells by the root of C, the session
measures single cells only, and adds discrete Gaussians for a share of rho, which `concentrated`
makes out of epsilon and delta.
"""
