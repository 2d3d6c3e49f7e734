/* The cells of a rank's block, given to the rank that writes them, a few megabytes at a time. */
#ifndef TSRI_IO_PASS_H
#define TSRI_IO_PASS_H

#include "array/array.h"
#include "io/boxes.h"

typedef struct tsri_pass {
    const tsr_array *array;
    int to;                /* who takes the cells; ranks are those of the array's context */
    unsigned char *buffer; /* of `bytes` bytes */
    size_t bytes;
    /* There: do something with the cells of a box, which lie in C order. */
    tsr_status (*take)(void *ctx, const tsri_box *box, void *cells);
    void *ctx;
    /* The first failure.  After one nothing is taken any more, but messages go on: others wait. */
    tsr_status st;
} tsri_pass;

/* How long a buffer is to be: no longer than a message. */
size_t tsri_pass_bytes(const tsri_context *context);
/* The block of a rank, as that rank and the one that takes it go through it; others have nothing to
 * do. */
void tsri_pass_block(tsri_pass *pass, int rank);

#endif
