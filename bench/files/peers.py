"""NumPy and h5py for bench/files.c: one process that saves and loads the whole array.

Reads commands, "WHAT ROWS COLUMNS PATH", one a line, and answers each with a line of one number:
1, or whether what was loaded last is right.
"""

import os
import sys

import h5py
import numpy as np

made = loaded = None


def array(rows, columns):
    """Each cell has its number; made once."""
    global made
    if made is None or made.shape != (rows, columns):
        made = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    return made


def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def save_numpy(values, path):
    with open(path, "wb") as file:  # np.save would append a suffix
        np.save(file, values)
    sync(path)


def load_numpy(_, path):
    global loaded
    loaded = np.load(path)


def save_h5py(values, path):
    with h5py.File(path, "w") as file:
        file["a"] = values
    sync(path)


def load_h5py(_, path):
    global loaded
    with h5py.File(path, "r") as file:
        loaded = file["a"][:]


def check(values, _):
    return np.array_equal(loaded, values)


def main():
    print("ready", flush=True)
    for line in sys.stdin:
        what, rows, columns, path = line.rstrip("\n").split(" ", 3)
        right = globals()[what](array(int(rows), int(columns)), path)
        print(1 if right is None else int(right), flush=True)


if __name__ == "__main__":
    main()
