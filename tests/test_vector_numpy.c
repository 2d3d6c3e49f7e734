/* ranks: 1 */
/* timeout: 300 */
/* variants: none */
#include "kern/vector.h"
#include "support/file_cases.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>

/* One operation on one type: what tests/oracle/vector.py says of it. */
typedef struct record {
    char name[32];
    int32_t type, arity, n;
    struct {
        int32_t type, n;
        void *data;
    } in[TSRI_VECTOR_OPERANDS];
    void *expected;
    uint32_t *away; /* of each part */
} record;

enum { CONVERT = TSRI_VECTOR_END };

static int op_named(const char *name)
{
    static const char *const names[] = {
#define NAME(suffix, text, ...) [TSRI_VECTOR_##suffix] = text,
        TSRI_VECTOR_LIST(NAME)
#define FUSED(suffix, ...) [TSRI_VECTOR_##suffix] = #suffix,
            TSRI_FUSED_LIST(FUSED)[CONVERT] = "convert"};

    for (int op = 0; op <= CONVERT; ++op) {
        size_t i = 0;
        while (name[i] != 0 && (names[op][i] == name[i] || names[op][i] == name[i] - 'a' + 'A'))
            ++i;
        if (name[i] == 0 && names[op][i] == 0) return op;
    }
    tsrt_fail(__FILE__, __LINE__, "no operation \"%s\"", name);
}

static size_t size_of(int32_t type)
{
    return tsr_dtype_size((tsr_dtype)type);
}

static int parts_of(int32_t type)
{
    return tsri_dtype_class((tsr_dtype)type) == TSRI_C ? 2 : 1;
}

static bool is_exact(const record *r)
{
    for (int i = 0; i < r->n * parts_of(r->type); ++i)
        if (r->away[i] != 0) return false;
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void *read_array(FILE *file, size_t size, int32_t n)
{
    void *data = malloc(size * (size_t)n);

    CHECK(fread(data, size, (size_t)n, file) == (size_t)n);
    return data;
}

static bool read_record(FILE *file, record *r)
{
    if (fread(r->name, sizeof r->name, 1, file) != 1) return false;
    CHECK(fread(&r->type, 4, 3, file) == 3 && r->arity <= TSRI_VECTOR_OPERANDS);
    for (int k = 0; k < r->arity; ++k) {
        CHECK(fread(&r->in[k].type, 4, 2, file) == 2);
        r->in[k].data = read_array(file, size_of(r->in[k].type), r->in[k].n);
    }
    r->expected = read_array(file, size_of(r->type), r->n);
    r->away = read_array(file, sizeof *r->away, r->n * parts_of(r->type));
    return true;
}

static void free_record(record *r)
{
    for (int k = 0; k < r->arity; ++k)
        free(r->in[k].data);
    free(r->expected);
    free(r->away);
}

/* ---- running --------------------------------------------------------------------------------- */

/* The working type: that of the last operand, but for linear combinations. */
static tsr_dtype works_in(const record *r)
{
    return (tsr_dtype)r->in[r->arity - 1].type;
}

static bool is_known(const record *r, tsri_level level)
{
    return op_named(r->name) == CONVERT ||
           tsri_vector_find(level, (tsri_vector_op)op_named(r->name), works_in(r)) != NULL;
}

/* Elements first .. first + n of a record, to the same place of out. */
static void run(const record *r, tsri_level level, int first, int n, void *out)
{
    const int op = op_named(r->name);
    const void *in[TSRI_VECTOR_OPERANDS];
    char *to = (char *)out + (size_t)first * size_of(r->type);

    for (int k = 0; k < r->arity; ++k)
        in[k] = (char *)r->in[k].data +
                (r->in[k].n == r->n ? (size_t)first * size_of(r->in[k].type) : 0);
    if (op == CONVERT)
        tsri_vector_convert(level, (tsr_dtype)r->type, works_in(r))(n, to, in[0]);
    else
        tsri_vector_find(level, (tsri_vector_op)op, works_in(r))(n, to, in);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Where a real lies among those of its type; neighbours differ by 1. */
static int64_t place(const void *part, size_t size)
{
    int32_t narrow;
    int64_t wide;

    memcpy(&narrow, part, sizeof narrow);
    if (size == sizeof narrow) return narrow < 0 ? INT32_MIN - (int64_t)narrow : narrow;
    memcpy(&wide, part, sizeof wide);
    return wide < 0 ? INT64_MIN - wide : wide;
}

static bool is_nan(const void *part, size_t size)
{
    float f;
    double d;

    memcpy(&f, part, sizeof f);
    if (size == sizeof f) return isnan(f);
    memcpy(&d, part, sizeof d);
    return isnan(d);
}

/* Equal bits, or two NaN, or reals at most so far apart. */
static bool is_near(int32_t type, const void *a, const void *b, const uint32_t *away)
{
    const size_t part = size_of(type) / (size_t)parts_of(type);

    if (memcmp(a, b, size_of(type)) == 0) return true;
    if ((tsri_dtype_class((tsr_dtype)type) & TSRI_FC) == 0) return false;
    for (int p = 0; p < parts_of(type); ++p) {
        const char *x = (const char *)a + (size_t)p * part, *y = (const char *)b + (size_t)p * part;
        if (memcmp(x, y, part) == 0 || (is_nan(x, part) && is_nan(y, part))) continue;
        if (away != NULL && away[p] == UINT32_MAX) continue;
        if (away == NULL || away[p] == 0 || is_nan(x, part) || is_nan(y, part)) return false;
        const int64_t i = place(x, part), j = place(y, part);
        if ((i > j ? (uint64_t)i - (uint64_t)j : (uint64_t)j - (uint64_t)i) > away[p]) return false;
    }
    return true;
}

static double real_part(int32_t type, const void *element)
{
    double v;

    if (type == TSR_F64)
        memcpy(&v, element, sizeof v);
    else
        tsri_vector_convert(TSRI_BASELINE, TSR_F64, (tsr_dtype)type)(1, &v, element);
    return v;
}

static void check_results(const record *r, const void *out, const void *expected, bool strictly,
                          const char *what)
{
    for (int i = 0; i < r->n; ++i) {
        const size_t at = (size_t)i * size_of(r->type);
        const char *x = (const char *)out + at, *y = (const char *)expected + at;
        if (is_near(r->type, x, y, strictly ? NULL : r->away + i * parts_of(r->type))) continue;
        const char *a = (char *)r->in[0].data + (size_t)i * size_of(r->in[0].type);
        tsrt_fail(__FILE__, __LINE__, "%s of %s (element %d, %.17g, ...) is %.17g, not %.17g: %s",
                  r->name, tsr_dtype_name((tsr_dtype)r->in[0].type), i, real_part(r->in[0].type, a),
                  real_part(r->type, x), real_part(r->type, y), what);
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

typedef void visitor(const record *r);

static void visit(visitor *visited)
{
    static bool made = false;
    record r;
    int records = 0;

    if (!made) run_python("vector.py table");
    made = true;
    FILE *file = fopen(file_path("table"), "rb");
    CHECK(file != NULL);
    for (; read_record(file, &r); ++records) {
        visited(&r);
        free_record(&r);
    }
    fclose(file);
    CHECK(records > 600);
}

static void check_values(const record *r)
{
    void *out = malloc(size_of(r->type) * (size_t)r->n);

    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
        CHECK(is_known(r, level));
        run(r, level, 0, r->n, out);
        check_results(r, out, r->expected, false, "not as NumPy");
    }
    free(out);
}

/* Functions agree from AVX2 on, which has fused additions; the rest agrees everywhere. */
static void check_levels(const record *r)
{
    void *lower = malloc(size_of(r->type) * (size_t)r->n);
    void *higher = malloc(size_of(r->type) * (size_t)r->n);

    for (tsri_level level = is_exact(r) ? TSRI_BASELINE : TSRI_AVX2; level < tsri_vector_level();
         ++level) {
        run(r, level, 0, r->n, lower);
        run(r, level + 1, 0, r->n, higher);
        check_results(r, higher, lower, true, "not as at the lower level");
    }
    free(lower);
    free(higher);
}

/* Every length up to 70 from each of some places. */
static void check_positions(const record *r)
{
    enum { LENGTH = 70, PLACES = 17 };
    const size_t size = size_of(r->type), bytes = size * (size_t)r->n;
    unsigned char *whole = malloc(bytes), *out = malloc(bytes);

    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
        run(r, level, 0, r->n, whole);
        for (int first = 0; first < PLACES && first < r->n; ++first)
            for (int n = 1; n <= LENGTH && first + n <= r->n; ++n) {
                memcpy(out, whole, bytes);
                memset(out + (size_t)first * size, 0xa5, (size_t)n * size);
                run(r, level, first, n, out);
                if (memcmp(out, whole, bytes) != 0)
                    check_results(r, out, whole, true, "not as elsewhere in the block");
            }
    }
    free(whole);
    free(out);
}

/* The result may replace an operand with elements of its size. */
static void check_in_place(const record *r)
{
    const size_t bytes = size_of(r->type) * (size_t)r->n;
    void *out = malloc(bytes), *apart = malloc(bytes);

    for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level) {
        run(r, level, 0, r->n, apart);
        for (int k = 0; k < r->arity && op_named(r->name) != CONVERT; ++k) {
            if (size_of(r->in[k].type) != size_of(r->type) || r->in[k].n != r->n) continue;
            record shared = *r;
            memcpy(out, r->in[k].data, bytes);
            shared.in[k].data = out;
            run(&shared, level, 0, r->n, out);
            check_results(r, out, apart, true, "not as in a block of its own");
        }
    }
    free(out);
    free(apart);
}

static void values_are_numpys(void **state)
{
    (void)state;
    visit(check_values);
}

static void levels_agree(void **state)
{
    (void)state;
    visit(check_levels);
}

static void results_do_not_depend_on_the_place(void **state)
{
    (void)state;
    visit(check_positions);
}

static void results_may_replace_operands(void **state)
{
    (void)state;
    visit(check_in_place);
}

/* ---- the list -------------------------------------------------------------------------------- */

/* There is a kernel for exactly the types that the list names. */
static void kernels_are_those_listed(void **state)
{
    static const struct {
        tsri_vector_op op;
        unsigned classes;
    } listed[] = {
#define LISTED(suffix, text, operands, kernels, ...) {TSRI_VECTOR_##suffix, (kernels)},
        TSRI_VECTOR_LIST(LISTED)
#define LISTED_FUSED(suffix, operands, kernels) {TSRI_VECTOR_##suffix, (kernels)},
            TSRI_FUSED_LIST(LISTED_FUSED)};

    (void)state;
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; ++i)
        for (tsr_dtype t = TSR_BOOL; t < TSR_DTYPE_END; ++t) {
            const bool narrow = t == TSR_F32 || t == TSR_C64;
            const bool there = (listed[i].classes & tsri_dtype_class(t)) != 0 &&
                               !(listed[i].op == TSRI_VECTOR_FLOAT_POWER && narrow);
            for (tsri_level level = TSRI_BASELINE; level <= tsri_vector_level(); ++level)
                CHECK((tsri_vector_find(level, listed[i].op, t) != NULL) == there);
        }
    CHECK(tsri_vector_find(TSRI_BASELINE, TSRI_VECTOR_ADD, TSR_AUTO) == NULL);
    CHECK(tsri_vector_find(TSRI_BASELINE, TSRI_VECTOR_END, TSR_F64) == NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_numpys),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(results_do_not_depend_on_the_place),
        cmocka_unit_test(results_may_replace_operands),
        cmocka_unit_test(kernels_are_those_listed),
    };
    return TSRT_RUN(argc, argv, tests);
}
