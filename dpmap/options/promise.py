"""The promise: who is protected and how well, what pays for it, how it is spent."""

from dpmap.options.config_headings import DECIDED, READ
from dpmap.options.option import FIRST_MAP, ConfigLine, Option, OptionGroup
from dpmap.promise import limiters
from dpmap.promise.compatibility import NOISE_SOURCES

PROMISE = OptionGroup(
    "The promise",
    (
        Option(
            "unit",
            "Column of who is protected, COLUMN+COLUMN, or row.",
            in_config=ConfigLine(
                DECIDED, "COLUMN", "who is protected; there is no default", always=True
            ),
        ),
        Option(
            "epsilon",
            "How far it may move odds about one unit (e^epsilon times), like 0.5; or next, by the"
            " ledger's plan.",
            in_config=ConfigLine(
                DECIDED, "0.5", "how far odds about one unit may move: e^epsilon times", always=True
            ),
        ),
        Option(
            "cap",
            "Most points one unit adds to all cells or areas together, or for a map auto:0.05:"
            " spend that share of epsilon on choosing it privately.",
            in_config=ConfigLine(
                DECIDED, "5", "most points one unit may add to the map", always=True
            ),
        ),
        Option(
            "limiter",
            f"How the cap is kept: {limiters.list_limiters()}.",
            default=limiters.DEFAULT,
            in_config=ConfigLine(DECIDED, limiters.DEFAULT, "how the cap is kept"),
        ),
        Option(
            "consent",
            "COLUMN=VALUE[,VALUE]: rows that count.",
            in_config=ConfigLine(READ, "COLUMN=yes", "rows that count", always=True),
        ),
    ),
)

FINER_PROMISE = OptionGroup(
    "The promise",
    (
        Option(
            "cap_origin",
            'How a cap given as a number was found: "declared" or "after inspection".',
            default="declared",
        ),
        Option(
            "site",
            "Column of the sites to protect too, like nest_id; with --sites.",
        ),
        Option(
            "sites",
            "File that says where each site is, under the same name.",
        ),
        Option(
            "site_cap",
            "Most contributors that one site counts for.",
            kind="whole number",
            default=1,
        ),
        Option(
            "sample",
            "Draw this share of the units first, like 5%: less noise, of fewer.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "tier",
            "A map for this reader, at her epsilon; repeat it. All are one draw and cost the"
            " dearest, once. Leave --epsilon out.",
            kind="texts",
            metavar="NAME=EPSILON",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "seal",
            "With --tier: make the noisiest now, and keep all in this new file for later (dpmap"
            " unseal).",
            kind="path",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "epsilon_by",
            "Column of each unit's own limit on epsilon, COLUMN=0.1,0.5,1: rounded down to these.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "lifetime",
            "The limits are for good, and this release takes this share of each, like 25%.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "delta",
            "Chance that epsilon need not hold, like 1e-6: Gaussian noise; with --strategy flat.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "units",
            "Most units the survey may hold, declared: bounds --delta.",
            kind="whole number",
            not_in_plugin=FIRST_MAP,
        ),
    ),
)

BUDGET = OptionGroup(
    "The budget",
    (
        Option(
            "dataset",
            "Name of the data set in the ledger.",
            in_config=ConfigLine(DECIDED, "...", "its name in the ledger", always=True),
        ),
        Option(
            "budget",
            "Most epsilon ever, declared at the first release.",
            in_config=ConfigLine(
                DECIDED, "3", "most epsilon ever, declared at the first release", always=True
            ),
        ),
        Option(
            "ledger",
            "Ledger file, or for a team postgresql://user@host/database; by default dpmap.ledger"
            " beside the survey.",
            kind="path",
        ),
        Option(
            "confirm_epsilon",
            "An epsilon above 20, which protects hardly anybody, is meant.",
            kind="switch",
            default=False,
            not_in_plugin="an epsilon above 20 is not for the plugin",
        ),
    ),
)

STRATEGY = OptionGroup(
    "The budget",
    (
        Option(
            "budget_delta",
            "Most delta ever, declared at the first release with --delta.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "strategy",
            "How epsilon is spent: adaptive; flat for every cell's own noisy count; sparse:20 for"
            " those of 20 and more.",
            default="adaptive",
        ),
        Option(
            "noise",
            f"Source of the noise: {' or '.join(NOISE_SOURCES)}.",
            default="dpmap",
            not_in_studio="the default holds; dpmap.toml may say otherwise",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "prior",
            "Raster, layer or earlier release.dpmap, which you declare to be public before this"
            " release: it sharpens the map at no cost, as far as the noisy answers bear it out;"
            " may be repeated.",
            kind="texts",
            metavar="FILE[:COLUMN]",
            not_in_studio="public maps are declared from a terminal or by dpmap.toml",
            not_in_plugin=FIRST_MAP,
        ),
    ),
)
