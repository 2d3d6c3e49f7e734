"""What the programs of bench/ have written: one JSON line for each case of each run."""

import json
import statistics
from collections import defaultdict


class Entry:
    """One way of a case: the role it has, and its samples in microseconds, run by run."""

    def __init__(self, role):
        self.role = role
        self.runs = []

    def samples(self):
        return [value for run in self.runs for value in run]

    def median(self):
        return statistics.median(self.samples())

    def quartiles(self):
        samples = self.samples()
        if len(samples) < 2:
            return samples[0], samples[0]
        low, _, high = statistics.quantiles(samples, n=4)
        return low, high


def read(paths):
    """Cases by (operation, case, MPI, ranks), each a dict of entries by name."""
    cases = defaultdict(dict)
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                key = (record["operation"], record["case"], record["mpi"], record["ranks"])
                for entry in record["entries"]:
                    own = cases[key].setdefault(entry["name"], Entry(entry["role"]))
                    own.runs.append(entry["samples"])
    return cases


def best(entries, role):
    """Name of the fastest entry of a role, None without any."""
    names = [name for name, entry in entries.items() if entry.role == role]
    return min(names, key=lambda name: entries[name].median()) if names else None


def order(key):
    """Cases in the order of the numbers in them."""
    words = key[1].replace("=", " ").split()
    numbers = [int(word) for word in reversed(words) if word.isdigit()]
    return key[0], key[3], words[0], numbers, key[1], key[2]
