"""One file for each algorithm; a new one is a new file and a line here."""

from .compare import Compare
from .export import Export
from .heatmap import PrivateHeatmap
from .hotspots import HotSpots
from .inspect import Inspect
from .layout import PrintLayout
from .ledger import ReadLedger
from .open import OpenRelease
from .plan import Plan
from .verify import VerifyDpmap
from .zones import AskZones

ALGORITHMS = [
    PrivateHeatmap,
    Plan,
    Inspect,
    ReadLedger,
    OpenRelease,
    AskZones,
    HotSpots,
    Compare,
    Export,
    PrintLayout,
    VerifyDpmap,
]
