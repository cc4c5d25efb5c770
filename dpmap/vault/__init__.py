"""The auditable room: the cap (`limiter`), the noise (`laplace`), the budget (`ledger`) and the one door (`session`).

The proof of every release, in three lines. The limiter bounds what one unit adds to all cells together by C, whatever
the other units do, so in any partition of the cells the totals have L1 sensitivity C. The session adds to each
region's total a discrete Laplace of scale C / share, so one `measure` has privacy loss `share`. The shares are debited
before each draw from one reservation of epsilon, so by composition the release has privacy loss at most epsilon; all
that follows is post-processing.
"""
