#!/usr/bin/env python3
"""Merge the JSON lines of one or more runs into tables: report.py FILE..."""

import json
import statistics
import sys
from collections import defaultdict


def read(paths):
    """Samples in microseconds, and roles, of each entry: by operation, case, MPI, entry."""
    samples = defaultdict(list)
    roles = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                key = (record["operation"], record["case"], record["mpi"], record["entry"])
                samples[key] += record["microseconds"]
                roles[record["entry"]] = record["role"]
    return samples, roles


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def best(medians, roles, role):
    names = [name for name in medians if roles[name] == role]
    return min(names, key=medians.get) if names else None


def row(case, mpi, entries, roles, parts, peers):
    medians = {name: statistics.median(values) for name, values in entries.items()}
    ours, floor, hand = (best(medians, roles, role) for role in ("ours", "floor", "hand"))
    low, _, high = statistics.quantiles(entries[ours], n=4)
    cells = [case, mpi]
    cells.append(number(medians[floor]) if floor else "-")
    cells.append(f"{number(medians[ours])} ({number(low)} to {number(high)})")
    cells.append(f"{medians[ours] / medians[floor]:.2f}" if floor else "-")
    if hand:
        name = hand.removeprefix("hand_").replace("_", " ")
        cells.append(f"{medians[hand] / medians[ours]:.2f} ({name})")
    else:
        cells.append("-")
    cells += [number(medians[p]) if p in medians else "-" for p in parts]
    cells += [f"{medians[p] / medians[ours]:.1f}" if p in medians else "-" for p in peers]
    return cells


def print_table(operation, samples, roles):
    cases = defaultdict(dict)
    for (op, case, mpi, entry), values in samples.items():
        if op == operation:
            cases[case, mpi][entry] = values
    names = sorted({name for entries in cases.values() for name in entries})
    parts = [name for name in names if roles[name] == "part"]
    peers = [name for name in names if roles[name] == "peer"]
    head = ["case", "MPI", "floor", "ours (quartiles)", "ours / floor", "best by hand / ours"]
    head += [f"{p.replace('_', ' ')} alone" for p in parts]
    head += [f"{p.replace('_', ' ')} / ours" for p in peers]
    print(f"## {operation}, microseconds\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for (case, mpi), entries in sorted(cases.items(), key=lambda item: order(item[0])):
        if all(roles[name] != "ours" for name in entries):
            continue
        print("| " + " | ".join(row(case, mpi, entries, roles, parts, peers)) + " |")
    print()


def order(key):
    """Cases in the order of the numbers in them."""
    words = key[0].replace("=", " ").split()
    return words[0], [int(w) for w in reversed(words) if w.isdigit()], key[1]


def main():
    samples, roles = read(sys.argv[1:])
    for operation in sorted({key[0] for key in samples}):
        print_table(operation, samples, roles)


if __name__ == "__main__":
    main()
