/* The n-th allocation, MPI call or file call failing on each rank in turn. */
#ifndef TESTS_FAULT_MATRIX_H
#define TESTS_FAULT_MATRIX_H

#include "support/fault_cases.h"

/* A test program: each case is a test. */
int fault_matrix_run(int argc, char **argv, const fault_case *cases, int count);

#endif
