"""Proofs of the promise that say nothing about one machine, in the form of the checks of `dpmap selftest`.

What `dpmap selftest` tries depends on where it runs: entropy, libraries, disks, processes. What is here holds of the
sources wherever they run, and so is tried by the suite: briefly by `make test`, at length by `make deep`.
"""

from dpmap.selftest.check import Check
from proofs import (
    cap,
    correlated_laplace,
    disjoint_groups,
    end_to_end,
    gaussian,
    guards,
    laplace_law,
    layers_means_sites,
    limits,
    local,
    noise,
    weights,
)

PROOFS: tuple[Check, ...] = (
    Check("noise", "coins", "every coin is decided exactly", noise.coins),
    Check("noise", "assembly", "the coins add up to the stated law, exactly", laplace_law.assembly),
    Check(
        "noise",
        "copies",
        "a noisier copy follows its law, alone and beside what it copies",
        correlated_laplace.drawn,
    ),
    Check("noise", "choice", "a cap is chosen with its exact chances", noise.choice),
    Check("noise", "areas", "an area is chosen with its exact chances", layers_means_sites.areas),
    Check(
        "noise", "sparse", "a sparse map shows what a whole one would", layers_means_sites.sparse
    ),
    Check(
        "noise",
        "gaussian",
        "the coins of Gaussian noise add up to its law, exactly",
        gaussian.assembly,
    ),
    Check(
        "noise",
        "conversion",
        "epsilon and delta buy no less Gaussian noise than they must",
        gaussian.conversion,
    ),
    Check("cap", "random", "the same in surveys nobody chose", cap.random_pairs),
    Check("cap", "weights", "nor is there an exception, whatever a unit weighs", weights.weights),
    Check(
        "cap",
        "lengths",
        "with a delta, nor by more than the root of the cap in length",
        gaussian.lengths,
    ),
    Check(
        "cap", "nobody", "rows without consent, name or place in the area count nothing", cap.nobody
    ),
    Check(
        "cap",
        "withdrawn",
        "who withdraws is gone whole, and nobody else's rows change",
        cap.withdrawn,
    ),
    Check("cap", "limits", "no one loses more than the limit stated for oneself", limits.limits),
    Check("cap", "layers", "the cap spans all kinds and times", layers_means_sites.layers),
    Check("cap", "means", "and both parts of every row of a mean", layers_means_sites.means),
    Check(
        "cap",
        "sites",
        "nor does a contributor or a site, where both are protected",
        layers_means_sites.sites,
    ),
    Check(
        "odds",
        "tiers",
        "several readers' answers in one hand betray no more than the finest",
        correlated_laplace.tiers,
    ),
    Check("runs", "session", "each answer carries all of its noise", end_to_end.session),
    Check(
        "runs",
        "course",
        "a region asked again pools what it cost, for every reader",
        correlated_laplace.course,
    ),
    Check(
        "runs", "delta", "the same with a delta, and the ledger keeps count of it", gaussian.runs
    ),
    Check(
        "runs",
        "sampled",
        "a sample draws everyone with its chance, anew each time",
        end_to_end.sampled,
    ),
    Check(
        "local",
        "answers",
        "whatever a volunteer answers, her report is about as likely",
        local.answers,
    ),
    Check("local", "words", "each bit of a report has a coin of its own", local.words),
    Check(
        "local",
        "thresholds",
        "the chances keep epsilon at every size, and waste none of it",
        local.thresholds,
    ),
    Check("guards", "sealed", "private values cannot be shown, copied or saved", guards.sealed),
    Check(
        "guards",
        "strategies",
        "no strategy gets more than was reserved",
        guards.strategies_are_held,
    ),
    Check(
        "guards", "regions", "with a delta, no question goes beyond single cells", gaussian.regions
    ),
    Check(
        "guards", "seasons", "plans and partners add up to what is said", layers_means_sites.seasons
    ),
    Check(
        "guards",
        "partners",
        "data sets count apart only where no unit can be in two of a group",
        disjoint_groups.partners,
    ),
)
