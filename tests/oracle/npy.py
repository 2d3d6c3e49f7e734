#!/usr/bin/env python3
"""NumPy's side of the tests of .npy files.

    npy.py write FOLDER    NumPy writes files; FOLDER/list says what is in them
    npy.py check FOLDER    FOLDER/saved lists files; each must be what NumPy saves, byte for byte
    npy.py blank FOLDER    files of zeros in every order of axes and bytes; FOLDER/list
    npy.py holes FILE M N  a file of M x N zeros, none of which takes room on the disk
    npy.py field FILE      FILE holds the field of example T-4
    npy.py same FOLDER     the files of FOLDER/list hold the values below, in the order they had

The lists have lines of the form `NAME TYPE LENGTH...`.  Component p of the element in cell c (C
order) has the low bytes of mix(2c + p); booleans are true where mix(2c) is a multiple of 3.
"""
import io
import sys
from pathlib import Path

import numpy as np

TYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
         "float32 float64 complex64 complex128").split()
ORDERS = {"c-native": ("C", "="), "c-swapped": ("C", "S"),
          "fortran-native": ("F", "="), "fortran-swapped": ("F", "S")}
SHAPES = [(), (1,), (0,), (13,), (5, 1), (1, 5), (0, 4), (4, 0, 3), (3, 4, 5), (2,) * 10,
          (1,) * 15 + (3,), (2, 1, 9, 1)]


def mix(x):
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def values(dtype, shape):
    dtype = np.dtype(dtype)
    cells = int(np.prod(shape, dtype=np.int64))
    if dtype == np.bool_:
        return (mix(np.arange(0, 2 * cells, 2, dtype=np.uint64)) % np.uint64(3) == 0).reshape(shape)
    parts = 2 if dtype.kind == "c" else 1
    number = np.repeat(np.arange(cells, dtype=np.uint64), parts) * np.uint64(2)
    number += np.tile(np.arange(parts, dtype=np.uint64), cells)
    bits = mix(number).astype(f"u{dtype.itemsize // parts}")
    return bits.view(dtype).reshape(shape)


def ordered(array, order):
    axes, byte_order = ORDERS[order]
    return np.asarray(array, array.dtype.newbyteorder(byte_order), order=axes)


def write(folder):
    lines = []

    def put(name, array, dtype, version=(1, 0)):
        with open(folder / name, "wb") as file:
            np.lib.format.write_array(file, array, version=version)
        lines.append(" ".join([name, dtype] + [str(n) for n in array.shape]))

    for dtype in TYPES:
        native = values(dtype, (7, 6))
        swapped = native.byteswap().view(native.dtype.newbyteorder())
        put(f"{dtype}-native.npy", native, dtype)
        put(f"{dtype}-swapped.npy", swapped, dtype)
    for i, shape in enumerate(SHAPES):
        for dtype in ("float64", "bool"):
            put(f"shape{i}-{dtype}.npy", values(dtype, shape), dtype)
    for major in (1, 2, 3):
        put(f"version{major}.npy", values("int32", (4, 5)), "int32", (major, 0))
    put("order-of-one-axis.npy", np.asfortranarray(values("int16", (9, 1))), "int16")
    with open(folder / "two-arrays.npy", "wb") as file:
        np.save(file, values("int64", (8,)))
        np.save(file, np.zeros(1000))
    lines.append("two-arrays.npy int64 8")
    for dtype in TYPES:
        for order in ("fortran-native", "fortran-swapped"):
            array = values(dtype, (5, 4, 3))
            put(f"{dtype}-{order}.npy", ordered(array, order), dtype)
    for i, shape in enumerate([(2, 3), (2, 3, 4), (0, 4), (3, 1, 2, 5), (7,)]):
        put(f"fortran{i}.npy", ordered(values("int64", shape), "fortran-native"), "int64")
    (folder / "list").write_text("\n".join(lines) + "\n")


def check(folder):
    for line in (folder / "saved").read_text().splitlines():
        name, dtype, *lengths = line.split()
        expected = values(dtype, tuple(map(int, lengths)))
        file = io.BytesIO()
        np.save(file, expected)
        found = (folder / name).read_bytes()
        array = np.load(folder / name)
        if array.dtype != expected.dtype or array.shape != expected.shape:
            sys.exit(f"{name}: {array.dtype} {array.shape}, expected {line}")
        if array.tobytes() != expected.tobytes():
            sys.exit(f"{name}: other values than expected of {line}")
        if found != file.getvalue():
            sys.exit(f"{name}: other bytes than NumPy writes for {line}")


def blank(folder):
    lines = []
    for dtype in ("float64", "int16", "complex64"):
        for order in ORDERS:
            name = f"{dtype}-{order}.npy"
            np.save(folder / name, ordered(np.zeros((6, 5, 7), dtype), order))
            lines.append(f"{name} {dtype} 6 5 7")
    (folder / "list").write_text("\n".join(lines) + "\n")


def holes(file, *shape):
    np.lib.format.open_memmap(file, "w+", np.float64, tuple(map(int, shape)))


def field(file):
    i, j = np.arange(96)[:, None], np.arange(96)[None, :]
    expected = np.sin(2 * np.pi * i / 96) * np.cos(4 * np.pi * j / 96) + i / 96
    found = np.load(file)
    if found.dtype != np.float64 or found.shape != (96, 96):
        sys.exit(f"{file}: {found.dtype} {found.shape}")
    if not np.allclose(found, expected, rtol=0, atol=1e-14):
        sys.exit(f"{file}: up to {abs(found - expected).max()} off")


def same(folder):
    for line in (folder / "list").read_text().splitlines():
        name, dtype, *lengths = line.split()
        array = np.load(folder / name)
        expected = ordered(values(dtype, tuple(map(int, lengths))), name.split("-", 1)[1][:-4])
        if array.dtype.str != expected.dtype.str or array.strides != expected.strides:
            sys.exit(f"{name}: {array.dtype.str} {array.strides}, no longer as it was made")
        if array.tobytes() != expected.tobytes():
            sys.exit(f"{name}: other values than expected")


if __name__ == "__main__":
    {"write": write, "check": check, "blank": blank, "field": field, "holes": holes,
     "same": same}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
