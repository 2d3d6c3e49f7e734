/* Building a form: values are added one by one, each with the conversions that its operands need.
 */
#ifndef TSRI_EXPR_BUILD_H
#define TSRI_EXPR_BUILD_H

#include "expr/form.h"

typedef struct tsri_builder {
    const tsri_setting *setting;
    const char *text; /* being worked on */
    int column;       /* what failures and new values name */
    tsri_form *form;
} tsri_builder;

/* A failure at the place being worked on; needs a `b` in scope. */
#define TSRI_BUILD_FAIL(code, ...)                                                                 \
    TSRI_FAIL_AT(b->setting->call, (code), b->text, b->column, __VA_ARGS__)

const tsri_value *tsri_built(const tsri_builder *b, int value);

/* Each gives the number of a value, which may be one that was there before. */
tsr_status tsri_build_number(tsri_builder *b, tsr_scalar number, bool weak, int *value);
tsr_status tsri_build_arg(tsri_builder *b, int arg, tsr_dtype dtype, bool weak, int *value);
tsr_status tsri_build_leaf(tsri_builder *b, const tsri_leaf *leaf, int *value);
/* Another type; the value itself when it has the type already. */
tsr_status tsri_build_convert(tsri_builder *b, int value, tsr_dtype dtype, int *out);
/* An operation on operands of its working type. */
tsr_status tsri_build_raw(tsri_builder *b, int op, const int *in, tsr_dtype dtype, bool parts,
                          int *out);
/* An operation on any operands: types are promoted, and the result is typed, unless it is an
 * operator between weak values. */
tsr_status tsri_build_apply(tsri_builder *b, int op, bool is_operator, const int *in, int *out);
/* Short forms for operators. */
tsr_status tsri_build_2(tsri_builder *b, int op, int x, int y, int *out);
tsr_status tsri_build_1(tsri_builder *b, int op, int x, int *out);
/* The type to which values promote together. */
tsr_dtype tsri_build_promoted(const tsri_builder *b, int count, const int *in);

/* Comparisons of integers that have no type in common: `settled` says whether this is one. */
tsr_status tsri_build_comparison(tsri_builder *b, int op, const int *in, int *out, bool *settled);

/* clip, round, isclose, angle: `in` as the parameters of the call, TSRI_NO_VALUE when missing. */
tsr_status tsri_build_function(tsri_builder *b, int function, const int *in, int *out);

#endif
