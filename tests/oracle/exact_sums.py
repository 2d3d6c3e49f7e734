#!/usr/bin/env python3
"""Write tests/support/exact_sums.h: sums of doubles and floats, correctly rounded.

The values are computed as exact fractions and rounded by integer arithmetic, so nothing here
depends on how a floating-point unit adds.

    tests/oracle/exact_sums.py | clang-format > tests/support/exact_sums.h
"""
from fractions import Fraction
import random


def nearest(exact, precision, lowest_exponent, highest):
    """The hexadecimal literal of the number nearest to a fraction, halves to even."""
    sign = "-" if exact < 0 else ""
    exact = abs(exact)
    if exact == 0:
        return "0x0p+0"
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length() - precision
    while exact >= Fraction(2) ** (exponent + precision):
        exponent += 1
    exponent = max(exponent, lowest_exponent)
    scaled = exact / Fraction(2) ** exponent
    mantissa = scaled.numerator // scaled.denominator
    rest = scaled - mantissa
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and mantissa % 2):
        mantissa += 1
    if mantissa * Fraction(2) ** exponent >= Fraction(2) ** highest:
        return sign + "HUGE_VAL"
    return f"{sign}{mantissa:#x}p{exponent:+d}"


def cases():
    """(name, values) pairs; every value is a float, so a double."""
    generate = random.Random(20240229)
    largest, least = float.fromhex("0x1.fffffffffffffp1023"), float.fromhex("0x1p-1074")
    half = 2.0**-53
    yield "one", [1.0]
    yield "tie down to even", [1.0, half]
    yield "tie up to even", [1.0 + 2 * half, half]
    yield "just above a tie", [1.0, half, least]
    yield "just below a tie", [1.0 + 2 * half, half, -least]
    yield "minus, tie to even", [-1.0, -half]
    yield "minus, just beyond a tie", [-1.0, -half, -least]
    yield "cancels to zero", [1e300, 1e-300, -1e300, -1e-300]
    yield "cancels to the least", [1e300, least, -1e300]
    yield "small after large", [1e16, 1.0, -1e16, 1e-16]
    yield "subnormal", [least, least, 3 * least, 2.0**-1030]
    yield "subnormal to normal", [2.0**-1022 - least, least]
    yield "borrow over all chunks", [2.0**1000, -least]
    yield "minus, borrow over all chunks", [-(2.0**1000), least]
    yield "large inside, finite", [largest, largest, largest, -largest, -largest]
    yield "overflow", [largest, largest]
    yield "minus overflow", [-largest, -largest, 1.0]
    yield "halfway to overflow", [largest, 2.0**970]
    yield "just short of overflow", [largest, 2.0**970, -least]
    yield "largest", [largest, 2.0**969]
    yield "ones", [0.1] * 10
    yield "powers", [2.0**k for k in range(-300, 300, 37)]
    yield "signs", [(-1.0) ** k * 3.0**k for k in range(40)]
    for k in range(8):
        spread = [5, 60, 300, 1000, 60, 300, 1000, 1000][k]
        numbers = [
            (generate.random() - 0.5) * 2.0 ** generate.randint(-spread, spread)
            for _ in range(20)
        ]
        numbers += [-x * (1 + generate.randint(0, 1) * 2.0**-50) for x in numbers[: 3 * k]]
        generate.shuffle(numbers)
        yield f"random {k}", numbers


def main():
    table, values = [], []
    for name, numbers in cases():
        exact = sum(map(Fraction, numbers), Fraction(0))
        table.append((name, len(values), len(numbers), nearest(exact, 53, -1074, 1024),
                      nearest(exact, 24, -149, 128)))
        values += numbers
    print("/* Sums of doubles, rounded correctly to double and to float.")
    print(" * Written by tests/oracle/exact_sums.py. */")
    print("#include <math.h>\n")
    print("static const double exact_values[] = {")
    for start in range(0, len(values), 3):
        print("    " + " ".join(f"{x.hex()}," for x in values[start : start + 3]))
    print("};\n")
    print("static const struct {")
    print("    const char *name;\n    int first, count;\n    double f64;\n    float f32;")
    print("} exact_sums[] = {")
    for name, first, count, f64, f32 in table:
        f32 = f32.replace("HUGE_VAL", "HUGE_VALF") if "HUGE" in f32 else f32 + "f"
        print(f'    {{"{name}", {first}, {count}, {f64}, {f32}}},')
    print("};")


if __name__ == "__main__":
    main()
