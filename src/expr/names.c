#include "expr/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

static const tsri_operation operations[TSRI_VECTOR_END] = {
#define OPERATION(suffix, name, operands, kernels, copies, works, gives)                           \
    [TSRI_VECTOR_##                                                                                \
        suffix] = {name, operands, kernels, copies, TSRI_WORKS_##works, TSRI_GIVES_##gives},
    TSRI_VECTOR_LIST(OPERATION)
#define FUSED(suffix, operands, kernels)                                                           \
    [TSRI_VECTOR_##suffix] = {#suffix, operands, kernels, 0, TSRI_WORKS_AS_IS, TSRI_GIVES_SAME},
        TSRI_FUSED_LIST(FUSED)};

static const tsri_signature signatures[] = {
#define SIGNATURE(suffix, name, operands, ...)                                                     \
    {name, TSRI_VECTOR_##suffix, operands, operands, {NULL}},
    TSRI_VECTOR_LIST(SIGNATURE)
/* further names of the same */
#define ALIAS(name, suffix, operands)                                                              \
    {                                                                                              \
        name, TSRI_VECTOR_##suffix, operands, operands,                                            \
        {                                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }
        ALIAS("abs", ABSOLUTE, 1),
    ALIAS("conj", CONJUGATE, 1),
    ALIAS("mod", REMAINDER, 2),
    ALIAS("true_divide", DIVIDE, 2),
    ALIAS("pow", POWER, 2),
    ALIAS("radians", DEG2RAD, 1),
    ALIAS("degrees", RAD2DEG, 1),
    ALIAS("bitwise_not", INVERT, 1),
    ALIAS("bitwise_invert", INVERT, 1),
    ALIAS("bitwise_left_shift", LEFT_SHIFT, 2),
    ALIAS("bitwise_right_shift", RIGHT_SHIFT, 2),
    ALIAS("acos", ARCCOS, 1),
    ALIAS("asin", ARCSIN, 1),
    ALIAS("atan", ARCTAN, 1),
    ALIAS("atan2", ARCTAN2, 2),
    ALIAS("acosh", ARCCOSH, 1),
    ALIAS("asinh", ARCSINH, 1),
    ALIAS("atanh", ARCTANH, 1),
    /* made of several operations */
    {"clip", TSRI_FUNCTION_CLIP, 1, 3, {NULL, "min", "max"}},
    {"round", TSRI_FUNCTION_ROUND, 1, 2, {NULL, "decimals"}},
    {"around", TSRI_FUNCTION_ROUND, 1, 2, {NULL, "decimals"}},
    {"isclose", TSRI_FUNCTION_ISCLOSE, 2, 5, {NULL, NULL, "rtol", "atol", "equal_nan"}},
    {"angle", TSRI_FUNCTION_ANGLE, 1, 2, {NULL, "deg"}},
/* casts, by our name of a type and by NumPy's */
#define CAST(short_name, suffix) {short_name, TSRI_FUNCTION_CAST + TSR_##suffix, 1, 1, {NULL}},
    CAST("i8", I8) CAST("i16", I16) CAST("i32", I32) CAST("i64", I64) CAST("u8", U8)
        CAST("u16", U16) CAST("u32", U32) CAST("u64", U64) CAST("f32", F32) CAST("f64", F64)
            CAST("c64", C64) CAST("c128", C128)
#define NUMPY_CAST(suffix, ctype, name, parts) CAST(name, suffix)
                TSR_DTYPE_LIST(NUMPY_CAST)};
enum { SIGNATURES = sizeof signatures / sizeof *signatures };

enum { CONSTANTS = 6 };
static const struct {
    const char *name;
    tsr_dtype dtype;
    double value;
} constants[CONSTANTS] = {{"pi", TSR_F64, 3.14159265358979323846},
                          {"e", TSR_F64, 2.71828182845904523536},
                          {"inf", TSR_F64, INFINITY},
                          {"nan", TSR_F64, NAN},
                          {"True", TSR_BOOL, 1},
                          {"False", TSR_BOOL, 0}};

static const struct {
    const char *name, *instead;
} reserved[] = {{"and", "use & between comparisons in parentheses, or logical_and(x, y)"},
                {"or", "use | between comparisons in parentheses, or logical_or(x, y)"},
                {"not", "use logical_not(x)"},
                {"if", "use where(condition, x, y)"},
                {"else", "use where(condition, x, y)"},
                {"is", "use =="},
                {"in", "there is no such operator"},
                {"lambda", "there are no functions of one's own"},
                {"for", "there are no loops"},
                {"None", "it stands only for a bound of clip() that is left out"}};

/* ---- lookup ---------------------------------------------------------------------------------- */

bool tsri_word_is(tsri_word word, const char *name)
{
    return strlen(name) == (size_t)word.length && memcmp(name, word.start, strlen(name)) == 0;
}

/* Without <ctype.h>, which the locale changes. */
bool tsri_word_starts(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool tsri_word_goes_on(char c)
{
    return tsri_word_starts(c) || (c >= '0' && c <= '9');
}

const tsri_operation *tsri_operation_of(int op)
{
    return &operations[op];
}

const tsri_signature *tsri_signature_find(tsri_word word)
{
    for (int k = 0; k < SIGNATURES; ++k)
        if (tsri_word_is(word, signatures[k].name)) return &signatures[k];
    return NULL;
}

bool tsri_constant_find(tsri_word word, tsr_scalar *value)
{
    for (int k = 0; k < CONSTANTS; ++k) {
        if (!tsri_word_is(word, constants[k].name)) continue;
        *value = constants[k].dtype == TSR_BOOL ? tsr_bool(constants[k].value != 0)
                                                : tsr_f64(constants[k].value);
        return true;
    }
    return false;
}

int tsri_index_find(tsri_word word)
{
    int axis = 0;

    if (word.length < 2 || word.length > 3 || word.start[0] != 'i') return -1;
    if (word.length == 3 && word.start[1] == '0') return -1;
    for (int k = 1; k < word.length; ++k) {
        if (word.start[k] < '0' || word.start[k] > '9') return -1;
        axis = 10 * axis + (word.start[k] - '0');
    }
    return axis;
}

const char *tsri_reserved_find(tsri_word word)
{
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; ++k)
        if (tsri_word_is(word, reserved[k].name)) return reserved[k].instead;
    return NULL;
}

const char *tsri_unbindable(const char *name)
{
    const tsri_word word = {name, (int)strlen(name)};

    if (word.length == 0 || !tsri_word_starts(name[0])) return "it is no name";
    for (int k = 1; k < word.length; ++k)
        if (!tsri_word_goes_on(name[k])) return "it is no name: give one with TSR_ARG_AS";
    if (tsri_index_find(word) >= 0) return "it is a global index: give another with TSR_ARG_AS";
    if (tsri_signature_find(word) != NULL) return "it is a function: give another with TSR_ARG_AS";
    if (tsri_reserved_find(word) != NULL)
        return "it is a reserved word: give another with TSR_ARG_AS";
    return NULL;
}

/* ---- typing errors --------------------------------------------------------------------------- */

enum { LONGEST = 24 };

/* Letters to put in, leave out, replace or exchange with the next. */
static int distance(tsri_word a, const char *b, int length)
{
    int row[3][LONGEST + 1];

    for (int j = 0; j <= length; ++j)
        row[0][j] = j;
    for (int i = 1; i <= a.length; ++i) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *older = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= length; ++j) {
            int best = before[j - 1] + (a.start[i - 1] != b[j - 1]);
            if (before[j] + 1 < best) best = before[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a.start[i - 1] == b[j - 2] && a.start[i - 2] == b[j - 1] &&
                older[j - 2] + 1 < best)
                best = older[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[a.length % 3][length];
}

void tsri_near_try(tsri_near *near, tsri_word word, const char *candidate)
{
    const int length = (int)strlen(candidate);
    const int limit = word.length < 3 ? 1 : word.length < 6 ? 2 : 3;

    if (word.length > LONGEST || length > LONGEST || abs(word.length - length) > limit) return;
    const int d = distance(word, candidate, length);
    if (d > limit || d >= word.length || (near->name != NULL && d >= near->distance)) return;
    *near = (tsri_near){candidate, d};
}

void tsri_near_functions(tsri_near *near, tsri_word word)
{
    for (int k = 0; k < SIGNATURES; ++k)
        tsri_near_try(near, word, signatures[k].name);
}

void tsri_near_constants(tsri_near *near, tsri_word word)
{
    for (int k = 0; k < CONSTANTS; ++k)
        tsri_near_try(near, word, constants[k].name);
}
