#!/usr/bin/env python3
"""NumPy's side of the random tests of reductions.

    reductions.py FOLDER

Every line of FOLDER/list is a call and its result:

    whole CALL NUMBER ddof N asked TYPE is TYPE VALUE...
    axes CALL NUMBER FILE axes SET keep FLAG ddof N asked TYPE

where the array is FOLDER/inputNUMBER.npy and the axes are bits.  Integers, truths, places and
extremes must be equal, exact sums to the bit; the rest agree to rounding.
"""
from fractions import Fraction
import math
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
WIDE = {"b": np.int64, "i": np.int64, "u": np.uint64, "f": np.float64, "c": np.complex128}


def exact_sum(values, divisor=1):
    """The sum of doubles divided by an integer, rounded once; as the hardware where not finite."""
    values = [float(v) for v in values]
    if not all(map(math.isfinite, values)):
        return float(np.sum(values) / divisor)
    try:
        return float(sum(map(Fraction, values), Fraction(0)) / divisor)
    except OverflowError:
        return math.inf


def parts(array):
    """The real numbers that an array is made of."""
    return [array] if array.dtype.kind != "c" else [array.real, array.imag]


def exactly(array, dtype, divisor=1):
    flat = array.ravel()
    sums = [exact_sum(part, divisor) for part in parts(flat)]
    return np.array(sums[0] if len(sums) == 1 else complex(*sums)).astype(dtype)


def sum_type(array, asked):
    return np.dtype(asked) if asked != "?" else np.dtype(
        WIDE[array.dtype.kind] if array.dtype.kind in "biu" else array.dtype)


def mean_type(array):
    return array.dtype if array.dtype.kind in "fc" else np.dtype(np.float64)


def real_type(dtype):
    return np.empty(0, dtype).real.dtype


def converted(array, asked):
    """As NumPy would convert, but saturating where C has no answer."""
    if asked == "?":
        return array
    dtype = np.dtype(asked)
    if dtype.kind in "iu" and array.dtype.kind in "fc":
        info = np.iinfo(dtype)
        return np.array([int(min(max(v, info.min), info.max)) if v == v else 0
                         for v in np.atleast_1d(array.real).ravel().astype(float)],
                        dtype=dtype).reshape(array.shape)
    return array.astype(dtype)


def expected(call, array, axis, keep, ddof, asked):
    if call in ("sum", "prod", "cumsum", "cumprod"):
        function = getattr(np, call)
        given = converted(array, asked)
        result = sum_type(array, asked)
        work = result if result.kind in "biu" else WIDE[result.kind]
        if call.startswith("cum"):
            return function(given, axis=axis[0], dtype=result)
        return np.asarray(function(given, axis=axis, dtype=work, keepdims=keep)).astype(result)
    if call in ("argmin", "argmax"):
        return getattr(np, call)(array, axis=axis[0], keepdims=keep)
    if call in ("var", "std"):
        wide = array.astype(WIDE["c" if array.dtype.kind == "c" else "f"])
        return np.asarray(getattr(np, call)(wide, axis=axis, ddof=ddof, keepdims=keep)).astype(
            real_type(mean_type(array)))
    if call == "mean":
        wide = array.astype(WIDE["c" if array.dtype.kind == "c" else "f"])
        return np.asarray(np.mean(wide, axis=axis, keepdims=keep)).astype(mean_type(array))
    return np.asarray(getattr(np, call)(array, axis=axis, keepdims=keep))


def whole(call, array, ddof, asked):
    every = tuple(range(array.ndim))
    flat = array.ravel()
    if call in ("sum", "mean"):
        given = converted(array, asked)
        result = sum_type(array, asked) if call == "sum" else mean_type(array)
        if call == "mean" and array.size == 0:
            return np.array(np.nan).astype(result)
        if call == "mean" and array.dtype.kind in "biu":
            return np.array(float(Fraction(sum(map(int, flat)), array.size)))
        if result.kind in "fc" and call == "sum":
            return exactly(given.astype(WIDE[result.kind]), result)
        if call == "mean":
            return exactly(array, result, array.size)
    if call in ("argmin", "argmax"):
        return np.asarray(getattr(np, call)(array))
    if call == "vdot":
        return np.asarray(np.vdot(array, array))
    if call.startswith("norm"):
        sizes = np.abs(flat.astype(WIDE["c" if array.dtype.kind == "c" else "f"]))
        order = {"norm1": 1, "norm2": 2, "norminf": np.inf}[call]
        return np.linalg.norm(sizes, order) if array.size else np.array(0.0)
    return expected(call, array, every, False, ddof, asked)


def tolerance(call, array, result):
    """How far apart two real numbers may be, as a factor of machine precision and of what."""
    if result.dtype.kind in "biu":
        return 0
    eps = np.finfo(result.dtype).eps
    if call in ("min", "max"):
        return 0
    finite = np.abs(array[np.isfinite(array)].astype(complex))
    size = float(finite.sum()) if finite.size else 0.0
    n = array.size + 4
    if call in ("sum", "mean", "cumsum"):
        return eps * n * size
    if call in ("var", "std"):
        top = float(finite.max()) if finite.size else 0.0
        return eps * n * (top * top if call == "var" else top)
    if call == "vdot":
        return eps * n * float((finite ** 2).sum()) if finite.size else 0.0
    return None  # products, norms: relative


def may_overflow(array):
    """Whether some product of elements is beyond the range of f32."""
    sizes = np.abs(array.astype(complex))
    return not np.all(np.isfinite(sizes)) or np.log2(np.maximum(sizes, 1)).sum() > 120


def same(call, array, got, want):
    got, want = np.asarray(got), np.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if got.dtype.kind == "c" and not np.all(np.isfinite(array)):
        if call in ("min", "max"):  # NaN wins, whichever of them
            lost = np.isnan(want)
            ok = np.array_equal(np.isnan(got), lost) and np.array_equal(got[~lost], want[~lost])
            return None if ok else "an extreme"
        return None  # which parts are NaN depends on the order
    limit = tolerance(call, array, want)
    for g, w in zip(parts(got), parts(want)):
        if g.dtype.kind in "biu" or limit == 0:
            if not np.array_equal(g, w, equal_nan=g.dtype.kind == "f"):
                return f"{g} instead of {w}"
            continue
        if call in ("prod", "cumprod") and may_overflow(array):
            continue  # which depends on the order
        near = np.finfo(g.dtype).eps * (array.size + 4) * np.abs(want).astype(float)
        allowed = near if limit is None else limit + near
        with np.errstate(all="ignore"):
            fine = (g == w) | (np.isnan(g) & np.isnan(w)) | (
                np.abs(g.astype(float) - w.astype(float)) <= np.minimum(allowed, 1e300))
        if not np.all(fine):
            return f"{g} instead of {w}"
    return None


def read_value(dtype, words):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.bool_(int(words[0]))
    if dtype.kind in "iu":
        return dtype.type(int(words[0]))
    numbers = [float.fromhex(w) if "x" in w else float(w) for w in words]
    return dtype.type(numbers[0] if len(numbers) == 1 else complex(*numbers))


def check(folder, line, inputs):
    words = line.split()
    number = int(words[2])
    if number not in inputs:
        inputs.clear()
        inputs[number] = np.load(folder / f"input{number}.npy")
    array = inputs[number]
    if words[0] == "whole":
        call, ddof, asked = words[1], int(words[4]), words[6]
        got, want = read_value(words[8], words[9:]), whole(call, array, ddof, asked)
        if call in ("sum", "mean") and got.dtype.kind in "fc" and np.all(np.isfinite(array)):
            equal = got == want or (got != got and want != want)
            return None if equal else f"{got!r} instead of {want!r}"
        return same(call, array, got, want)
    call, got = words[1], np.load(folder / words[3])
    axis = tuple(a for a in range(array.ndim) if int(words[5]) >> a & 1)
    return same(call, array, got,
                expected(call, array, axis, words[7] == "1", int(words[9]), words[11]))


def main():
    folder, inputs, checked, faults = Path(sys.argv[1]), {}, 0, 0
    for line in (folder / "list").read_text().splitlines():
        fault = check(folder, line, inputs)
        checked += 1
        if fault is not None:
            faults += 1
            shape, dtype = inputs[int(line.split()[2])].shape, inputs[int(line.split()[2])].dtype
            print(f"{line}: of {dtype}{shape}: {fault}"[:400])
            if faults == 20:
                break
    if checked < 1000:
        print(f"only {checked} results")
        return 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
