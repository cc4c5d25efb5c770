"""What a map will be worth before anything is spent: public arithmetic and rehearsals on public numbers, no data."""

from dpmap.steward.planning.bargain import epsilon_for
from dpmap.steward.planning.planner import Plan, plan

__all__ = ["Plan", "epsilon_for", "plan"]
