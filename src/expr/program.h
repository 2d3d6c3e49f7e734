/* A program: the steps that compute a form, one block of cells after the other.
 *
 * Steps work on slots.  A slot is a pointer to a block: first those of the form's leaves, then
 * those of its constants (values that do not vary, filled once for a run), then registers, last the
 * output. */
#ifndef TSRI_EXPR_PROGRAM_H
#define TSRI_EXPR_PROGRAM_H

#include "array/array.h"
#include "expr/form.h"
#include "move/reach.h"

#include <tessera/move.h>

enum { TSRI_UNKNOWN = -1 };

/* One operation, or a conversion, on a block. */
typedef struct tsri_step {
    tsri_vector *apply; /* NULL: a conversion */
    tsri_vector_conversion *convert;
    int parts; /* elements that `apply` sees for each cell */
    int operands;
    int out;
    int in[TSRI_VECTOR_OPERANDS];
} tsri_step;

/* The steps of one value. */
typedef struct tsri_code {
    tsri_step *step;
    int steps;
    int result;  /* the slot where it is at the end: the output, or a leaf or a constant itself */
    size_t size; /* of its elements */
    int *leaf;   /* [leaves]: those that are read */
    int leaves;
} tsri_code;

/* A leaf, or the output, at a cell, and the way to the next ones. */
typedef struct tsri_cursor {
    unsigned char *at; /* of an index NULL */
    int64_t index;
    int64_t stride[TSR_MAX_NDIM]; /* in elements; of an index how it grows */
    size_t size;
} tsri_cursor;

/* An array argument that is read beyond the block. */
typedef struct tsri_shifted {
    int arg;
    tsri_reach reach;
} tsri_shifted;

typedef struct tsri_program {
    char *text;
    tsri_form form;
    tsri_code main;
    tsri_code *check; /* of exponents that must not be negative */
    int checks;
    int *constant; /* [constants]: the values */
    int constants, registers, slots;
    int64_t block; /* cells */
    int *scalar;   /* [scalars]: values that depend on scalar arguments */
    int scalars;
    bool agrees; /* a scalar argument may be an exponent that is not allowed, on one rank alone */
    tsri_shifted *shifted;
    int shifts;

    /* What runs work in. */
    size_t *slot_size; /* [slots]: of an element, at most */
    unsigned char *scratch;
    unsigned char **room; /* [slots]: the slot's own block in it */
    const void **slot;
    tsri_cursor *home, *cursor; /* [leaves + 1], the output last: at the first cell of the block,
                                   and as a sweep goes */
    int64_t **stride;           /* [leaves + 1]: of the cursors */
    ptrdiff_t *row_bytes;       /* [leaves]: from a row to the next, of those that are read */
    int64_t filled;             /* cells of constants' blocks that hold them; TSRI_UNKNOWN: scalars
                                   are to be found first */
    bool rolling;               /* the output is among what is read beyond the block: */
    unsigned char *slabs;       /* two slabs of it are kept back */
    int64_t slab_rows;
    struct tsr_array **exchanged; /* [shifts]: the arrays among them, each once, */
    tsri_reach *reach;            /* and what is read of it */
    struct tsr_pending *pending;
} tsri_program;

/* Make the program of an expression over arrays like `like`, to be written into an array or (NULL)
 * a new one.  Local; tsri_program_free() takes NULL. */
tsr_status tsri_program_make(const tsri_setting *setting, const tsri_tree *tree,
                             const tsri_tree *mask, const tsr_array *like, const tsr_array *into,
                             tsri_program **program);
void tsri_program_free(tsri_program *program);

/* The steps of a program whose form is made: lower.c. */
tsr_status tsri_program_lower(const tsri_setting *setting, tsri_program *program);

static inline int tsri_output_slot(const tsri_program *program)
{
    return program->slots - 1;
}

#endif
