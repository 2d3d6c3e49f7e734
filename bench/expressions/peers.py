"""NumPy (with out=) and numexpr (one thread) on the cases of bench/expressions.c.

Reads commands, one a line, and answers each with a line of one number:

    type float64 0      the element type of the next case
    case exp 1000       make the operands of a case; a stencil's number is the side of its cube
    sum numpy 7         compute it and add up every 7th value
    time numexpr 20     the seconds of 20 runs
"""

import sys
import time

import numexpr
import numpy as np

numexpr.set_num_threads(1)

WEIGHT_7 = [0.4, 0.1]
WEIGHT_27 = [0.4, 0.05, 0.02, 0.0075]


def pattern(first, count, dtype):
    """The values of an operand: those of bench/expressions.c."""
    i = np.arange(count, dtype=np.int64)
    return (((37 * i + first) % 1000) / 500 + 0.001).astype(dtype)


class Flat:
    """Expressions over lines."""

    texts = {
        "arithmetic": "2*a + b*d",
        "sine": "2*a + sin(a)",
        "exp": "exp(a)",
        "log": "log(a)",
        "where": "where(a > 0, sqrt(a), -a)",
    }

    def __init__(self, name, count, dtype):
        self.name = name
        self.a = pattern(0, count, dtype)
        if name == "where":
            self.a -= dtype.type(1)
        self.names = {"a": self.a}
        if name == "arithmetic":
            self.b = self.names["b"] = pattern(11, count, dtype)
            self.d = self.names["d"] = pattern(22, count, dtype)
        self.out = np.empty_like(self.a)
        self.more = np.empty_like(self.a)
        self.mask = np.empty(count, bool)

    def numpy(self):
        a, out, more = self.a, self.out, self.more
        if self.name == "arithmetic":
            np.multiply(a, 2, out=out)
            np.multiply(self.b, self.d, out=more)
            np.add(out, more, out=out)
        elif self.name == "sine":
            np.multiply(a, 2, out=out)
            np.sin(a, out=more)
            np.add(out, more, out=out)
        elif self.name == "where":
            np.greater(a, 0, out=self.mask)
            np.negative(a, out=out)
            with np.errstate(invalid="ignore"):
                np.sqrt(a, out=more)
            np.copyto(out, more, where=self.mask)
        else:
            getattr(np, self.name)(a, out=out)

    def numexpr(self):
        numexpr.evaluate(self.texts[self.name], self.names, out=self.out, casting="same_kind")

    def result(self):
        return self.out


class Stencil:
    """Stencils over cubes with one cell around them."""

    def __init__(self, name, side, dtype):
        self.weights = [dtype.type(w) for w in (WEIGHT_7 if name == "stencil_7" else WEIGHT_27)]
        padded = side + 2
        u = pattern(0, padded**3, dtype).reshape(padded, padded, padded)
        self.rings = [[] for _ in self.weights]
        for n in range(27):
            shift = [n // 9 - 1, n // 3 % 3 - 1, n % 3 - 1]
            away = sum(s != 0 for s in shift)
            if away < len(self.rings):
                view = u[tuple(slice(1 + s, 1 + s + side) for s in shift)]
                self.rings[away].append(view)
        self.out = np.empty((side,) * 3, dtype)
        self.more = np.empty((side,) * 3, dtype)
        self.names, terms = {}, []
        for away, ring in enumerate(self.rings):
            names = [f"x{away}_{k}" for k in range(len(ring))]
            self.names.update(zip(names, ring))
            self.names[f"w{away}"] = self.weights[away]
            terms.append(f"w{away}*({' + '.join(names)})")
        self.text = " + ".join(terms)

    def numpy(self):
        out, more = self.out, self.more
        np.multiply(self.rings[0][0], self.weights[0], out=out)
        for ring, weight in zip(self.rings[1:], self.weights[1:]):
            np.add(ring[0], ring[1], out=more)
            for view in ring[2:]:
                np.add(more, view, out=more)
            np.multiply(more, weight, out=more)
            np.add(out, more, out=out)

    def numexpr(self):
        numexpr.evaluate(self.text, self.names, out=self.out, casting="same_kind")

    def result(self):
        return self.out.reshape(-1)


def main():
    dtype, case = np.dtype(float), None
    print("ready", flush=True)
    for line in sys.stdin:
        verb, what, number = line.split()
        answer = 0.0
        if verb == "type":
            dtype = np.dtype(what)
        elif verb == "case":
            case = None
            case = (Stencil if what.startswith("stencil") else Flat)(what, int(number), dtype)
        else:
            run = getattr(case, what)
            run()
            if verb == "sum":
                answer = float(case.result()[:: int(number)].sum(dtype=float))
            else:
                run()
                start = time.perf_counter()
                for _ in range(int(number)):
                    run()
                answer = time.perf_counter() - start
        print(repr(answer), flush=True)


if __name__ == "__main__":
    main()
