#!/usr/bin/env python3
"""NumPy's side of the random programs.

    random_programs.py FOLDER

Every line of FOLDER/list is a result, `WHAT | NUMBER | VALUE | REST`, of the arrays aNUMBER.npy and
bNUMBER.npy.  Values that are computed agree to rounding; those that move are equal.
"""
import sys
from pathlib import Path

import numpy as np

REDUCTIONS = {"sum": np.sum, "min": np.min, "max": np.max, "var": np.var}


def near(got, want, scale=1.0):
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=1e-12,
                                                           atol=1e-12 * scale)


class Programs:
    def __init__(self, folder):
        self.folder = folder
        self.padded = self.widths = None

    def load(self, name):
        return np.load(self.folder / f"{name}.npy")

    def pad(self, array, modes):
        """Axis by axis: a corner is what the last axis makes of the first one's halo."""
        self.widths = []
        for axis, mode in enumerate(modes.split()):
            kind, width = mode.split(":")
            sides = [(0, 0)] * array.ndim
            sides[axis] = (int(width), int(width))
            array = np.pad(array, sides, mode=kind)
            self.widths.append(int(width))
        self.padded = array

    def is_right(self, what, number, value, rest):
        a, b = self.load(f"a{number}"), self.load(f"b{number}")
        if what in REDUCTIONS:
            return near(value, REDUCTIONS[what](a), np.abs(a).sum())
        if what == "vdot":
            return near(value, np.vdot(a, b), np.abs(a * b).sum())
        if what == "axis":
            return near(self.load(f"expr{number}"), 2 * a - np.sin(b)) and near(
                self.load(f"axis{number}"), a.sum(axis=int(rest)), np.abs(a).sum())
        if what == "part":
            return np.array_equal(self.load(f"part{number}"), a[eval(f"np.index_exp[{rest}]")])
        if what == "get":
            return value == a[eval(f"({rest})")]
        if what == "all":
            return np.array_equal(self.load(f"all{number}"), a)
        if what == "update":
            self.pad(a, rest)
            return True
        got = self.load(f"halo{number}_{int(value)}")
        start = eval(f"({rest})")
        block = tuple(slice(s, s + n) for s, n in zip(start, got.shape))
        return np.array_equal(got, self.padded[block])


def main():
    programs = Programs(Path(sys.argv[1]))
    lines = (programs.folder / "list").read_text().splitlines()
    wrong = 0
    for line in lines:
        what, number, value, rest = (word.strip() for word in line.split("|"))
        if not programs.is_right(what, int(number), float.fromhex(value), rest):
            wrong += 1
            print("wrong:", line)
    print(f"{len(lines)} results, {wrong} wrong")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
