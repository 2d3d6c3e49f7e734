# Everything here is CMake behind scripts/.  FLAVOUR=openmpi, mpich or serial chooses the MPI;
# without it, the one that mpicc belongs to, or none.

PREFIX ?= /usr/local
export FLAVOUR

build:
	scripts/build

demo:
	scripts/demo

check:
	scripts/check

check-long:
	scripts/check --long

bench:
	scripts/bench

bench-long:
	scripts/bench long

install: build
	scripts/install "$(PREFIX)"

clean:
	rm -rf build out

.PHONY: build demo check check-long bench bench-long install clean
