#!/usr/bin/env python3
"""NumPy's side of the random tests of selections.

    selections.py FOLDER

Every line of FOLDER/list is an index written as in Python, and what came of it, with bars between:

    select | NUMBER | RESULT | INDEX            RESULT == inputNUMBER[INDEX]
    assign | NUMBER | RESULT | INDEX | VALUE    inputNUMBER[INDEX] = VALUE gives RESULT

Arrays are files FOLDER/NAME.npy, also in INDEX and VALUE, where load("NAME") reads one.  Results
must be equal to the bit.
"""
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")


def same(got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if got.tobytes() != np.ascontiguousarray(want).tobytes():
        return f"{got} instead of {want}"
    return None


def main():
    folder = Path(sys.argv[1])

    def load(name):
        return np.load(folder / f"{name}.npy")

    def read(text):
        return eval(text, {"np": np, "load": load})

    failed = 0
    lines = (folder / "list").read_text().splitlines()
    for line in lines:
        call, number, result, index, *value = [word.strip() for word in line.split("|")]
        array = load(f"input{number}")
        index = read(f"np.index_exp[{index}]") if index else ()
        if call == "assign":
            array[index] = read(value[0])
            want = array
        else:
            want = np.asarray(array[index])
        fault = same(load(result), want)
        if fault:
            failed += 1
            print(f"{line}\n    {fault}")
    print(f"{len(lines)} selections, {failed} wrong")
    return 1 if failed or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
