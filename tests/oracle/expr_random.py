#!/usr/bin/env python3
"""Random expressions and what NumPy 2 makes of them.

    expr_random.py COUNT SEED FILE

Each program is a list of lines: `program`, its arguments, the text, and what it must give.  Values
are bytes in hexadecimal, in C order.  The parser of test_expr_random.c is the other side.

Where NumPy does not say which bits are right (the sign of max(-0.0, 0.0), products of complex
numbers that a machine may fuse) the model below says so itself; where NumPy would use half
precision it is given single precision.
"""
import random
import re
import sys
import warnings

import numpy as np

TYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
         "float32 float64 complex64 complex128").split()
SMALL = (np.dtype(bool), np.dtype(np.int8), np.dtype(np.uint8))


class Skip(Exception):
    """Something that NumPy leaves open."""


# ---- the model ---------------------------------------------------------------------------------

def weak(x):
    return type(x) in (bool, int, float, complex)


def common(*xs):
    """The type to which operands promote together."""
    typed = [x.dtype for x in xs if not weak(x)]
    numbers = [x for x in xs if weak(x)]
    if not typed:
        return np.result_type(*[np.asarray(x).dtype for x in numbers])
    return np.result_type(*typed, *numbers)


def lifted(*xs):
    """Operands of a function of floats: NumPy would take those of 8 bits to half precision."""
    if any(weak(x) for x in xs) and common(*xs) not in SMALL:
        return list(xs)
    return [np.asarray(x).astype(np.float32)[()] if not weak(x) and x.dtype in SMALL else x
            for x in xs]


def floating(f):
    return lambda *xs: f(*lifted(*xs))


def is_complex(x):
    return np.iscomplexobj(x)


def parts(dtype, re, im):
    out = np.empty(np.broadcast(re, im).shape, dtype)
    out.real = re
    out.imag = im
    return out[()]


def multiply(x, y):
    if weak(x) and weak(y):
        raise Skip
    t = common(x, y)
    if t.kind != "c":
        return np.multiply(x, y)
    x, y = np.asarray(x).astype(t), np.asarray(y).astype(t)
    return parts(t, x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def smith(a, b, c, d):
    """(a + bi) / (c + di), as NumPy divides."""
    wide = np.abs(c) >= np.abs(d)
    zero = wide & (c == 0) & (d == 0)
    r1, r2 = d / c, c / d
    s1, s2 = 1 / (c + d * r1), 1 / (d + c * r2)
    s1, s2 = s1.astype(a.dtype), s2.astype(a.dtype)
    re = np.where(zero, a / np.abs(c), np.where(wide, (a + b * r1) * s1, (a * r2 + b) * s2))
    im = np.where(zero, b / np.abs(c), np.where(wide, (b - a * r1) * s1, (b * r2 - a) * s2))
    return re, im


def divide(x, y):
    t = common(x, y)
    if weak(x) and weak(y):
        return x / y
    if t.kind != "c":
        return np.divide(x, y)
    x, y = np.asarray(x).astype(t), np.asarray(y).astype(t)
    return parts(t, *smith(x.real, x.imag, y.real, y.imag))


def square(x):
    if not is_complex(x):
        return np.square(x)
    x = np.asarray(x)
    return parts(x.dtype, x.real * x.real - x.imag * x.imag, x.real * x.imag + x.imag * x.real)


def reciprocal(x):
    if not is_complex(x):
        if np.asarray(x).dtype.kind in "biu" and np.any(np.asarray(x) == 0):
            raise Skip
        return np.reciprocal(x)
    x = np.asarray(x)
    a, b = x.real, x.imag
    wide = np.abs(b) <= np.abs(a)
    r1, r2 = b / a, a / b
    d1, d2 = a + b * r1, a * r2 + b
    return parts(x.dtype, np.where(wide, 1 / d1, r2 / d2), np.where(wide, -r1 / d1, -1 / d2))


def power(x, y):
    t = common(x, y)
    if t.kind in "fc":
        raise Skip  # a function, of which only the last bit is open
    return np.power(x, y)


def choose(op, nan_wins):
    """Extremes, whose first operand stands for both when they are equal."""
    def f(x, y):
        t = common(x, y)
        a, b = np.asarray(x).astype(t) if not weak(x) else t.type(x), \
            np.asarray(y).astype(t) if not weak(y) else t.type(y)
        if weak(x) or weak(y):
            op(x, y)  # for its errors
        first = (a >= b) if op in (np.maximum, np.fmax) else (a <= b)
        first |= np.isnan(a) if nan_wins else np.isnan(b)
        got = np.where(first, a, b)[()]
        assert np.array_equal(got, op(a, b), equal_nan=t.kind in "fc"), (op, a, b)
        return got
    return f


maximum, minimum = choose(np.maximum, True), choose(np.minimum, True)


def clip(x, low=None, high=None):
    given = [v for v in (x, low, high) if v is not None]
    t = common(*given)
    for v in given:
        if weak(v):
            np.add(np.zeros(1, t), v) if t.kind != "b" else None
    x = np.asarray(x).astype(t)[()]
    if low is not None:
        x = maximum(x, np.asarray(low).astype(t)[()])
    if high is not None:
        x = minimum(x, np.asarray(high).astype(t)[()])
    return x


def where(c, x, y):
    t = common(x, y)
    for v in (x, y):
        if weak(v) and t.kind in "iu":
            np.add(np.zeros(1, t), v)
    return np.where(c, np.asarray(x).astype(t), np.asarray(y).astype(t))[()]


def plain(x):
    """No NaN, whose sign is open."""
    if np.any(np.isnan(np.asarray(x))):
        raise Skip
    return x


def cast(dtype):
    dtype = np.dtype(dtype)

    def f(x):
        a = np.asarray(x)
        if dtype.kind in "iu" and a.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                r = np.trunc(a.real.astype(np.float64))
            info = np.iinfo(dtype)
            if not np.all((r >= float(info.min)) & (r < float(info.max))):
                raise Skip
        if weak(x) and type(x) is int and dtype.kind in "iu":
            return dtype.type(x)
        return a.astype(dtype)[()]
    return f


def shifted(padded, halo, by, shape):
    return padded[tuple(slice(h[0] + s, h[0] + s + n) for h, s, n in zip(halo, by, shape))]


def rounded(x, d):
    a = np.asarray(x)
    if a.dtype.kind == "b":
        raise Skip
    if a.dtype.kind in "iu" and d < 0:
        info = np.iinfo(a.dtype)
        if np.any(np.abs(a.astype(float)) >= float(info.max) - 10):
            raise Skip  # the result may not fit, and NumPy wraps
    return np.round(x, d)


def real_only(f):
    def g(x):
        if is_complex(x):
            raise Skip
        return f(x)
    return g


UNARY = {
    "-{}": np.negative, "+{}": np.positive, "~{}": np.invert,
    "abs({})": real_only(np.absolute), "sign({})": real_only(np.sign),
    "sqrt({})": real_only(floating(np.sqrt)),
    "square({})": square, "reciprocal({})": reciprocal, "conj({})": np.conj, "real({})": np.real,
    "imag({})": np.imag, "floor({})": np.floor, "ceil({})": np.ceil, "trunc({})": np.trunc,
    "rint({})": floating(np.rint), "isnan({})": np.isnan, "isinf({})": np.isinf,
    "isfinite({})": np.isfinite, "logical_not({})": np.logical_not,
    "signbit({})": lambda x: np.signbit(plain(x)), "round({})": lambda x: rounded(x, 0),
    "round({}, 1)": lambda x: rounded(x, 1), "round({}, -1)": lambda x: rounded(x, -1),
    "spacing({})": floating(np.spacing),
}
for name in TYPES:
    UNARY[name + "({})"] = cast(name)

BINARY = {
    "{} + {}": np.add, "{} - {}": np.subtract, "{} * {}": multiply, "{} / {}": divide,
    "{} // {}": np.floor_divide, "{} % {}": np.remainder, "fmod({}, {})": np.fmod,
    "{} ** {}": power, "{} < {}": np.less, "{} <= {}": np.less_equal, "{} == {}": np.equal,
    "{} != {}": np.not_equal, "{} > {}": np.greater, "{} >= {}": np.greater_equal,
    "{} & {}": np.bitwise_and, "{} | {}": np.bitwise_or, "{} ^ {}": np.bitwise_xor,
    "{} << {}": np.left_shift, "{} >> {}": np.right_shift, "maximum({}, {})": maximum,
    "minimum({}, {})": minimum, "fmax({}, {})": choose(np.fmax, False),
    "fmin({}, {})": choose(np.fmin, False), "logical_and({}, {})": np.logical_and,
    "logical_or({}, {})": np.logical_or, "logical_xor({}, {})": np.logical_xor,
    "gcd({}, {})": np.gcd, "lcm({}, {})": np.lcm,
    "copysign({}, {})": lambda x, y: floating(np.copysign)(plain(x), plain(y)),
    "nextafter({}, {})": floating(np.nextafter), "heaviside({}, {})": floating(np.heaviside),
}
TERNARY = {
    "where({}, {}, {})": where, "clip({}, {}, {})": clip,
}

FUNCTIONS = ("exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan "
             "sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg").split()
FUNCTIONS_2 = "arctan2 hypot logaddexp logaddexp2 float_power".split()


# ---- programs ----------------------------------------------------------------------------------

EXTREMES = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 1.5, 2.5, 1e300, 1e-300, 1e-310,
            3e38]
NUMBERS = ["2", "3", "0", "1", "7", "255", "0.5", "1.5", "2.0", "1e3", "2j", "True", "0x10"]


def values(rng, dtype, shape):
    dtype = np.dtype(dtype)
    n = int(np.prod(shape))
    if dtype.kind == "b":
        a = np.array([rng.random() < 0.5 for _ in range(n)], bool)
    elif dtype.kind in "iu":
        info = np.iinfo(dtype)
        pick = [info.min, info.max, 0, 1, 2, 3, info.max - 1, info.min + 1]
        a = np.array([rng.choice(pick) if rng.random() < 0.2 else
                      rng.randint(max(info.min, -9), 9) if rng.random() < 0.7 else
                      rng.randint(int(info.min), int(info.max)) for _ in range(n)], dtype)
    else:
        def one():
            r = rng.random()
            if r < 0.15:
                return rng.choice(EXTREMES)
            if r < 0.6:
                return rng.randint(-20, 20) / rng.choice([1, 2, 4, 3])
            return rng.uniform(-1, 1) * 10.0 ** rng.randint(-8, 8)
        with np.errstate(all="ignore"):
            if dtype.kind == "c":
                re, im = (np.array([one() for _ in range(n)]) for _ in range(2))
                a = np.asarray(parts(dtype, re, im)).reshape(n)
            else:
                a = np.array([one() for _ in range(n)]).astype(dtype)
    return a.reshape(shape)


MODES = ["wrap", "constant", "edge", "symmetric", "reflect"]


class Refused:
    """What stands for the value of something that is an error.  Of several errors in one text
    either may be reported, so their kinds do not matter here."""


def apply(f, *xs):
    """A function of values, unless one of them is an error already."""
    if any(isinstance(x, Refused) for x in xs):
        return Refused()
    try:
        return f(*xs)
    except (TypeError, OverflowError, ValueError):
        return Refused()


class Program:
    def __init__(self, rng):
        self.rng = rng
        d = rng.choice([1, 1, 2, 2, 3])
        self.shape = tuple(rng.choice([1, 2, 3, 4, 5, 7, 9]) for _ in range(d))
        self.split = rng.randint(0, 2 ** d - 1)
        self.halo = [(rng.randint(0, 2), rng.randint(0, 2)) for _ in range(d)]
        self.mode = [rng.choice(MODES) for _ in range(d)]
        self.args = []
        self.names = {}
        for name in "abcd"[:rng.randint(1, 4)]:
            dtype = rng.choice(TYPES)
            self.add(name, "array", values(rng, dtype, self.shape))
        for name in "kmn"[:rng.randint(0, 3)]:
            kind = rng.randint(0, 3)
            v = [rng.random() < 0.5, rng.choice([0, 1, 2, 3, -1, 7, 100, 300, -40000, 2 ** 40]),
                 rng.choice([0.5, 2.0, -1.25, 1e40, 3.0]),
                 complex(rng.randint(-3, 3), rng.randint(-2, 2))][kind]
            self.add(name, "weak", v)
        if rng.random() < 0.3:
            self.add("t", "typed", values(rng, rng.choice(TYPES), ())[()])
        if rng.random() < 0.3:
            shape = self.shape[rng.randint(0, d):]
            shape = tuple(1 if rng.random() < 0.3 else n for n in shape)
            self.add("g", "global", values(rng, rng.choice(TYPES), shape))

    def add(self, name, kind, value):
        self.args.append((name, kind, value))
        self.names[name] = (kind, value)

    def padded(self, a):
        for axis, (halo, mode) in enumerate(zip(self.halo, self.mode)):
            width = [(0, 0)] * a.ndim
            width[axis] = halo
            if mode == "constant":
                a = np.pad(a, width, mode=mode, constant_values=a.dtype.type(1))
            elif mode == "reflect" and self.shape[axis] == 1:
                a = np.pad(a, width, mode="edge")
            else:
                a = np.pad(a, width, mode=mode)
        return a

    def leaf(self):
        rng = self.rng
        r = rng.random()
        if r < 0.1:
            axis = rng.randrange(len(self.shape))
            shape = [1] * len(self.shape)
            shape[axis] = self.shape[axis]
            index = np.arange(self.shape[axis]).reshape(shape)
            return "i%d" % axis, np.broadcast_to(index, self.shape)
        if r < 0.25:
            number = rng.choice(NUMBERS)
            return number, eval(number)
        name, kind, value = rng.choice(self.args)
        if kind == "array" and rng.random() < 0.25:
            by = [rng.randint(-lo, hi) for lo, hi in self.halo]
            return "%s[%s]" % (name, ", ".join(map(str, by))), \
                shifted(self.padded(value), self.halo, by, self.shape)
        return name, value

    def chain(self, depth):
        """A sum of many terms, some with factors."""
        rng = self.rng
        text, value = "", None
        for k in range(rng.randint(2, 12)):
            t, v = self.tree(depth)
            if rng.random() < 0.5:
                u, w = self.tree(0)
                t, v = "(%s) * (%s)" % (t, u), apply(multiply, v, w)
            else:
                t = "(%s)" % t
            if k == 0:
                text, value = t, v
                continue
            if weak(v) and weak(value):
                raise Skip
            sign = rng.choice("+-")
            text = "%s %s %s" % (text, sign, t)
            value = apply(np.add if sign == "+" else np.subtract, value, v)
        return text, value

    def tree(self, depth):
        """A text and its value; operands are in parentheses where they have to."""
        rng = self.rng
        if depth > 1 and rng.random() < 0.15:
            return self.chain(rng.randint(0, 1))
        if depth == 0 or rng.random() < 0.1:
            return self.leaf()
        r = rng.random()
        table = UNARY if r < 0.25 else BINARY if r < 0.9 else TERNARY
        form = rng.choice(sorted(table))
        count = form.count("{}")
        operands = [self.tree(depth - 1) for _ in range(count)]
        if all(weak(v) for _, v in operands):
            raise Skip
        call = "(" in form
        texts = [t if call or t.isidentifier() else "(" + t + ")" for t, _ in operands]
        if weak(operands[0][1]) and form.startswith("where"):
            raise Skip
        return form.format(*texts), apply(table[form], *[v for _, v in operands])


def hexed(a):
    data = np.ascontiguousarray(a).tobytes()
    return data.hex() or "-"


def describe(name, kind, value):
    if kind == "weak":
        text = {bool: "b %d", int: "i %d", float: "f %s", complex: "c %s %s"}[type(value)]
        if type(value) is float:
            return "arg %s weak %s" % (name, text % value.hex())
        if type(value) is complex:
            return "arg %s weak %s" % (name, text % (value.real.hex(), value.imag.hex()))
        return "arg %s weak %s" % (name, text % value)
    a = np.asarray(value)
    return "arg %s %s %s %d %s %s" % (name, kind, a.dtype.name, a.ndim,
                                      " ".join(map(str, a.shape)), hexed(a))


KINDS = "buifc"


def expected(program, value, out):
    """The result as it must be found in an array, or the kind of error."""
    if out is None:
        a = np.asarray(value)
        if weak(value) and type(value) is int:
            a = a.astype(np.int64)
        return np.broadcast_to(a, program.shape)
    if KINDS.index(np.asarray(value).dtype.kind) > KINDS.index(out.dtype.kind):
        return "TYPE"
    with np.errstate(all="ignore"):
        return np.broadcast_to(np.asarray(value).astype(out.dtype), program.shape)


def reference(f, xs):
    """A function in more digits, rounded; and how far NumPy is from that, in steps."""
    xs = lifted(*xs)
    got = np.asarray(f(*xs))
    wide = {np.dtype(np.float32): np.float64, np.dtype(np.float64): np.longdouble}.get(got.dtype)
    if wide is None:
        raise Skip
    more = [x if weak(x) else np.asarray(x).astype(got.dtype).astype(wide) for x in xs]
    more = [wide(got.dtype.type(x)) if weak(x) else x for x in more]
    right = np.asarray(f(*more)).astype(got.dtype)
    steps = ordered(got) - ordered(right)
    same = np.isnan(got) & np.isnan(right)
    far = max([0] + [abs(int(s)) for s, e in zip(np.ravel(steps), np.ravel(same)) if not e])
    return right, max(1, min(far, 4))


def ordered(a):
    i = np.ascontiguousarray(a).view(np.int32 if a.dtype == np.float32 else np.int64)
    return np.array([int(v) if v >= 0 else -(int(v) & (2 ** (8 * a.dtype.itemsize - 1) - 1))
                     for v in np.ravel(i)], dtype=object).reshape(a.shape)


def function(p):
    """A function that is not exact, of simple operands."""
    rng = p.rng
    name = rng.choice(FUNCTIONS + FUNCTIONS_2)
    operands = [p.tree(rng.randint(0, 2)) for _ in range(2 if name in FUNCTIONS_2 else 1)]
    xs = [v for _, v in operands]
    if any(isinstance(x, Refused) or is_complex(x) for x in xs) or all(weak(x) for x in xs):
        raise Skip
    if name == "float_power":
        xs = [np.asarray(x).astype(np.float64) for x in xs]
    text = "%s(%s)" % (name, ", ".join(t for t, _ in operands))
    return (text, *reference(getattr(np, name), xs))


def is_bool(value):
    return not isinstance(value, Refused) and not weak(value) and np.asarray(value).dtype == bool


def make(rng):
    p = Program(rng)
    steps, out, mask = 0, None, None
    if rng.random() < 0.3:
        text, value, steps = function(p)
    else:
        text, value = p.tree(rng.randint(1, 6))
        if weak(value):
            raise Skip
        if rng.random() < 0.35:
            out = values(rng, rng.choice(TYPES), p.shape)
        if out is not None and rng.random() < 0.4:
            mask = p.tree(rng.randint(1, 3))
            if not is_bool(mask[1]):
                raise Skip
    used = re.findall(r"[a-z]\w*", text)
    if out is None and not any(kind == "array" and name in used for name, kind, _ in p.args):
        raise Skip
    result = "ANY" if isinstance(value, Refused) else expected(p, value, out)
    if mask is not None and not isinstance(result, str):
        result = np.where(np.broadcast_to(mask[1], p.shape), result, out).astype(out.dtype)
    return lines_of(p, text, result, steps, out, mask)


def lines_of(p, text, result, steps, out, mask):
    halos = " ".join("%d %d %s" % (*h, m) for h, m in zip(p.halo, p.mode))
    lines = ["program %d %s" % (len(p.shape), " ".join(map(str, p.shape))),
             "layout %d %s" % (p.split, halos)]
    lines += [describe(*a) for a in p.args]
    if out is not None:
        lines.append("out %s %s" % (out.dtype.name, hexed(out)))
    if mask is not None:
        lines.append("mask " + mask[0])
    lines.append("text " + text)
    if isinstance(result, str):
        lines.append("fails " + result)
    else:
        lines.append("gives %s %d %s" % (result.dtype.name, steps, hexed(result)))
    return lines


def main():
    count, seed, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    done = 0
    with open(path, "w", encoding="ascii") as file:
        while done < count:
            try:
                lines = make(rng)
            except Skip:
                continue
            file.write("\n".join(lines) + "\n")
            done += 1


if __name__ == "__main__":
    main()
