"""The statement of several partners' maps in one."""

from dpmap.grid import crs as crs_tools
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.kinds.merged import merged_accuracy, took_part_merged_words
from dpmap.statement.phrases import (
    and_site,
    listed,
    official_words,
    plain,
    selected,
    unit_words,
)


def statement(record: Record) -> str:
    """Return the statement of several partners' maps in one: whose they are, their joint
    promise, how sure the sum is.
    """
    return (
        "\n\n".join(
            (_partners(record), _added_up(record), _together(record), merged_accuracy(record))
        )
        + "\n"
    )


def _partners(record: Record) -> str:
    rows = "\n".join(map(_partner, record.partners))
    return (
        f"# What this map is: {len(record.partners)} maps added up\n\nEach of these was released by"
        " itself, with its own noise and its own statement. Adding them up looked at no survey and"
        " cost nothing.\n\n| data set | released | epsilon | cap | consent rule | ledger event,"
        f" head |\n|---|---|---|---|---|---|\n{rows}"
    )


def _partner(record: Record) -> str:
    """Make one row of the table of partners."""
    policy, receipt = record.policy, record.receipt
    consent = plain(str(policy.consent)) if policy.consent else "none"
    rule = f"; {plain(selected(record))}" if selected(record) else ""
    limit = "" if policy.epsilon_by is None else " at most, by each unit's own limit"
    return (
        f"| {plain(receipt.dataset)} | {plain(record.released_on)} |"
        f" {decimal_text(policy.epsilon)}{limit} | {policy.cap} | {consent}{rule} |"
        f" {receipt.event}, {plain(receipt.head[:16])} |"
    )


def _added_up(record: Record) -> str:
    grid = record.grid
    coded = f" {words}" if (words := official_words(grid)) else ""
    return (
        f"## What was done\n\nThe totals of each cell were added up, over {grid.cells_inside:,}"
        f" cells of {grid.cell_text} ({plain(crs_tools.name(grid.crs))}); a cell that a partner's"
        " map does not reach holds the others' totals only. Sightings that two partners both hold"
        f" count twice.{_times(record)}{coded}"
    )


def _several(record: Record) -> list[Record]:
    """Return the maps that are of a data set of which there is more than one here."""
    names = [one.receipt.dataset for one in record.partners]
    return [one for one in record.partners if names.count(one.receipt.dataset) > 1]


def _times(record: Record) -> str:
    """Say why the rows of one data set do not count twice, where several maps are of it."""
    if not _several(record):
        return ""
    return (
        " No row counts in two maps of the same data set: their times were declared apart, or they"
        " are layers of one release."
    )


def _together(record: Record) -> str:
    """Say what the maps promise together."""
    epsilon, apart = record.policy.epsilon, record.about.disjoint
    if same := _several(record):
        once = len({one.receipt.release_id for one in same}) < len(same)
        layers = (
            " Layers of one release share its cap and its noise, and cost its epsilon once."
            if once
            else ""
        )
        whose = (
            "The same unit may have rows in several of these maps, and counts up to the cap of"
            " each release. So a unit that is in all of them loses the sum of their epsilons,"
            f" {decimal_text(epsilon)}; one that is in one of them, that one's.{layers}"
        )
        return _protected(record, whose)
    whose = (
        f"No unit is in two of these data sets, as {plain(apart.signed_by)} declares. So a unit"
        f" loses what its own map costs, at most epsilon = {decimal_text(epsilon)}. Where a unit is"
        " in two of them, it is not so."
        if apart
        else (
            "A unit that is in all of these data sets loses the sum of their epsilons,"
            f" {decimal_text(epsilon)}; one that is in one of them, that one's."
        )
    )
    return _protected(record, whose)


def _protected(record: Record, whose: str) -> str:
    """Say who is protected, and by how much."""
    return (
        "## What it protects\n\nThe unit of protection is"
        f" **{unit_words(record.policy)}**{and_site(record.policy)}. {whose}\n\n-"
        f" {took_part_merged_words(record)}\n- Other releases of the same data sets add to that:"
        " each partner's ledger holds them." + "".join(map(_tier, record.partners))
    )


def _tier(record: Record) -> str:
    """Say what a partner's map that is a tier leaves out: what those who hold the other tiers
    of its draw are told.
    """
    if (tier := record.about.tier) is None:
        return ""
    epsilon = decimal_text(record.policy.epsilon)
    others = listed(
        [f"{plain(name)} (epsilon {plain(other)})" for name, other in tier.others.items()]
    )
    return (
        f"\n- The map of {plain(record.receipt.dataset)} is the tier {plain(tier.name)} (epsilon"
        f" {plain(epsilon)}) of one draw, from which other readers have maps of their own:"
        f" {others}. What is said here counts this tier alone; to whoever holds the dearest, the"
        f" units of that data set may have lost its epsilon of {plain(tier.dearest)}."
    )
