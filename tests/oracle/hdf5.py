#!/usr/bin/env python3
"""The side of h5py in the tests of HDF5 files.

    hdf5.py FOLDER    check what FOLDER/saved lists, then write FOLDER/theirs.h5, block.h5, and
                      theirs, a list of what is in them; and odd.h5, which cannot all be read

Lines of both lists are `FILE DATASET TYPE LENGTH...`; the elements are those of npy.py.
"""
import sys
from pathlib import Path

import h5py
import numpy as np

from npy import TYPES, values

SHAPES = [(), (0,), (0, 4), (1,), (5,), (3, 4), (2, 3, 4, 5)]


def lines(path):
    for line in path.read_text().splitlines():
        file, name, dtype, *lengths = line.split()
        yield file, name, dtype, tuple(map(int, lengths))


def check_attributes(attributes, where):
    """The attributes that tests/support/hdf5_cases.c gives."""
    expected = {"step": np.int64(7), "dt": np.float64(0.5), "on": np.bool_(True),
                "z": np.complex128(1 - 2j), "tiny": np.uint8(255)}
    for name, value in expected.items():
        found = attributes[name]
        if found != value or np.asarray(found).dtype != value.dtype:
            sys.exit(f"{where}: attribute {name} is {found!r}, expected {value!r}")
    if attributes["name"] != "run \N{GREEK SMALL LETTER ALPHA}" or attributes["empty"] != "":
        sys.exit(f"{where}: texts are {attributes['name']!r} and {attributes['empty']!r}")
    if attributes["list"].tolist() != [1.5, 2.5, 4] or attributes["none"].shape != (0,):
        sys.exit(f"{where}: lists are {attributes['list']!r} and {attributes['none']!r}")


def check(folder):
    for name in sorted({line[0] for line in lines(folder / "saved")}):
        with h5py.File(folder / name) as file:
            check_attributes(file.attrs, name)
    for name, dataset, dtype, shape in lines(folder / "saved"):
        with h5py.File(folder / name) as file:
            found = file[dataset][()]
            chunks = file[dataset].chunks
        if name == "rows.h5" and len(shape) > 1 and 0 not in shape:
            if chunks != (min(2, shape[0]), *shape[1:]):
                sys.exit(f"{name}, {dataset}: chunks of {chunks}, expected two rows")
        expected = values(dtype, shape)
        if found.dtype != expected.dtype or found.shape != expected.shape:
            sys.exit(f"{name}, {dataset}: {found.dtype} {found.shape}, expected {dtype} {shape}")
        if np.asarray(found).tobytes() != expected.tobytes():
            sys.exit(f"{name}, {dataset}: other values than expected")


def write_elsewhere(folder):
    """What our library does not read, since the cells are in another file, or compressed by what
    HDF5 itself does not have."""
    cells = values("float64", (6, 5))
    with h5py.File(folder / "else.h5", "w") as file:
        file["a"] = cells + 1
    with h5py.File(folder / "odd.h5", "w") as file:
        file["a"] = cells
        file["elsewhere"] = h5py.ExternalLink("else.h5", "a")
        layout = h5py.VirtualLayout(cells.shape, cells.dtype)
        layout[:] = h5py.VirtualSource("else.h5", "a", cells.shape)
        file.create_virtual_dataset("virtual", layout)
        file.create_dataset("lzf", data=cells, chunks=(2, 3), compression="lzf")
        file["nowhere"] = h5py.SoftLink("/none")
        file["round"] = h5py.SoftLink("/round")


def write(folder):
    listed = []
    with h5py.File(folder / "theirs.h5", "w") as file:
        def put(name, array, dtype, **options):
            file.create_dataset(name, data=array, **options)
            listed.append(" ".join(["theirs.h5", name, dtype] + [str(n) for n in array.shape]))

        for dtype in TYPES:
            native = values(dtype, (7, 6))
            put(f"types/{dtype}", native, dtype)
            if dtype != "bool":
                put(f"types/swapped/{dtype}", native.astype(native.dtype.newbyteorder()), dtype)
            for i, shape in enumerate(SHAPES):
                put(f"shapes/{dtype}/{i}", values(dtype, shape), dtype)
        put("gzip", values("int32", (40, 30)), "int32", chunks=(7, 9), compression="gzip",
            shuffle=True)
        put("growing", values("float64", (6, 5)), "float64", maxshape=(None, 5))
        file["top"] = np.arange(3, dtype=np.float16)
        file["alias"] = h5py.SoftLink("/top")
        file["dangling"] = h5py.SoftLink("/nowhere")
        file["text"] = "no array"
        file["types/strings"] = np.array([b"a", b"bc"])
        file["types/pair"] = np.zeros(2, dtype=[("a", "i4"), ("b", "f8")])
        file["types/long"] = np.zeros(2, dtype=np.longdouble)
        file["empty"] = h5py.Empty("f8")
        file["many"] = np.zeros((1,) * 17)
        file.attrs.update({"step": 7, "dt": 0.5, "name": "run", "bytes": np.bytes_(b"short"),
                           "list": np.arange(3, dtype=np.int16), "on": np.True_,
                           "z": np.complex64(1 + 2j), "big": np.float64(2.5).astype(">f8"),
                           "reference": file["gzip"].ref, "nothing": h5py.Empty("i4"),
                           "words": ["a", "b"]})
    with h5py.File(folder / "block.h5", "w", userblock_size=512) as file:
        file["a"] = values("float64", (6, 5))
    listed.append("block.h5 a float64 6 5")
    (folder / "theirs").write_text("\n".join(listed) + "\n")
    write_elsewhere(folder)


if __name__ == "__main__":
    check(Path(sys.argv[1]))
    write(Path(sys.argv[1]))
