/* The names of the language. */
#ifndef TSRI_EXPR_NAMES_H
#define TSRI_EXPR_NAMES_H

#include "kern/vector.h"

/* Functions: the operations on blocks under their own numbers, then those made of several.  A cast
 * is TSRI_FUNCTION_CAST plus its type. */
enum {
    TSRI_FUNCTION_CLIP = TSRI_VECTOR_END,
    TSRI_FUNCTION_ROUND,
    TSRI_FUNCTION_ISCLOSE,
    TSRI_FUNCTION_ANGLE,
    TSRI_FUNCTION_CAST,
    TSRI_FUNCTION_END = TSRI_FUNCTION_CAST + TSR_DTYPE_END
};
enum { TSRI_MAX_PARAMETERS = 5 };

/* What a function is called with. */
typedef struct tsri_signature {
    const char *name;
    int function;
    int least, most;                            /* parameters */
    const char *parameter[TSRI_MAX_PARAMETERS]; /* names of those that may be given by name */
} tsri_signature;

/* An operation on blocks, as TSRI_VECTOR_LIST says. */
typedef struct tsri_operation {
    const char *name;
    int operands;
    unsigned kernels, copies;
    tsri_works works;
    tsri_gives gives;
} tsri_operation;

/* Part of a text. */
typedef struct tsri_word {
    const char *start;
    int length;
} tsri_word;

const tsri_operation *tsri_operation_of(int op);
/* NULL, or false: there is none. */
const tsri_signature *tsri_signature_find(tsri_word word);
bool tsri_constant_find(tsri_word word, tsr_scalar *value);
/* The axis of `i0`, `i1`, ..., which may be beyond the array's; -1 for other words. */
int tsri_index_find(tsri_word word);
/* A word of Python's that has no meaning here: what to write instead; NULL for other words. */
const char *tsri_reserved_find(tsri_word word);
/* Why a name cannot be bound; NULL when it can. */
const char *tsri_unbindable(const char *name);

bool tsri_word_is(tsri_word word, const char *name);
bool tsri_word_starts(char c);
bool tsri_word_goes_on(char c);

/* The candidate nearest to a word, as a typing error away.  Start with TSRI_NOTHING_NEAR. */
typedef struct tsri_near {
    const char *name; /* NULL: none is near */
    int distance;
} tsri_near;
#define TSRI_NOTHING_NEAR ((tsri_near){NULL, 0})
void tsri_near_try(tsri_near *near, tsri_word word, const char *candidate);
void tsri_near_functions(tsri_near *near, tsri_word word);
void tsri_near_constants(tsri_near *near, tsri_word word);

#endif
