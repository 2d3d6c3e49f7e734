"""Exact results of elementwise operations: from NumPy, and of functions from mpmath.

OPERATIONS and FUNCTIONS map a kernel's name to its number of operands, the types of the operands
and what computes it.  Where NumPy's own result depends on the machine, by its definition.
"""
import mpmath
import numpy as np

SIGNED = "int8 int16 int32 int64"
UNSIGNED = "uint8 uint16 uint32 uint64"
INTEGER = f"{SIGNED} {UNSIGNED}"
REAL = "float32 float64"
COMPLEX = "complex64 complex128"
NUMBER = f"{INTEGER} {REAL}"
ANY = f"bool {NUMBER} {COMPLEX}"


# ---- where NumPy's result depends on the machine -------------------------------------------------

def joined(re, im):
    z = np.empty(re.shape, np.result_type(re, np.complex64))
    z.real, z.imag = re, im
    return z


def multiply(a, b):
    """Of complex numbers with a rounding after each step; NumPy's fuses some where it can."""
    if a.dtype.kind != "c":
        return np.multiply(a, b)
    return joined(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


def sign(a):
    """Of complex numbers whose size overflows, by way of their halves."""
    if a.dtype.kind != "c":
        return np.sign(a)
    large = np.isinf(np.abs(a)) & np.isfinite(a)
    return np.where(large, np.sign(a * a.real.dtype.type(0.5)), np.sign(a))


def reciprocal(a):
    """Of the integer 0 the smallest value of the type."""
    if a.dtype.kind in "iu":
        return np.where(a == 0, np.iinfo(a.dtype).min, np.reciprocal(np.where(a == 0, a + 1, a)))
    return np.reciprocal(a)


def first_of(better):
    """Maximum and minimum: of equal ones, as 0 and -0 are, the first."""
    def extreme(a, b):
        return np.where(better(a, b) | np.isnan(a), a, b)
    return extreme


def first_number_of(better):
    def extreme(a, b):
        return np.where(better(a, b) | np.isnan(b), a, b)
    return extreme


def converted(values, target):
    """Reals to integers: truncated, limited to the range, 0 for NaN."""
    if values.dtype.kind == "c" and np.dtype(target).kind not in "cb":
        values = values.real
    if values.dtype.kind != "f" or np.dtype(target).kind not in "iu":
        return values.astype(target)
    info = np.iinfo(target)
    whole = [0 if np.isnan(v) else info.max if v > info.max else info.min if v < info.min
             else int(v) for v in values]
    return np.array(whole, target)


OPERATIONS = {
    "add": (2, ANY, np.add),
    "subtract": (2, f"{NUMBER} {COMPLEX}", np.subtract),
    "multiply": (2, ANY, multiply),
    "divide": (2, f"{REAL} {COMPLEX}", np.divide),
    "floor_divide": (2, NUMBER, np.floor_divide),
    "remainder": (2, NUMBER, np.remainder),
    "fmod": (2, NUMBER, np.fmod),
    "power": (2, INTEGER, np.power),
    "negative": (1, f"{NUMBER} {COMPLEX}", np.negative),
    "absolute": (1, f"{SIGNED} {REAL}", np.absolute),
    "square": (1, f"{NUMBER} {COMPLEX}", lambda a: multiply(a, a)),
    "reciprocal": (1, f"{NUMBER} {COMPLEX}", reciprocal),
    "sign": (1, f"{NUMBER} {COMPLEX}", sign),
    "conjugate": (1, COMPLEX, np.conjugate),
    "real": (1, COMPLEX, np.real),
    "imag": (1, ANY, np.imag),
    "maximum": (2, ANY, first_of(np.greater_equal)),
    "minimum": (2, ANY, first_of(np.less_equal)),
    "fmax": (2, ANY, first_number_of(np.greater_equal)),
    "fmin": (2, ANY, first_number_of(np.less_equal)),
    "less": (2, ANY, np.less),
    "less_equal": (2, ANY, np.less_equal),
    "equal": (2, ANY, np.equal),
    "not_equal": (2, ANY, np.not_equal),
    "greater": (2, ANY, np.greater),
    "greater_equal": (2, ANY, np.greater_equal),
    "bitwise_and": (2, f"bool {INTEGER}", np.bitwise_and),
    "bitwise_or": (2, f"bool {INTEGER}", np.bitwise_or),
    "bitwise_xor": (2, f"bool {INTEGER}", np.bitwise_xor),
    "invert": (1, f"bool {INTEGER}", np.invert),
    "left_shift": (2, INTEGER, np.left_shift),
    "right_shift": (2, INTEGER, np.right_shift),
    "logical_and": (2, "bool", np.logical_and),
    "logical_or": (2, "bool", np.logical_or),
    "logical_xor": (2, "bool", np.logical_xor),
    "logical_not": (1, "bool", np.logical_not),
    "gcd": (2, INTEGER, np.gcd),
    "lcm": (2, INTEGER, np.lcm),
    "isnan": (1, f"{REAL} {COMPLEX}", np.isnan),
    "isinf": (1, f"{REAL} {COMPLEX}", np.isinf),
    "isfinite": (1, f"{REAL} {COMPLEX}", np.isfinite),
    "signbit": (1, REAL, np.signbit),
    "floor": (1, REAL, np.floor),
    "ceil": (1, REAL, np.ceil),
    "trunc": (1, REAL, np.trunc),
    "rint": (1, f"{REAL} {COMPLEX}", np.rint),
    "copysign": (2, REAL, np.copysign),
    "nextafter": (2, REAL, np.nextafter),
    "spacing": (1, REAL, np.spacing),
    "heaviside": (2, REAL, np.heaviside),
    "sqrt": (1, REAL, np.sqrt),
}

BOTH = f"{REAL} {COMPLEX}"

FUNCTIONS = {
    "sqrt": (1, COMPLEX, mpmath.sqrt),
    "cbrt": (1, REAL, lambda x: mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x)),
    "exp": (1, BOTH, mpmath.exp),
    "exp2": (1, BOTH, lambda x: mpmath.power(2, x)),
    "expm1": (1, BOTH, mpmath.expm1),
    "log": (1, BOTH, mpmath.log),
    "log2": (1, BOTH, lambda x: mpmath.log(x) / mpmath.ln2),
    "log10": (1, BOTH, lambda x: mpmath.log(x) / mpmath.ln10),
    "log1p": (1, BOTH, mpmath.log1p),
    "sin": (1, BOTH, mpmath.sin),
    "cos": (1, BOTH, mpmath.cos),
    "tan": (1, BOTH, mpmath.tan),
    "arcsin": (1, BOTH, mpmath.asin),
    "arccos": (1, BOTH, mpmath.acos),
    "arctan": (1, BOTH, mpmath.atan),
    "sinh": (1, BOTH, mpmath.sinh),
    "cosh": (1, BOTH, mpmath.cosh),
    "tanh": (1, BOTH, mpmath.tanh),
    "arcsinh": (1, BOTH, mpmath.asinh),
    "arccosh": (1, BOTH, mpmath.acosh),
    "arctanh": (1, BOTH, mpmath.atanh),
    "absolute": (1, COMPLEX, abs),
    "arctan2": (2, REAL, mpmath.atan2),
    "hypot": (2, REAL, mpmath.hypot),
    "power": (2, BOTH, mpmath.power),
    "float_power": (2, "float64 complex128", mpmath.power),
    "logaddexp": (2, REAL, lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y))),
    "logaddexp2": (2, REAL,
                   lambda x, y: mpmath.log(mpmath.power(2, x) + mpmath.power(2, y)) / mpmath.ln2),
    "deg2rad": (1, REAL, lambda x: x * mpmath.pi / 180),
    "rad2deg": (1, REAL, lambda x: x * 180 / mpmath.pi),
}

# By how much complex functions magnify the rounding of what they exponentiate.
CONDITION = {
    "exp2": lambda z: z,
    "power": lambda a, b: b * np.log(a),
    "float_power": lambda a, b: b * np.log(a),
}
