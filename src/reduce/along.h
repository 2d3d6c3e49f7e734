/* Reductions along axes: what a call says, and what all calls share. */
#ifndef TSRI_REDUCE_ALONG_H
#define TSRI_REDUCE_ALONG_H

#include "reduce/frame.h"
#include "reduce/whole.h"

/* What differs between reductions along axes. */
typedef struct tsri_along tsri_along;
struct tsri_along {
    tsri_share_type type; /* of shares */
    tsr_dtype operand;    /* what elements are converted to first */
    tsr_dtype dtype;      /* of the result */
    void (*fold)(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares);
    /* Make the values of the result, in the plane whose number is returned; NULL: in the first. */
    int (*finish)(const tsri_frame *frame, const tsri_along *along, tsri_shares *shares);
    const tsri_whole *whole; /* NULL, or what gives the value when all axes are reduced */
    tsr_reduce_options options;
    bool root; /* of variances */
    bool max;  /* positions */
};

/* A public call: what it reduces, over axes or one axis, and what it does. */
typedef struct tsri_axes_call tsri_axes_call;
struct tsri_axes_call {
    const char *name;
    tsri_operands operands;
    bool one_axis;
    int axis;
    tsr_axes axes;
    const tsr_reduce_options *options;
    bool typed;       /* takes a type as an option */
    const void *kind; /* for describe() */
    /* Check what is special, and say how to reduce; the options are checked. */
    tsr_status (*describe)(const tsri_axes_call *call, const tsri_frame *frame,
                           const tsr_reduce_options *options, tsri_along *along);
};
/* Collective over the context; agrees. */
tsr_status tsri_reduce_axes(const tsri_axes_call *call, tsr_array **result);

#endif
