"""Plans a map before anything is spent, by public arithmetic and rehearsals on public numbers;
it sees no data.
"""

from dpmap.steward.planning.goals import Goals
from dpmap.steward.planning.planner import Plan, plan
from dpmap.steward.planning.tradeoff import epsilon_for
from dpmap.steward.planning.years import YearsPlan, plan_years

__all__ = ["Goals", "Plan", "YearsPlan", "epsilon_for", "plan", "plan_years"]
