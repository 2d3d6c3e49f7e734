"""Run the lines of a suite: RANKS [VARIABLE=VALUE...] PROGRAM [OPTION...]."""

import os
import pathlib
import re
import subprocess


class Run:
    def __init__(self, line):
        words = line.split()
        self.ranks = int(words.pop(0))
        self.variables = {}
        while "=" in words[0]:
            name, value = words.pop(0).split("=", 1)
            self.variables[name] = value
        self.program, self.options = words[0], words[1:]

    def __str__(self):
        variables = [f"{name}={value}" for name, value in self.variables.items()]
        return " ".join([*variables, self.program, *self.options, f"on {self.ranks}"])


def read(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return [Run(line) for line in lines if line.strip() and not line.startswith("#")]


class Build:
    """A folder that CMake has built with the programs in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        cache = (self.folder / "CMakeCache.txt").read_text(encoding="utf-8")
        self.mpiexec = re.search(r"^TESSERA_MPIEXEC:\w*=(.*)$", cache, re.M)[1]
        libraries = self.folder.glob("libtessera-*.so")
        self.flavour = next(libraries).stem.removeprefix("libtessera-")

    def launcher(self, ranks):
        """Unbound, since the programs pin themselves."""
        unbound = {"openmpi": ["--bind-to", "none", "--oversubscribe"],
                   "mpich": ["-bind-to", "none"]}
        return [self.mpiexec, *unbound.get(self.flavour, []), "-n", str(ranks)]

    def run(self, run, options=(), timeout=600):
        """None, or why it failed.  What it prints is for people."""
        environment = dict(os.environ, **run.variables, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        program = self.folder / "bench" / run.program
        words = [*self.launcher(run.ranks), str(program), *run.options, *map(str, options)]
        with subprocess.Popen(words, env=environment) as process:
            try:
                status = process.wait(timeout)
            except subprocess.TimeoutExpired:
                process.terminate()  # mpiexec ends the ranks
                return f"it took longer than {timeout} s"
        return None if status == 0 else f"it ended with status {status}"
