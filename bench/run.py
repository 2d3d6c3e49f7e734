#!/usr/bin/env python3
"""Run a suite, or one program, with every build given, and print the tables.

Samples go to OUT/FLAVOUR.jsonl; those of the run before are kept as OUT/FLAVOUR.before.jsonl.
"""

import argparse
import pathlib
import sys

import report
import suite


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, help="folder of the samples; none: no tables")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each line on each build")
    parser.add_argument("--ranks", type=int, default=2, help="of a program named here")
    parser.add_argument("--timeout", type=float, default=600, help="seconds a run may take")
    parser.add_argument("--left-out", default="", help="lines that say what is not measured")
    parser.add_argument("builds", help="folders, with commas")
    parser.add_argument("what", help="a suite of bench/suites, or a program")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of the program")
    return parser.parse_args()


def runs_of(arguments):
    path = pathlib.Path(__file__).parent / "suites" / arguments.what
    if path.exists():
        return suite.read(path)
    return [suite.Run(" ".join([str(arguments.ranks), arguments.what, *arguments.options]))]


def main():
    arguments = parse()
    builds = [suite.Build(folder) for folder in arguments.builds.split(",")]
    left_out = [line for line in arguments.left_out.splitlines() if line]
    files = {}
    for build in builds if arguments.out else []:
        files[build.flavour] = path = arguments.out.resolve() / f"{build.flavour}.jsonl"
        if path.exists():
            path.replace(path.with_suffix(".before.jsonl"))
    for _ in range(arguments.repeat):
        for run in runs_of(arguments):
            for build in builds:
                options = ["--json", files[build.flavour]] if files else []
                failure = build.run(run, options, arguments.timeout)
                if failure:
                    left_out.append(f"{build.flavour}: {run}: {failure}")
    if files:
        report.write([path for path in files.values() if path.exists()])
    if left_out:
        print("Left out:", *left_out, sep="\n- ")
    failed = any(": it " in line for line in left_out)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
