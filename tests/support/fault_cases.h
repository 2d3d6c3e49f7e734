/* The collective calls whose faults are tried, each with what it needs. */
#ifndef TESTS_FAULT_CASES_H
#define TESTS_FAULT_CASES_H

#include "support/harness.h"

/* What every trial starts with: made anew, so that the call under test is a first use. */
typedef struct stage {
    tsr_layout *layout, *columns; /* of one shape */
    tsr_array *array, *second, *replicated;
    tsr_array *twos, *thirty, *mask; /* of 4 and 30 cells; of the shape of the others, by columns */
    tsr_shm *shm;                    /* of the cases that ask for it, with one array */
    tsr_shm_array *map;
    double buffer[30];
    char path[256];
} stage;

void stage_begin(stage *s);
void stage_end(stage *s);

typedef struct fault_case {
    const char *name;
    /* Make the call; its output is NULL on failure, and given up otherwise. */
    tsr_status (*call)(stage *s);
    void (*before)(stage *s);
    void (*after)(stage *s, tsr_status st);
    bool exchanges; /* ends with an exchange, which makes no agreement */
} fault_case;
extern const fault_case fault_cases[];
extern const int fault_case_count;

#endif
