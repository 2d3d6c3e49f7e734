#!/usr/bin/env python3
"""Merge the JSON lines of one or more runs into tables: report.py FILE..."""

import sys

import results
import targets


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def name_of(entry):
    return entry.removeprefix("hand_").replace("_", " ")


def ratio(entries, name, other):
    return entries[name].median() / entries[other].median()


def row(key, entries, parts, peers):
    """Cells of one line; a hidden share where an update was measured alone and in turn."""
    _, case, mpi, ranks = key
    ours, floor, hand = (results.best(entries, role) for role in ("ours", "floor", "hand"))
    low, high = entries[ours].quartiles()
    cells = [f"{ranks} ranks {case}" if ranks > 2 else case, mpi]
    cells.append(number(entries[floor].median()) if floor else "-")
    cells.append(f"{number(entries[ours].median())} ({number(low)} to {number(high)})")
    cells.append(f"{ratio(entries, ours, floor):.2f}" if floor else "-")
    cells.append(f"{ratio(entries, hand, ours):.2f} ({name_of(hand)})" if hand else "-")
    cells += [number(entries[p].median()) if p in entries else "-" for p in parts]
    cells += [f"{ratio(entries, p, ours):.2g}" if p in entries else "-" for p in peers]
    return cells


def hidden(entries):
    """Shares of our update that a computation hides, beside one after the other."""
    update, in_turn = entries["update"].median(), entries["in turn"].median()
    return [f"{name_of(name)} {(in_turn - entry.median()) / update:.0%}"
            for name, entry in entries.items() if entry.role == "ours"]


def print_table(operation, cases):
    cases = {key: entries for key, entries in cases.items() if results.best(entries, "ours")}
    if not cases:
        return
    names = sorted({(e.role, name) for entries in cases.values() for name, e in entries.items()})
    parts = [name for role, name in names if role == "part"]
    peers = [name for role, name in names if role == "peer"]
    head = ["case", "MPI", "floor", "ours (quartiles)", "ours / floor", "best by hand / ours"]
    head += [f"{name_of(p)} alone" for p in parts]
    head += [f"{name_of(p)} / ours" for p in peers]
    if operation == "overlap":
        head.append("of the update hidden")
    print(f"## {operation}, microseconds\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for key in sorted(cases, key=results.order):
        cells = row(key, cases[key], parts, peers)
        if operation == "overlap":
            cells.append(", ".join(hidden(cases[key])))
        print("| " + " | ".join(cells) + " |")
    print()


def write(paths):
    cases = results.read(paths)
    for operation in sorted({key[0] for key in cases}):
        print_table(operation, {k: entries for k, entries in cases.items() if k[0] == operation})
    missed = list(targets.missed(cases))
    if missed:
        print("Targets of the design that this run misses:", *missed, sep="\n- ")
    else:
        print("No target of the design is missed by this run.")


if __name__ == "__main__":
    write(sys.argv[1:])
