/* The steps that the random programs of node_programs.c are made of. */
#ifndef TSRT_SUPPORT_NODE_STEPS_H
#define TSRT_SUPPORT_NODE_STEPS_H

#include "support/harness.h"

enum { NODE_STEPS = 14 };

/* A program, and what it did. */
typedef struct node_program {
    bool shared;
    uint64_t seed; /* draws the same in both runs */
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
    tsr_dtype dtype;
    tsr_layout *layout, *cut; /* the arrays', and a distributed one */
    tsr_array *a, *b;
    unsigned char *log;
    size_t bytes, room;
    const char *step[NODE_STEPS]; /* made so far, and where their bytes end */
    size_t end[NODE_STEPS];
} node_program;

/* Draws the same in both runs: 0 .. limit-1. */
int node_draw(node_program *p, int limit);
/* Note every cell of an array's storage. */
void node_note(node_program *p, const tsr_array *array);

/* The kinds of steps, numbered from 0. */
int node_step_kinds(void);
const char *node_step_name(int kind);
void node_step_run(int kind, node_program *p);

#endif
