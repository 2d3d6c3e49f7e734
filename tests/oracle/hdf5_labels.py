#!/usr/bin/env python3
"""What xarray, ncdump and h5dump say of labelled.h5 and series.h5, made by test_hdf5_labels.c, and
h5py of parts of them; then series of other programs.

    hdf5_labels.py FOLDER
"""
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import xarray

from npy import values


def expect(found, expected, what):
    if not np.array_equal(found, expected):
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def labelled(path):
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        rho, t = data["rho"], data["t"]
        expect(rho.dims, ("y", "x"), "dimensions of rho")
        expect(t.dims, ("x",), "dimensions of t")
        expect(rho.values, values("float64", (3, 5)), "rho")
        expect(t.values, values("int32", (5,)), "t")
        expect(data["x"].values, 0.5 * np.arange(5), "coordinates of x")
        expect(data["x"].attrs["units"], "m", "units of x")
        expect("y" in data.coords, False, "coordinates of y")
        expect(rho.attrs, {"units": "kg m-3", "level": 3}, "attributes of rho")
        expect(data.attrs["title"], "labels", "title")
        expect(rho.sel(x=1.0).values, values("float64", (3, 5))[:, 2], "rho where x is 1")
    with xarray.open_dataset(path, engine="h5netcdf", group="fields") as data:
        expect(data["phi"].dims, ("z", "x"), "dimensions of phi")
        expect(data["x"].values, np.arange(4.0), "coordinates of x in the group")


def series(path):
    with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as data:
        u, number = data["u"], data["number"]
        expect(u.dims, ("time", "y", "x"), "dimensions of u")
        expect(number.dims, ("time",), "dimensions of number")
        expect(data["time"].values, 0.25 * np.arange(3), "times")
        expect(data["time"].attrs["units"], "s", "units of the time")
        for record in range(3):
            expect(u.values[record], values("int16", (4, 6)) + record, f"record {record}")
            expect(number.values[record], record, f"number {record}")
        expect(dict(data.sizes), {"time": 3, "y": 4, "x": 6}, "sizes")
        expect(data.encoding["unlimited_dims"], {"time"}, "what grows")


def output(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return " ".join(run.stdout.split())


def contains(text, *parts):
    for part in parts:
        if part not in text:
            sys.exit(f"no '{part}' in: {text}")


def parts(folder):
    with h5py.File(folder / "labelled.h5") as file:
        expect(np.load(folder / "rho.npy"), file["rho"][1:3, 2:5], "a part of rho")
        expect(np.load(folder / "none.npy"), file["rho"][3:3], "no part of rho")
    with h5py.File(folder / "series.h5") as file:
        expect(np.load(folder / "u.npy"), file["u"][1:3, 0:4, 2:5], "a part of two records")


def write(folder):
    u = values("int16", (4, 6)) + np.arange(3, dtype="int16")[:, None, None]
    data = xarray.Dataset({"u": (("time", "y", "x"), u)}, {"time": 10.0 + np.arange(3)})
    data.to_netcdf(folder / "theirs.nc", engine="h5netcdf", unlimited_dims=["time"])
    with h5py.File(folder / "bare.h5", "w") as file:
        file["u"] = u[:2]


def main(folder):
    parts(folder)
    write(folder)
    labelled(folder / "labelled.h5")
    series(folder / "series.h5")
    contains(output("ncdump", "-h", folder / "labelled.h5"), "double rho(y, x) ;", "int t(x) ;",
             'x:units = "m" ;', "y = 3 ;", 'rho:units = "kg m-3" ;', "double phi(z, x) ;")
    contains(output("ncdump", "-v", "time", folder / "series.h5"), "time = UNLIMITED ; // (3",
             "short u(time, y, x) ;", "int64 number(time) ;", "time = 0, 0.25, 0.5 ;")
    contains(output("h5dump", "-d", "t", folder / "labelled.h5"), "H5T_STD_I32LE", "SIMPLE { ( 5 )")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
