/* A checked expression: every value with its type. */
#ifndef TSRI_EXPR_FORM_H
#define TSRI_EXPR_FORM_H

#include "expr/syntax.h"
#include "layout/geometry.h"

#include <tessera/expr.h>

/* ---- where cells come from ------------------------------------------------------------------- */

typedef enum tsri_leaf_kind {
    TSRI_LEAF_ARRAY,
    TSRI_LEAF_GLOBAL,
    TSRI_LEAF_STORAGE,
    TSRI_LEAF_INDEX, /* global indices along an axis */
    TSRI_LEAF_OUTPUT /* what the output held before */
} tsri_leaf_kind;

typedef struct tsri_leaf {
    tsri_leaf_kind kind;
    int arg;  /* array, global, storage */
    int axis; /* index */
    tsr_dtype dtype;
    int column;
    bool shifted;
    int64_t shift[TSR_MAX_NDIM]; /* array: cells from the one computed to the one read */
} tsri_leaf;

/* ---- values ---------------------------------------------------------------------------------- */

typedef enum tsri_value_kind {
    TSRI_VALUE_NUMBER,  /* in the text, or computed from such */
    TSRI_VALUE_ARG,     /* a scalar argument */
    TSRI_VALUE_LEAF,    /* cells */
    TSRI_VALUE_APPLY,   /* an operation; its operands are of its working type */
    TSRI_VALUE_CONVERT, /* to another type */
} tsri_value_kind;

/* A weak value is a number without a type of its own, of bool, i64 or u64, f64, or c128; operations
 * on weak values are Python's. */
typedef struct tsri_value {
    tsri_value_kind kind;
    tsr_dtype dtype;
    bool weak;
    bool varies; /* from cell to cell */
    bool parts;  /* apply: to the parts of complex elements, twice as many */
    int op;
    int in[TSRI_VECTOR_OPERANDS]; /* operands; TSRI_NO_VALUE after the last */
    int item;                     /* arg: its number; leaf: its number */
    int column;
    tsr_scalar number; /* of a value that does not vary, once known */
    /* Linear combinations: what each term is multiplied by, TSRI_NO_VALUE for 1, and bit k: whether
     * term k is subtracted; STAR_n has those of the sum as its second. */
    int factor[TSRI_VECTOR_OPERANDS];
    unsigned minus;
} tsri_value;
enum { TSRI_NO_VALUE = -1, TSRI_MAX_VALUES = 16384 };

/* The type in which an operation works: its operands', but for the condition of WHERE; to the parts
 * of complex elements, that of the parts. */
tsr_dtype tsri_value_working(const tsri_value *values, const tsri_value *apply);

/* Values come after those that they are made of. */
typedef struct tsri_form {
    tsri_value *value;
    int count, room;
    tsri_leaf *leaf;
    int leaves, leaf_room;
    int *exponent; /* of integers to a power: what must not be negative */
    int exponents, exponent_room;
    int root;
    tsr_dtype dtype; /* of the result */
    int first_array; /* the argument that is the first array of the text, -1: there is none */
} tsri_form;

/* What an expression is checked against. */
typedef struct tsri_setting {
    const char *call; /* the public function */
    tsri_level level;
    const tsri_geometry *geometry;
    int count;
    const tsr_arg *args;
    const tsr_arg *mask; /* where the result is written; NULL: everywhere.  As a leaf's argument, it
                            is number `count` */
    tsr_dtype output;    /* TSR_AUTO: that of the expression */
} tsri_setting;

static inline const tsr_arg *tsri_setting_arg(const tsri_setting *setting, int arg)
{
    return arg == setting->count ? setting->mask : &setting->args[arg];
}

/* Check an expression, and a mask that is one, too.  Local.  tsri_form_clear() takes a zeroed
 * form. */
tsr_status tsri_form_make(const tsri_setting *setting, const tsri_tree *tree, const tsri_tree *mask,
                          tsri_form *form);
void tsri_form_clear(tsri_form *form);

/* Whether it has factors. */
static inline bool tsri_is_linear(int op)
{
    return op >= TSRI_VECTOR_LINEAR_2 && op <= TSRI_VECTOR_STAR_8;
}

/* Put several operations into one, where there is a kernel that does them in one pass.  Values keep
 * their numbers and their bits; some are no longer used. */
tsr_status tsri_form_fuse(tsri_form *form, tsri_level level);

/* ---- scalars --------------------------------------------------------------------------------- */

/* The type of an operation on weak numbers; TSR_AUTO when it is not defined. */
tsr_dtype tsri_weak_type(int op, int count, const tsr_dtype *in);
/* The number of a scalar argument, which may be plain data without axes. */
tsr_scalar tsri_scalar_arg(const tsri_setting *setting, const tsri_value *value);
/* Find the number of a value whose operands' are known. */
tsr_status tsri_scalar_value(const tsri_setting *setting, const char *text, tsri_value *values,
                             int which);

#endif
