"""The cost targets of the design, and which of them a run misses.

A target is on a ratio of two entries of one case: the role or name of either, or the best hand
version of any MPI.  Or it is on our time alone.
"""

import re
from collections import namedtuple

import results

# Cases whose operation, text and ranks match; `over` / `under` is at most or at least `bound`.
Target = namedtuple("Target", "operation case ranks over under least most")


def target(operation, case, over, under, ranks=r"2", least=None, most=None):
    return Target(operation, case, ranks, over, under, least, most)


LARGE = r"n=(?:64|128|256|\d{4,})"
SMALL = r"n=(?:16|32)"
FIRST, LAST = r"^2x1(?:x1)? ", r"^1x(?:1x)?2 "
TARGETS = [
    target("halo", f"{FIRST}{LARGE} .*f..$", "ours", "floor", most=1.3),
    target("halo", f"{FIRST}{LARGE} .*f..$", "any hand", "ours", least=2.5),
    target("halo", f"{LAST}{LARGE} .*f..$", "ours", "floor", most=2),
    target("halo", f"{LAST}{LARGE} .*f..$", "any hand", "ours", least=2),
    target("halo", f"{SMALL} .*f..$", "openmpi hand", "ours", least=2),
    target("halo", f"{SMALL} .*f..$", "mpich hand", "ours", least=1.5),
    target("halo", r"nodes of 1", "hand", "ours", least=1),
    target("halo", r"f..$", "openmpi hand", "ours", ranks=r"[48]", least=1),
    target("redistribute", r"slab 0 to slab 1 [x\d]+$", "ours", "floor", most=1.3),
    target("redistribute", r"slab 0 to slab 2 [x\d]+$", "ours", "floor", most=1.6),
    target("redistribute", r"[x\d]+$", "peer", "ours", least=1.5),
    target("accumulate|allreduce", r"doubles$", "ours", "floor", most=1.2),
    target("accumulate|allreduce", r"doubles$", "hand", "ours", least=4),
    target("expressions", r"arithmetic .*n=1\d{5,}", "ours", "hand", ranks="1", most=1.15),
    target("expressions", r"stencil_7 .*n=\d{5,}", "ours", "hand", ranks="1", most=1.0),
    target("expressions", r"(?:sine|exp|log) ", "numpy", "ours", ranks="1", least=1),
    target("fast_sum", r"n=1\d{5,}", "ours", "floor", most=1.15),
    target("fast_var", r"n=1\d{5,}", "ours", "floor", most=1.3),
    target("create", r"", "ours", None, most=20),
]


def roles(entries, role):
    if role in entries:
        return entries[role].median()
    name = results.best(entries, role)
    return entries[name].median() if name else None


def value_of(cases, key, what):
    """The median that a target speaks of; None where it was not measured."""
    operation, case, mpi, ranks = key
    if not what.endswith(" hand"):
        return roles(cases[key], what)
    which = [mpi_ for mpi_ in ("openmpi", "mpich") if what.split()[0] in ("any", mpi_)]
    found = [roles(cases[operation, case, m, ranks], "hand") for m in which
             if (operation, case, m, ranks) in cases]
    return min((value for value in found if value), default=None)


def missed(cases):
    for key in sorted(cases, key=results.order):
        operation, case, mpi, ranks = key
        for t in TARGETS:
            if not (re.fullmatch(t.operation, operation) and re.search(t.case, case)
                    and re.fullmatch(t.ranks, str(ranks))):
                continue
            over = value_of(cases, key, t.over)
            under = value_of(cases, key, t.under) if t.under else 1
            if over is None or under is None:
                continue
            ratio = over / under
            if (t.most is not None and ratio > t.most) or (t.least is not None and ratio < t.least):
                what = f"{t.over} / {t.under}" if t.under else f"{t.over}, microseconds"
                bound = f"at most {t.most}" if t.most is not None else f"at least {t.least}"
                yield f"{operation} {case} {mpi} {ranks} ranks: {what} {ratio:.2f}, {bound}"
