"""Turns measurements into a map: a pure function of public values, free to run again."""

from dpmap.inference.estimate import RATE as RATE
from dpmap.inference.estimate import Estimate as Estimate
from dpmap.inference.estimate import count_regions as count_regions
from dpmap.inference.estimate import discoveries as discoveries
from dpmap.inference.estimate import distinguishable as distinguishable
