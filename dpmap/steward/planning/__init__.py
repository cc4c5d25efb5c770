"""Plans a map before anything is spent, by public arithmetic and rehearsals on public numbers; it sees no data."""

from dpmap.steward.planning.bargain import epsilon_for
from dpmap.steward.planning.goals import Goals
from dpmap.steward.planning.planner import Plan, plan

__all__ = ["Goals", "Plan", "epsilon_for", "plan"]
