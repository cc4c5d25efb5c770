"""Merges partners' releases into one map: post-processing, which costs nothing."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from dpmap.errors import BadInput
from dpmap.grid.common_grid import together
from dpmap.promise.policy import Policy
from dpmap.promise.units import unit_key
from dpmap.record import About, Receipt, Record
from dpmap.record.periods import apart_in_time, once_each
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import ONLY_TOTALS
from dpmap.version import made_with

MOST_PARTNERS = 100


def merge(releases: Sequence[Release], *, signed_by: str | None = None) -> Release:
    """Merge several partners' releases into one map, at no cost: estimates add up, and so do the
    noises, whose law is known.

    - `releases`: two or more. Their cells must be the same, or squares of one lattice, which is
      then joined. Two of one data set only where their rows are of times that were declared apart
      (`--from` and `--to` about one column of dates, or two layers of one release by `--times`), so
      that no row counts twice. A unit may then count up to the cap in each: epsilons add up, but
      within one release.
    - `signed_by`: who declares that no unit is in two of them. Whoever gave to several partners
      loses the sum of their epsilons; with this, or as one ledger of theirs has it signed
      (`Ledger.disjoint`), it is the largest. In a file of before dpmap kept callers' notes apart,
      what a ledger has signed cannot be told from what a caller wrote: sign it here.

    Raises `BadInput` where they do not add up: two of one data set whose times are not apart, other
    units, other cells.

    >>> merge(None)
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: merge: give two releases or more
    """
    parts = releases if isinstance(releases, Sequence) else ()
    records = [part.record if isinstance(part, Release) else part for part in parts]
    if len(records) < 2 or not all(isinstance(record, Record) for record in records):
        raise BadInput("merge: give two releases or more")
    if len(records) > MOST_PARTNERS:
        raise BadInput(f"merge: at most {MOST_PARTNERS} releases at once")
    _check(records)
    grid = together([record.grid for record in records])
    disjoint = _signed_disjoint(records, signed_by)
    names = [record.receipt.dataset for record in records]
    return Release(
        Record(
            grid=grid,
            policy=_promise(records, disjoint=disjoint is not None),
            strategy="merged",
            measurements=(),
            receipt=_receipt(records, disjoint=disjoint is not None),
            released_on=max(record.released_on for record in records),
            versions=made_with(),
            about=About.from_mapping(
                {} if disjoint is None else {"disjoint": {"datasets": names, "signed_by": disjoint}}
            ),
            partners=tuple(records),
        )
    )


def _check(records: Sequence[Record]) -> None:
    """Refuse releases that cannot be added up, or whose rows would be counted twice."""
    if refused := [
        map_statement(record).unmerged for record in records if map_statement(record).unmerged
    ]:
        raise BadInput(refused[0])
    if any(record.policy.delta is not None for record in records):
        raise BadInput(ONLY_TOTALS)
    if (
        len(
            {
                (unit_key(record.policy.unit), record.policy.site and unit_key(record.policy.site))
                for record in records
            }
        )
        > 1
    ):
        raise BadInput(
            "merge: the releases protect different units; merge those that name the same --unit and"
            " --site"
        )
    if len({record.about.noun for record in records}) > 1:
        raise BadInput(
            "merge: some of these count individuals (--count), others records; merge those that"
            " count alike"
        )
    if any(record.policy.sample is not None for record in records):
        raise BadInput(
            "merge: totals of a sample and of a whole survey do not add up; leave the sampled"
            " release out"
        )
    for one, other in combinations(records, 2):
        _check_two(one, other)


def _check_two(one: Record, other: Record) -> None:
    """Refuse two releases of one draw, or of one data set whose rows would count twice."""
    if apart_in_time(one, other):
        return
    if one.about.tier and other.about.tier and one.receipt.release_id == other.receipt.release_id:
        raise BadInput(
            "merge: two of these are tiers of one draw; use the finest of them alone, which tells"
            " all that both do"
        )
    if one.receipt.dataset == other.receipt.dataset:
        raise BadInput(
            f"merge: two of these releases are of {one.receipt.dataset!r}, whose rows would count"
            " twice; give one of each data set, or releases of times apart (--from and --to)"
        )
    if one.receipt.release_id == other.receipt.release_id:
        raise BadInput(
            "merge: two of these have one receipt, and so are of one draw; use the one of the"
            " largest epsilon alone"
        )


def _signed_disjoint(records: Sequence[Record], signed_by: str | None) -> str | None:
    """Return who signed that these data sets share no unit; None if nobody did, if a site may
    be in two, or if two are of one data set.
    """
    twice = len({record.receipt.dataset for record in records}) < len(records)
    if twice and signed_by is not None:
        raise BadInput(
            "merge: two of these are of one data set, whose units may be in both; leave --signed-by"
            " out, and their epsilons add up"
        )
    if records[0].policy.site is not None or twice:
        return None
    if signed_by is not None:
        if not signed_by.strip() or len(signed_by) > 200 or not signed_by.isprintable():
            raise BadInput(
                "merge: sign with a name of at most 200 printable characters, like --signed-by 'Ana"
                " Ruiz'"
            )
        return signed_by.strip()
    names = {record.receipt.dataset for record in records}
    for one in records:
        group = (
            one.about.disjoint if one.remarks is not None else None
        )  # before, a caller's own notes could say so
        if group is not None and names <= set(group.datasets):
            return group.signed_by
    return None


def _promise(records: Sequence[Record], *, disjoint: bool) -> Policy:
    """Return what the maps together promise a unit: the sum of their losses or, if no unit is in
    two, the largest.

    Layers of one release cost once: its cap spans them all, and so does its noise. *Proof.* The
    totals of all its layers together move by at most the cap when a unit comes or goes, and the
    noisy answers about them cost its epsilon; what a merged map holds of some layers follows from
    them. Of other releases of one data set each is paid for by itself, whatever rows they hold:
    losses add up. QED
    """
    policies = [one.policy for one in once_each(records)]
    over = max if disjoint else sum
    same_rule = len({policy.consent for policy in policies}) == 1
    return Policy(
        epsilon=over(policy.epsilon for policy in policies),
        cap=over(policy.cap for policy in policies),
        unit=policies[0].unit,
        consent=policies[0].consent if same_rule else None,
        site=policies[0].site,
        site_cap=over(policy.site_cap for policy in policies),
    )


def _receipt(records: Sequence[Record], *, disjoint: bool) -> Receipt:
    """Name the data sets; the ledgers' receipts stay in the partners' own releases."""
    receipts = [record.receipt for record in records]
    names = " + ".join(dict.fromkeys(receipt.dataset for receipt in receipts))
    losses = [one.policy.epsilon for one in once_each(records)]
    spent = max(losses) if disjoint else sum(losses, Fraction(0))
    return Receipt(
        dataset=names if len(names) <= 200 else f"{len(records)} data sets merged",
        release_id="+".join(receipt.release_id for receipt in receipts),
        head="",
        event=0,
        budget=spent,
        spent=spent,
    )
