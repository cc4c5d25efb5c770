"""Writes the statement of a map that one curator released, section by section."""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpmap.grid import crs as crs_tools
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text, one_in, percent
from dpmap.promise.governance import WORDS
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.record import Record
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import (
    DECLARED_PUBLIC,
    WEAK,
    again_words,
    and_site,
    counted,
    factor,
    given,
    listed,
    official_words,
    plain,
    selected,
    took_part_words,
    unit_words,
    where_words,
)


def statement(record: Record) -> str:
    """Returns the whole statement in Markdown; what differs between kinds of maps, the kind
    says.
    """
    sections = (
        _head(record),
        _done(record),
        _protects(record),
        _protects_not(record),
        map_statement(record).accuracy(),
        governance(record),
        _budget(record),
        _remarks(record),
        _others(record),
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def _head(record: Record) -> str:
    name = plain(record.heading)
    return (
        f"# What this map is: {name}\n\nA differentially private heatmap, released"
        f" {plain(record.released_on)} with dpmap {plain(_version(record))}. The numbers are"
        f" {map_statement(record).numbers} with noise added on purpose. No point was moved, and no"
        " point is shown."
    )


def _done(record: Record) -> str:
    policy, grid = record.policy, record.grid
    consent = (
        f"Only rows with consent counted: column {plain(policy.consent.column)} "
        f"is {' or '.join(plain(value) for value in policy.consent.values)}."
        if policy.consent
        else "No consent rule was declared: rows counted whatever they say about consent."
    )
    unit = (
        "Each row was its own unit."
        if policy.unit == "row"
        else (
            f"Rows were joined into units by the column {plain(policy.unit)}; rows without a unit"
            " were left out."
        )
    )
    return (
        "## What was done\n\n1. Declared beforehand, not read off the data:"
        f" {map_statement(record).cells:,} cells of {grid.cell_text}"
        f" ({plain(crs_tools.name(grid.crs))}).{_layers(record)} Rows outside were left out;"
        f" {map_statement(record).listed_words()}.{_official(record)}\n2."
        f" {consent}{_selected(record)}\n3. {unit} {_sampled(policy)}{capped(policy)} The cap was"
        f" {origin(policy)}.\n4. Noise was drawn from the operating system's entropy, from a"
        f" discrete {_law(record)} law, and added to the totals: {noise(record)} (strategy"
        f" {plain(record.strategy)}).{_priors(record)}{_read_as(record)}"
    )


def _priors(record: Record) -> str:
    """Names what was public beforehand, each by the hash of its content."""
    named = "".join(
        f"   - {plain(prior.name)}, SHA-256 `{prior.sha256}`\n" for prior in record.priors
    )
    return (
        "\n5. What was public already may shape where was asked and how the answers are read."
        f" {DECLARED_PUBLIC}\n{named}".rstrip()
        if named
        else ""
    )


def _official(record: Record) -> str:
    """Says of which official grid the cells are, if of one."""
    coded = official_words(record.grid)
    return f" {coded}" if coded else ""


def _selected(record: Record) -> str:
    """Says by which declared rule over their own columns rows were selected, if by any."""
    rule = selected(record)
    return (
        " A rule was declared over each row's own columns, and only such rows counted:"
        f" {plain(rule)}."
        if rule
        else ""
    )


def capped(policy: Policy) -> str:
    """Says how the cap was kept: one cap, both caps, or each unit's own."""
    if policy.epsilon_by is not None:
        return _own_caps(policy)
    if policy.site is None:
        points, cells = (counted(str(policy.cap), what) for what in ("point", "cell"))
        how = LIMITERS[policy.limiter].statement.format(points=points, cells=cells)
        return (
            f"No unit adds more than {policy.cap} to the whole map (limiter `{policy.limiter}`:"
            f" {how}).{_length(policy)}"
        )
    return (
        f"Each pair of a {plain(policy.unit)} and a listed {plain(policy.site)} counts once, in the"
        f" cell of the {plain(policy.site)}, and not more than {policy.cap} pairs of one"
        f" {plain(policy.unit)} nor {policy.site_cap} of one {plain(policy.site)}: taken in the"
        " order of a hash of both names. Adding or removing one of either moves the map by at most"
        f" {policy.cap}."
    )


def _own_caps(policy: Policy) -> str:
    """Says the cap of each declared level."""
    column = plain(policy.epsilon_by.column if policy.epsilon_by else "")
    caps = ", ".join(
        f"{decimal_text(limit)} at most {float(policy.cap * share):.4g}"
        for limit, share in zip(policy.own_limits, policy.own_shares, strict=True)
    )
    return (
        f"Each unit has a cap of its own, by the limit on epsilon that its rows state in {column},"
        f" rounded down to a level declared beforehand: of the whole map, a unit of limit {caps}"
        " points. Every row of a unit counts, scaled down together where there are more. If a"
        " unit's counted rows state different limits, the strictest holds for all of them; a unit"
        " that states less than the lowest level, or something unreadable, counts nothing; rows"
        " that state no limit were left out. **So careful units count for less in the totals than"
        " they reported.**"
    )


def own_limits(policy: Policy) -> str:
    """Says what each unit's own limit means for the guarantee."""
    if policy.epsilon_by is None:
        return ""
    levels = ", ".join(
        f"{decimal_text(limit)} (a factor of {factor(odds_factor(limit))})"
        for limit in policy.own_limits
    )
    return (
        "\n- That is for units who allow all of it. Any other unit's epsilon is the limit that it"
        f" states itself: {levels}.\n- Which limit a unit stated is private too: between two"
        " limits, by an epsilon of the two added up."
    )


def _length(policy: Policy) -> str:
    """Says what Gaussian noise demands of the cap."""
    length = LIMITERS[policy.limiter].length
    if policy.delta is None or length is None:
        return ""
    how = length.words.format(cap=policy.cap, points=counted(str(policy.cap), "point"))
    return (
        " Nor is any unit's length (the root of its cells' squares added up) more than the root of"
        f" {policy.cap}{how}"
    )


def _law(record: Record) -> str:
    return "Laplace" if record.policy.delta is None else "Gaussian"


def _layers(record: Record) -> str:
    """Says what each axis declares, and what that means for rows and for the cap."""
    words, mean = map_statement(record).mean_words(), record.grid.mean
    axes = tuple(axis for axis in record.grid.axes if axis != mean)
    if not axes:
        return words
    each = " and ".join(
        f"{plain(axis.column)} ({', '.join(map(plain, axis.layers))})" for axis in axes
    )
    return (
        f"{words} There is a layer for each {each}: rows of anything else were left out, and the"
        " cap spans all layers."
    )


def _sampled(policy: Policy) -> str:
    """Says that a sample was drawn before the cap, and what that means for all numbers."""
    if policy.sample is None:
        return ""
    return (
        f"Each unit then took part with a chance of {percent(policy.sample)}, drawn by a secret"
        " that was never stored: **all numbers here are totals of that sample, about"
        f" {percent(policy.sample)} of the whole.** That nobody knows who was drawn turns the noise"
        f" of epsilon {decimal_text(policy.measuring)} into a guarantee of epsilon"
        f" {decimal_text(policy.epsilon)} (amplification by sampling). "
    )


def _read_as(record: Record) -> str:
    """Says how the survey's columns and rows were read, if the record says it."""
    if record.about.read_as is None:
        return ""
    elsewhere = ("protected", "not protected")
    return "\n\nHow the survey was read, by its header and by declaration:\n\n" + "\n".join(
        f"- {plain(part)}: {words}"
        for part, words in told_of_reading(record)
        if part not in elsewhere
    )


def told_of_reading(record: Record) -> list[tuple[str, str]]:
    """Returns the record's notes on how the survey was read, as pairs of a part and its
    description.
    """
    return [(part, plain(words)) for part, words in record.about.read_as or ()]


def unit_told(record: Record, part: str, lead: str) -> str:
    """Says what exactly is protected, or what is not, as the notes on reading tell: names in
    lists, or whole texts.
    """
    return "".join(
        f"- {lead} {words}.\n" for told, words in told_of_reading(record) if told == part
    )


def _protects(record: Record) -> str:
    epsilon = record.policy.epsilon
    value = decimal_text(epsilon)
    rows = "For each k, any k units together (a family, a team): e^(k epsilon), so "
    factors = ", ".join(f"{k} units {factor(odds_factor(epsilon, k))}" for k in (2, 5))
    weak = (
        "\n\n**With epsilon this large the bound says little. Treat this map as if it had no such"
        " protection.**"
        if epsilon > WEAK
        else ""
    )
    return (
        "## What it protects\n\nThe unit of protection is"
        f" **{unit_words(record.policy)}**{and_site(record.policy)}, with epsilon ="
        f" {value}.\n\n{unit_told(record, 'protected', 'What comes and goes as one unit:')}-"
        f" {took_part_words(epsilon)}\n- {where_words(epsilon)}\n-"
        f" {rows}{factors}.{own_limits(record.policy)}{chance(record.policy)}{_tiers(record)}{weak}"
    )


def _tiers(record: Record) -> str:
    """Says whose map this is of those made from one draw, and what holding several means."""
    tier = record.about.tier
    if tier is None:
        return ""
    others = listed(
        [f"{plain(name)} (epsilon {plain(other)})" for name, other in tier.others.items()]
    )
    finest, dearest = list(tier.epsilons)[-1], Fraction(tier.dearest)
    return (
        f"\n- This is the map for {plain(tier.name)}, one of {len(tier.epsilons)} made from one"
        f" draw. Other readers may have maps of their own: {others}.\n- The figures above hold"
        " against whoever has this map alone, whatever the others are told.\n- Whoever holds"
        " several of these maps, or talks to somebody who does, can learn about"
        f" {_any_one(record.policy)} no more than the finest of them tells. With the map for"
        f" {plain(finest)} that is epsilon {plain(tier.dearest)}: odds change by at most"
        f" e^{decimal_text(dearest)} = {factor(odds_factor(dearest))} times. The epsilons **never"
        " add up**, because the noisier maps are the finest one with more noise added.\n- These"
        " maps share their noise. So they are not independent: do not merge them, average them or"
        " count them as several surveys. Use the finest that you have, alone.\n- All of them tell"
        " of the same regions, which the noisiest one's answers chose."
    )


def _any_one(policy: Policy) -> str:
    """Says about whom a map could betray something."""
    site = "" if policy.site is None else f" or any one {plain(policy.site)}"
    return f"any one {'row' if policy.unit == 'row' else plain(policy.unit)}{site}"


def chance(policy: Policy) -> str:
    """Says what delta means."""
    if policy.delta is None:
        return ""
    return (
        f"\n- All this but for a chance of at most {one_in(policy.delta)} (delta ="
        f" {decimal_text(policy.delta)}) that the promise of epsilon does not hold for a unit:"
        " Gaussian noise, which is the smaller where a unit touches many cells, cannot do without."
        " For where a unit reported that chance is up to 1 + e^epsilon times as large, and for k"
        " units together up to k e^((k - 1) epsilon) times."
    )


def _protects_not(record: Record) -> str:
    policy = record.policy
    who = (
        f"one {plain(policy.unit)} or one {plain(policy.site)} at a time: both together, or what"
        " many of either show alike, by the sum of their epsilons only"
        if policy.site
        else (
            "single rows only: a person with many rows is not protected as a whole"
            if policy.unit == "row"
            else (
                f"units of {plain(policy.unit)} only. What many of them show together is not hidden"
                " by this: where they are people, a *place* that many of them report; where they"
                " are places, a *person* who reports many of them"
            )
        )
    )
    return (
        "## What it does not protect\n\n- It protects"
        f" {who}.\n{unit_told(record, 'not protected', 'Nor does it hide:')}{_given(record)}- A"
        " fact that holds whether or not any one unit took part (where the species is common) is"
        " what the map is for, and is shown.\n- The declared inputs are public: area, grid, cap,"
        " epsilon, consent rule,"
        f" {'rule over rows, ' if selected(record) else ''}{'priors, ' if record.priors else ''}"
        "data"
        " set name.\n- The survey file, the ledger's computer and other publications of the same"
        " data are outside this guarantee. Releases not entered in this ledger are not counted.\n-"
        " A cell that is not distinguishable from none is not a cell without records."
    )


def _given(record: Record) -> str:
    """Says who or what chose the rows before they were read, if the record tells it."""
    chosen_by = given(record)
    return f"- {chosen_by}\n" if chosen_by else ""


def governance(record: Record) -> str:
    """Says what the steward declared about the map's use; empty if nothing was."""
    governance = record.about.governance
    if not governance:
        return ""
    lines = [f"- {WORDS[name]}: {plain(value)}." for name, value in governance.facts().items()]
    lines.append(
        "- Declared by the steward; dpmap carries it and cannot check it. Keep it with every copy"
        " of the map."
    )
    return "## Who governs its use\n\n" + "\n".join(lines)


def _remarks(record: Record) -> str:
    """Quotes what whoever released the map wrote beside it; empty if nothing was."""
    return _listed(
        record.remarks or {},
        "## Notes of whoever released it\n\nWritten by hand. dpmap keeps them, checks none of them,"
        " and nothing that it says or draws follows from them.\n\n",
    )


def _others(record: Record) -> str:
    """Quotes notes that another version of dpmap, or an old caller, wrote into the file; empty
    if there are none.
    """
    return _listed(
        record.about.more,
        "## Also in the release file\n\nThis version of dpmap does not know these entries. It keeps"
        " them, and nothing that it says or draws follows from them.\n\n",
    )


def _listed(told: Mapping[str, Any], head: str) -> str:
    """Makes a section of names and texts, only the first of them if there are many."""
    lines = [
        f"- {plain(_cut(str(name)))}:"
        f" {plain(_cut(text if isinstance(text, str) else json.dumps(text)))}"
        for name, text in list(told.items())[:MOST_SHOWN]
    ]
    left = len(told) - len(lines)
    lines += [f"- {left} more in the release file."] if left > 0 else []
    return head + "\n".join(lines) if told else ""


MOST_SHOWN, LONGEST_SHOWN = 40, 500


def _cut(text: str) -> str:
    """Returns the beginning of a long text."""
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "\N{HORIZONTAL ELLIPSIS}"


def _budget(record: Record) -> str:
    receipt = record.receipt
    versions = ", ".join(plain(f"{name} {version}") for name, version in record.versions.items())
    return (
        f"## Budget\n\n- {_spent(record)}. All releases in this ledger so far:"
        f" {decimal_text(receipt.spent)} of {decimal_text(receipt.budget)}; remaining"
        f" {decimal_text(receipt.remaining)}.\n{_spent_delta(record)}{terms(record)}- Ledger event"
        f" {receipt.event}, head {plain(receipt.head)}, release {plain(receipt.release_id)}. Check"
        f" with: `dpmap ledger LEDGER --against release.dpmap`.\n- Made with {versions}."
    )


def _spent(record: Record) -> str:
    """Says what the release cost, together with all other tiers of its draw."""
    if (tier := record.about.tier) is None:
        return f"This release spent epsilon = {decimal_text(record.policy.epsilon)}"
    return (
        f"This draw cost epsilon {plain(tier.dearest)}, once for all its {len(tier.epsilons)} tiers"
    )


def _spent_delta(record: Record) -> str:
    """Says what the ledger's deltas add up to, if it holds any."""
    receipt, delta = record.receipt, record.policy.delta or 0
    if not receipt.budget_delta:
        return ""
    return (
        f"- And delta = {decimal_text(Fraction(delta))}. All releases in this ledger so far: "
        f"{decimal_text(receipt.spent_delta)} of {decimal_text(receipt.budget_delta)}.\n"
    )


PLANNED = {
    "even": "even shares",
    "decaying": "shares that decay as 1, 1/2, 1/3 ...",
    "alternate": "even shares, one every second season",
}


def terms(record: Record) -> str:
    """Says what else the ledger holds about this release: a plan from season to season, a
    disjoint group.
    """
    season, apart = record.about.season, record.about.disjoint
    lines, share = _other_units(record), record.policy.lifetime
    if share is not None:
        lines += (
            f"- It took {percent(share)} of the limit that each unit states for its lifetime. All"
            " releases in this ledger take such shares, and together never more than all of it.\n"
        )
    if season:
        scheme = PLANNED.get(season.scheme)
        lines += (
            f"- It is release {plain(season.release)} of {plain(season.of)} planned, in {scheme}.\n"
        )
    if apart:
        names = ", ".join(map(plain, apart.datasets))
        lines += (
            f"- No unit is in two of the data sets {names}: declared by {plain(apart.signed_by)},"
            " so that of their releases the dearest data set counts, not the sum. Where a unit is"
            " in two of them, it is not so.\n"
        )
    return lines


def _other_units(record: Record) -> str:
    """Says that the ledger holds releases by other units, which bound nothing for this one's."""
    others, unit = record.about.others, record.policy.unit
    if others is None:
        return ""
    whole, own = (
        ("single rows", "single row") if unit == "row" else (plain(unit), f"unit of {plain(unit)}")
    )
    named = listed(["single rows" if one == "row" else plain(one) for one in others.units])
    return (
        f"- The releases in this ledger that protect {whole} come to {plain(others.spent)}; its"
        f" others protect {named}, and their epsilons bound nothing that a {own} loses, since"
        " epsilons add up for one and the same unit only.\n"
    )


def noise(record: Record) -> str:
    """Says the scale of each measurement's noise, and on what."""
    parts = [
        "scale"
        f" {float(m.scale):.4g}"
        f"{'' if m.scale.denominator == 1 else f' (exactly {decimal_text(m.scale)})'}"
        f"{again_words(m)}"
        f" on {map_statement(record).regions_words(m)} (epsilon {decimal_text(m.epsilon)})"
        for m in record.measurements
    ]
    return "; ".join(parts)


def origin(policy: Policy) -> str:
    """Says where the cap came from."""
    if policy.cap_origin == "declared":
        return "declared by the steward"
    if policy.cap_choice is not None:
        ladder, share = policy.cap_choice.ladder, decimal_text(policy.cap_choice.share)
        return (
            f"chosen privately from {', '.join(map(str, ladder))} by permute-and-flip, by how many"
            f" units hold more, for {share} of epsilon ({decimal_text(policy.choosing)}), which the"
            " guarantee counts"
        )
    return "chosen after looking at the data, which the guarantee does not cover"


def _version(record: Record) -> str:
    return record.versions.get("dpmap", "")
