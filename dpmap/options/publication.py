"""What a map shows of who answers for it, and what portals and auditors are told."""

from dpmap.options.config_headings import ANSWERS_FOR_IT, TOLD
from dpmap.options.option import FIRST_MAP, ConfigLine, Option, OptionGroup

STAMP = OptionGroup(
    "Shown on the map",
    (
        Option(
            "authorised_by",
            "Who authorised this map; shown on it.",
            default="",
            in_config=ConfigLine(ANSWERS_FOR_IT, "...", "who authorised it", always=True),
        ),
        Option(
            "purpose",
            "What it may be used for; shown on it.",
            default="",
            in_config=ConfigLine(ANSWERS_FOR_IT, "...", "what it may be used for", always=True),
        ),
        Option(
            "expires",
            "Last day of use, like 2031-12-31; shown on it.",
            default="",
            in_config=ConfigLine(ANSWERS_FOR_IT, "2031-12-31", "last day of use", always=True),
        ),
        Option(
            "label",
            'Local Contexts label, like "TK Attribution"; may be repeated.',
            kind="texts",
            in_config=ConfigLine(ANSWERS_FOR_IT, ["TK Attribution"], "Local Contexts labels"),
        ),
        Option(
            "context",
            "Public layer to draw with the map, as it is: roads, parks; may be repeated.",
            kind="texts",
            metavar="FILE[:LAYER]",
            not_in_plugin="QGIS draws other layers itself",
        ),
    ),
)

PUBLISHED = OptionGroup(
    "Told to portals and auditors",
    (
        Option(
            "licence",
            "Terms of use: an SPDX id such as CC-BY-4.0, or an https address.",
            default="",
            in_config=ConfigLine(TOLD, "CC-BY-4.0", "terms of use", always=True),
        ),
        Option(
            "doi",
            "Its DOI, if it has one, like 10.5072/example.",
            default="",
            in_config=ConfigLine(TOLD, "10.5072/example", "its DOI"),
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "reason",
            "Why its places are sensitive, in a term portals know: speciesLocation, ...",
            default="",
            in_config=ConfigLine(TOLD, "speciesLocation", "why its places are sensitive"),
        ),
        Option(
            "local_contexts",
            "Id of the project at Local Contexts, which portals read.",
            default="",
            in_config=ConfigLine(TOLD, "...", "id of the project at Local Contexts"),
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "retention",
            "Who can reach the survey and the ledger, and for how long.",
            default="",
            in_config=ConfigLine(
                TOLD,
                "...",
                "Who can reach the survey and the ledger, and for how long?",
                always=True,
            ),
        ),
        Option(
            "also_published",
            'What else was published of the same data, or "nothing"; may be repeated.',
            kind="texts",
            in_config=ConfigLine(
                TOLD,
                ["nothing"],
                'What else was published of the same data? Each thing by itself, or "nothing".',
                always=True,
            ),
        ),
    ),
)
