"""The cost targets of the design, and which of them a run misses."""

import re
from collections import namedtuple

import results

# Of the cases that match, our time is at most or at least `bound` times another: `over` / `under`,
# each the role or the name of an entry.  "any hand" is the best by hand of all MPIs.  Without
# `under` it is microseconds.
Target = namedtuple("Target", "name operation case ranks mpi over under least most")


def target(name, operation, case, over, under, ranks="2", mpi=".*", least=None, most=None):
    return Target(name, operation, case, ranks, mpi, over, under, least, most)


LARGE, SMALL = r"n=(?:64|128|256) .*f(?:32|64)$", r"n=(?:16|32) .*f(?:32|64)$"
FIRST, LAST = "^2x1x1 ", "^1x1x2 "
TARGETS = [
    target("contiguous faces", "halo", FIRST + LARGE, "ours", "floor", most=1.3),
    target("contiguous faces", "halo", FIRST + LARGE, "any hand", "ours", least=2.5),
    target("strided faces", "halo", LAST + LARGE, "ours", "floor", most=2),
    target("strided faces", "halo", LAST + LARGE, "any hand", "ours", least=2),
    target("small blocks", "halo", SMALL, "hand", "ours", mpi="openmpi", least=2),
    target("small blocks", "halo", SMALL, "hand", "ours", mpi="mpich", least=1.5),
    target("between nodes", "halo", "nodes of 1$", "hand", "ours", least=1),
    target("more ranks than cores", "halo", "f(?:32|64)$", "hand", "ours", ranks="[48]", least=1),
    target("contiguous", "redistribute", r"slab 1 [x\d]+$", "ours", "floor", most=1.3),
    target("strided", "redistribute", r"slab 2 [x\d]+$", "ours", "floor", most=1.6),
    target("beside peers", "redistribute", r"[x\d]+$", "peer", "ours", least=1.5),
    target("in a node", "accumulate|allreduce", "doubles$", "ours", "floor", most=1.2),
    target("in a node", "accumulate|allreduce", "doubles$", "hand", "ours", least=4),
    target("arithmetic", "expressions", r"arithmetic .*n=1\d{5,}", "ours", "hand", "1", most=1.15),
    target("stencil", "expressions", r"stencil_7 .*n=\d{5,}", "ours", "hand", "1", most=1.0),
    target("functions", "expressions", "^(?:sine|exp|log) ", "numpy", "ours", "1", least=1),
    target("plain", "fast_sum", r"n=1\d{5,}", "ours", "floor", most=1.15),
    target("plain", "fast_var", r"n=1\d{5,}", "ours", "floor", most=1.3),
    target("arrays in a loop", "create", "", "ours", None, most=20),
]


def median(entries, what):
    name = what if what in entries else results.best(entries, what)
    return entries[name].median() if name else None


def value_of(cases, key, what):
    """The median that a target speaks of; None where it was not measured."""
    if what is None:
        return 1
    if what != "any hand":
        return median(cases[key], what)
    operation, case, _, ranks = key
    found = [median(entries, "hand") for other, entries in cases.items()
             if (other[0], other[1], other[3]) == (operation, case, ranks)]
    return min((value for value in found if value), default=None)


def ratios(cases, t):
    """The ratio of each case that a target speaks of."""
    for key in sorted(cases, key=results.order):
        operation, case, mpi, ranks = key
        if (re.fullmatch(t.operation, operation) and re.search(t.case, case)
                and re.fullmatch(t.ranks, str(ranks)) and re.fullmatch(t.mpi, mpi)):
            over, under = value_of(cases, key, t.over), value_of(cases, key, t.under)
            if over is not None and under is not None:
                yield over / under, f"{case} on {ranks} with {mpi}"


def missed(cases):
    """A line for each target that some case misses: how many, and the worst."""
    for t in TARGETS:
        found = list(ratios(cases, t))
        bad = [(ratio, case) for ratio, case in found
               if (t.most and ratio > t.most) or (t.least and ratio < t.least)]
        if bad:
            worst = max(bad) if t.most else min(bad)
            what = f"{t.over} / {t.under}" if t.under else f"{t.over}, microseconds,"
            bound = f"at most {t.most}" if t.most else f"at least {t.least}"
            yield (f"{t.operation.replace('|', ', ')}, {t.name}: {what} {bound}: {len(bad)} of "
                   f"{len(found)} cases, the worst {worst[0]:.2f} ({worst[1]})")
