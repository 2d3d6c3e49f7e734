#!/usr/bin/env python3
"""Write tests/support/exact_products.h: sums of products, means and norms, correctly rounded.

The values are computed as exact fractions and rounded by integer arithmetic.

    tests/oracle/reduce_products.py | clang-format > tests/support/exact_products.h
"""
from fractions import Fraction
from math import isqrt
import random

from exact_sums import nearest


def cases():
    """(name, x, y) triples of lists of floats."""
    generate = random.Random(20261130)
    least, largest = float.fromhex("0x1p-1074"), float.fromhex("0x1.fffffffffffffp1023")
    yield "underflow", [1e-200, 1e-200], [1e-200, -3e-200]
    yield "underflow that counts", [1e-200] * 3 + [2.0**-537], [1e-200] * 3 + [2.0**-537]
    yield "overflow that cancels", [1e200, 1e200, 3.0], [1e200, -1e200, 4.0]
    yield "overflow", [1e200, 1.0], [1e200, 1.0]
    yield "minus overflow", [1e200, 1.0], [-1e200, 1.0]
    yield "largest squared and back", [largest, largest, least], [largest, -largest, 1.0]
    yield "least products", [least, least, 1.0], [least, -least, 2.0**-1074]
    yield "half of the least", [least], [0.5]
    yield "more than half of the least", [least, least], [0.5, least]
    yield "cancels to the rounding of a product", [1 + 2.0**-30, -1.0], [1 - 2.0**-30, 1.0]
    yield "far apart", [1e300, 1.0, -1e300], [1.0, 1.0, 1.0]
    yield "subnormal factors", [3 * least, 2.0**-1040, 7.5], [2.0**900, -(2.0**870), 2.0**-1000]
    yield "integers", [float(k) for k in range(1, 41)], [float(k * k) for k in range(1, 41)]
    yield "zeros", [0.0, -0.0, 0.0], [-1.0, 0.0, 5.0]
    for k, spread in enumerate([3, 40, 300, 500, 510, 1000]):
        x = [(generate.random() - 0.5) * 2.0 ** generate.randint(-spread, spread)
             for _ in range(24)]
        y = [(generate.random() - 0.5) * 2.0 ** generate.randint(-spread, spread)
             for _ in range(24)]
        x += [-a for a in x[: 4 * k]]
        y += y[: 4 * k]
        both = list(zip(x, y))
        generate.shuffle(both)
        yield f"random {k}", [a for a, _ in both], [b for _, b in both]


def root(exact):
    """The square root of a fraction, to far more bits than a double has."""
    shift = 4600
    return Fraction(isqrt((exact.numerator << 2 * shift) // exact.denominator), 1 << shift)


def main():
    table, x_values, y_values = [], [], []
    for name, x, y in cases():
        xs, ys = list(map(Fraction, x)), list(map(Fraction, y))
        dot = sum((a * b for a, b in zip(xs, ys)), Fraction(0))
        squares = sum((a * a for a in xs), Fraction(0))
        rounded = [nearest(v, 53, -1074, 1024)
                   for v in (dot, sum(xs, Fraction(0)) / len(x), root(squares))]
        table.append((name, len(x_values), len(x), *rounded))
        x_values += x
        y_values += y
    print("/* Sums of products, means and norms, correctly rounded.")
    print(" * Written by tests/oracle/reduce_products.py. */")
    print("#include <math.h>\n")
    for name, values in (("factor_x", x_values), ("factor_y", y_values)):
        print(f"static const double {name}[] = {{")
        for start in range(0, len(values), 3):
            print("    " + " ".join(f"{v.hex()}," for v in values[start : start + 3]))
        print("};\n")
    print("static const struct {")
    print("    const char *name;\n    int first, count;\n    double dot, mean, norm;")
    print("} exact_products[] = {")
    for name, first, count, dot, mean, norm in table:
        print(f'    {{"{name}", {first}, {count}, {dot}, {mean}, {norm}}},')
    print("};")


if __name__ == "__main__":
    main()
