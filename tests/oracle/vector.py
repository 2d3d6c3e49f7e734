#!/usr/bin/env python3
"""What the elementwise kernels must give: NumPy's values, and of functions the exact ones.

    vector.py FILE    write the table that tests/test_vector_numpy.c reads

A record is a name, the numbers of the result's type, of operands and of elements; each operand as
the number of its type, of its elements, and its bytes; the bytes of the results; and how many
values of the type each part of a result may be away: 0 for the same bits, for functions 1 or, where
NumPy is farther from the exact value, as many as NumPy.  2^32 - 1 is any distance.
"""
import struct
import sys

import mpmath
import numpy as np

import vector_exact

TYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
         "float32 float64 complex64 complex128").split()
INTEGERS, REALS, COMPLEX = TYPES[1:9], TYPES[9:11], TYPES[11:]
NUMBERS = INTEGERS + REALS
ANYWHERE = 2**32 - 1


# ---- operands ------------------------------------------------------------------------------------

def integers(dtype):
    info = np.iinfo(dtype)
    edges = [0, 1, 2, 3, 5, 7, 8, 12, 18, 31, 32, 33, 40, 63, 64, 65, 100, info.max, info.max - 1,
             info.max // 2, info.max // 3, info.min, info.min + 1, -1, -2, -3, -5, -7, -8, -12, -40]
    random = np.random.default_rng(1).integers(info.min, info.max, 16, dtype, endpoint=True)
    small = random >> np.array(info.bits // 2, dtype)
    edges = np.array([e for e in edges if info.min <= e <= info.max], dtype)
    return np.concatenate([edges, random, small])


def reals(dtype):
    info, random = np.finfo(dtype), np.random.default_rng(2)
    edges = [0, 1, 0.5, 1.5, 2, 2.5, 3, 7, 7.5, 1 / 3, 0.1, 10, 100, 1e10, 2**23 + 0.5, 2**52 + 0.5,
             np.inf, info.max, info.tiny, info.tiny / 2, info.smallest_subnormal, 1 - info.eps,
             1 + info.eps, np.pi, 88.5, 709.75]
    edges = np.array(edges, dtype)
    some = random.standard_normal(16) * 10.0 ** random.integers(-25, 25, 16)
    return np.concatenate([edges, -edges, [dtype(np.nan)], random.standard_normal(16).astype(dtype),
                           some.astype(dtype)])


def real_type(name):
    return np.float32 if name in ("float32", "complex64") else np.float64


def operands(name):
    if name == "bool":
        return np.array([0, 1, 1, 0, 1], np.bool_)
    if name in INTEGERS:
        return integers(np.dtype(name))
    values = reals(real_type(name))
    if name in REALS:
        return values
    part = values[[0, 1, 2, 4, 9, 16, 17, 18, 20, 26, 27, 32, 42, 43, 52, 53, 56, 60, 70, 80]]
    grid = np.empty((len(part), len(part)), name)
    grid.real, grid.imag = np.meshgrid(part, part)
    return grid.ravel()


def arguments(name, count, step=2):
    """All operands, or all pairs of every few, and further ones at random."""
    values = operands(name)
    if count == 1:
        return [values]
    values = values[::7 * step if name in COMPLEX else step]
    a, b = np.meshgrid(values, values)
    return [a.ravel(), b.ravel()] + [np.roll(a.ravel(), k) for k in range(5, 3 + count)]


# ---- records -------------------------------------------------------------------------------------

def number(dtype):
    return TYPES.index(np.dtype(dtype).name) + 1


def parts(values):
    real = {"c8": "f4", "c16": "f8"}.get(values.dtype.str[1:])
    return values.view(real) if real else values


def order(values):
    """Reals as integers: neighbours differ by 1, and 0 is -0."""
    signed = values.view(f"i{values.itemsize}").astype(object)
    return np.where(signed < 0, -(signed + 2**(8 * values.itemsize - 1)), signed)


def distance(a, b):
    """Between reals, in values of their type."""
    steps = np.minimum(np.abs(order(a) - order(b)), ANYWHERE)
    steps = np.where(np.isnan(a) != np.isnan(b), ANYWHERE, steps)
    return np.where(np.isnan(a) & np.isnan(b), 0, steps).astype(np.uint32)


def write(file, name, args, results, away=None):
    results = np.ascontiguousarray(results)
    file.write(struct.pack("<32s3i", name.encode(), number(results.dtype), len(args), len(results)))
    for a in args:
        file.write(struct.pack("<2i", number(a.dtype), len(a)) + a.tobytes())
    if away is None:
        away = np.zeros(parts(results).size)
    file.write(results.tobytes() + away.astype("<u4").tobytes())


# ---- operations with exact results ---------------------------------------------------------------

def write_operations(file):
    for name, (count, types, function) in vector_exact.OPERATIONS.items():
        for dtype in types.split():
            args = arguments(dtype, count)
            if name == "power":
                args = [a[args[1] >= 0] for a in args]
            write(file, name, args, function(*args))
    for dtype in TYPES:
        a, b = arguments(dtype, 2)
        condition = np.arange(len(a)) % 3 != 0
        write(file, "where", [condition, a, b], np.where(condition, a, b))
    for dtype in REALS:
        write_fused(file, dtype)
    for target in TYPES:
        for dtype in TYPES:
            if dtype != target:
                values = operands(dtype)
                write(file, "convert", [values], vector_exact.converted(values, target))


def write_fused(file, dtype):
    a, b, c, d = arguments(dtype, 4)
    write(file, "mul_add", [a, b, c], a * b + c)
    write(file, "mul_sub", [a, b, c], a * b - c)
    write(file, "sub_mul", [a, b, c], c - a * b)
    write(file, "mul_add_mul", [a, b, c, d], a * b + c * d)
    write(file, "mul_sub_mul", [a, b, c, d], a * b - c * d)
    write(file, "select_less", [a, b, c, d], np.where(a < b, c, d))
    write(file, "select_less_equal", [a, b, c, d], np.where(a <= b, c, d))
    write(file, "select_equal", [a, b, c, d], np.where(a == b, c, d))
    terms = arguments(dtype, 7)
    for count in range(2, 8):
        factors = np.array([2, -0.5, 1 / 3, 7, 1e-3, -1, 0.1][:count], dtype)
        total = factors[0] * terms[0]
        for k in range(1, count):
            total = total + factors[k] * terms[k]
        write(file, f"linear_{count}", terms[:count] + [factors], total)


# ---- functions -----------------------------------------------------------------------------------

def nearest(x, dtype):
    """The value of a real type nearest to a number of mpmath."""
    digits, lowest = (24, -149) if dtype == np.float32 else (53, -1074)
    if x == 0 or not mpmath.isfinite(x):
        return dtype(x)
    exponent = mpmath.frexp(x)[1]
    if abs(exponent) > 2000:
        return dtype(0 if exponent < 0 else np.inf if x > 0 else -np.inf)
    scale = max(exponent - digits, lowest)
    whole = mpmath.nint(mpmath.ldexp(x, -scale))
    return dtype(np.ldexp(np.float64(int(whole)), scale))


def slack(name, args, results):
    """1, or a few of the larger part of a complex result, more where it is ill-conditioned."""
    if results.dtype.kind != "c":
        return 1
    condition = vector_exact.CONDITION.get(name, lambda *z: np.ones(z[0].shape))(
        *[a.astype(np.complex128) for a in args])
    few = (2 if results.dtype == np.complex64 else 4) * np.maximum(np.abs(condition), 1)
    size = np.maximum(np.abs(results.real), np.abs(results.imag))
    ratio = np.float64(np.repeat(few * np.spacing(size), 2)) / np.spacing(np.abs(parts(results)))
    return np.clip(np.where(np.isnan(ratio), np.repeat(few, 2), ratio), 1, ANYWHERE)


def exact_part(exact, by_numpy):
    """Rounded; NumPy's sign on a cut, since mpmath has no signed zeros to choose a side with."""
    part = nearest(exact, type(by_numpy))
    return part if np.isnan(by_numpy) or np.signbit(part) == np.signbit(by_numpy) else by_numpy


def exact_values(function, args, by_numpy):
    """The exact results, rounded; NumPy's where operands are not finite or there is none."""
    results = by_numpy.copy()
    is_complex = by_numpy.dtype.kind == "c"
    usable = np.logical_and.reduce([np.isfinite(a) for a in args])
    for i in np.flatnonzero(usable & (is_complex | ~np.isnan(by_numpy))):
        try:
            exact = function(*[mpmath.mpmathify(a[i].item()) for a in args])
        except (ValueError, ZeroDivisionError):
            continue
        if is_complex:
            exact = mpmath.mpmathify(exact)
            results.real[i] = exact_part(exact.real, by_numpy.real[i])
            results.imag[i] = exact_part(exact.imag, by_numpy.imag[i])
        elif exact != 0:
            results[i] = nearest(exact, type(by_numpy[i]))
    return results


# Those with tables: of 16 powers of two, of logarithms of 1 to 31/16.
TABLED = "exp exp2 expm1 log log2 log10 log1p sinh cosh tanh".split()


def around_table_entries():
    """Doubles where tables change from one entry to the next, and near 0 and 1."""
    random = np.random.default_rng(3)
    centres = np.concatenate([1 + np.arange(-1, 32, 2) / 32, [63 / 64, 63 / 32]])
    powers = np.arange(-40.5, 41, 3) * np.log(2) / 16
    small = 2.0 ** -np.arange(1, 56, 3)
    values = np.concatenate([centres, centres * 2.0**-7, centres * 2.0**900, centres - 1, powers,
                             small, -small, 1 + small, 1 - small, random.uniform(-3, 3, 60),
                             random.uniform(-720, 720, 30), random.uniform(0, 1, 30)])
    return np.concatenate([values, np.nextafter(values, 0)])


def function_arguments(name, dtype, count):
    args = arguments(dtype, count, 3)
    if dtype in COMPLEX:  # libraries differ in what they make of NaN
        args = [a[~np.isnan(sum(args))] for a in args]
    yield args
    if dtype == "float64" and name in TABLED:
        yield [around_table_entries()]


def write_functions(file):
    with mpmath.workprec(1300), np.errstate(all="ignore"):
        for name, (count, types, exact) in vector_exact.FUNCTIONS.items():
            for dtype in types.split():
                for args in function_arguments(name, dtype, count):
                    by_numpy = getattr(np, name)(*args)
                    results = exact_values(exact, args, by_numpy)
                    away = np.maximum(distance(parts(by_numpy), parts(results)),
                                      slack(name, args, results))
                    write(file, name, args, results, away)


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as table, np.errstate(all="ignore"):
        write_operations(table)
        write_functions(table)
