#!/usr/bin/env python3
"""NumPy's times for bench/reduce.c, which starts this.

Reads commands, one a line, and answers each with a line:

    set OPERATION DTYPE FIRST N     choose what to reduce: N elements from cell FIRST on; answer 0
    run COUNT                       seconds of one run, and the result
"""

import sys
import time

import numpy as np

OPERATIONS = {
    "sum": lambda x, y: np.sum(x),
    "dot": np.dot,
    "norm": lambda x, y: np.linalg.norm(x),
    "var": lambda x, y: np.var(x),
    "max": lambda x, y: np.max(x),
    "argmax": lambda x, y: np.argmax(x),
}


def elements(dtype, first, n, factor):
    """As fill() of bench/reduce.c makes them."""
    cell = np.arange(first, first + n, dtype=np.uint64)
    cell *= np.uint64(factor)
    return ((cell >> np.uint64(40)).astype(np.float64) * 2.0**-23 - 1).astype(dtype)


def run(function, x, y, count):
    value = function(x, y)
    start = time.perf_counter()
    for _ in range(count):
        function(x, y)
    return (time.perf_counter() - start) / count, float(value)


def main():
    print("ready", flush=True)
    made = function = x = y = None
    for line in sys.stdin:
        command, *words = line.split()
        if command == "set":
            function = OPERATIONS[words[0]]
            if made != words[1:]:
                dtype, first, n = words[1], int(words[2]), int(words[3])
                x = elements(dtype, first, n, 0x9E3779B97F4A7C15)
                y = elements(dtype, first, n, 0xD1B54A32D192ED03)
                made = words[1:]
            print(0, flush=True)
        else:
            print("%.9g %.17g" % run(function, x, y, int(words[0])), flush=True)


if __name__ == "__main__":
    main()
