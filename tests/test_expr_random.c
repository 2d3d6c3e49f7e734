/* ranks: 1 2 3 4 6 */
/* timeout: 300 */
/* Random expressions against NumPy 2, as tests/oracle/expr_random.py writes them.  The environment
 * may say how many (TSRT_PROGRAMS) and which (TSRT_SEED). */
#include "support/file_cases.h"

#include "kern/kern.h"

#include <math.h>
#include <stdio.h>

enum { ARGS = 16, TEXT_BYTES = 4096 };

/* One argument; `data` holds its values, in C order. */
typedef struct argument {
    char name[8], kind[8];
    tsr_dtype dtype;
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
    tsr_scalar scalar;
    unsigned char *data;
    tsr_array *array;
} argument;

typedef struct program {
    int number;
    int64_t seed;
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
    tsr_layout_options layout;
    tsr_boundary_kind boundary[TSR_MAX_NDIM];
    argument arg[ARGS], out, right; /* `right`: what it must give */
    int args;
    char text[TEXT_BYTES], mask[TEXT_BYTES];
    char fails[16]; /* TYPE, or ANY kind of refusal */
    int steps;      /* of the last digit that a result may be away */
} program;

/* ---- reading --------------------------------------------------------------------------------- */

static char *word(void)
{
    char *w = strtok(NULL, " \n");
    CHECK(w != NULL);
    return w;
}

static int64_t number(void)
{
    return strtoll(word(), NULL, 10);
}

static unsigned char digit(char c)
{
    return (unsigned char)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static unsigned char *bytes(void)
{
    const char *hex = word();
    const size_t count = *hex == '-' ? 0 : strlen(hex) / 2;
    unsigned char *data = calloc(count + 1, 1);
    CHECK(data != NULL);
    for (size_t k = 0; k < count; ++k)
        data[k] = (unsigned char)(digit(hex[2 * k]) << 4 | digit(hex[2 * k + 1]));
    return data;
}

static void read_layout(program *p)
{
    static const char *const names[] = {"wrap", "constant", "edge", "symmetric", "reflect"};
    static const tsr_boundary_kind kinds[] = {TSR_LEAVE, TSR_CONSTANT, TSR_EDGE, TSR_SYMMETRIC,
                                              TSR_REFLECT};
    p->layout = (tsr_layout_options){.allow_empty = true};
    p->layout.split = (tsr_axes)number();
    if (p->layout.split == 0) p->layout.split = TSR_WHOLE;
    for (int a = 0; a < p->ndim; ++a) {
        p->layout.halo_lo[a] = number();
        p->layout.halo_hi[a] = number();
        const char *mode = word();
        for (int k = 0; k < 5; ++k)
            if (strcmp(mode, names[k]) == 0) p->boundary[a] = kinds[k];
        if (p->boundary[a] == TSR_LEAVE) p->layout.periodic |= TSR_AXIS(a);
    }
}

static void read_weak(argument *g)
{
    switch (*word()) {
    case 'b':
        g->scalar = tsr_bool(number() != 0);
        break;
    case 'i':
        g->scalar = tsr_i64(number());
        break;
    case 'f':
        g->scalar = tsr_f64(strtod(word(), NULL));
        break;
    default:
        g->scalar = tsr_c128(strtod(word(), NULL), 0);
        g->scalar.as.c[1] = strtod(word(), NULL);
    }
}

static void read_arg(program *p)
{
    CHECK(p->args < ARGS);
    argument *g = &p->arg[p->args++];
    snprintf(g->name, sizeof g->name, "%s", word());
    snprintf(g->kind, sizeof g->kind, "%s", word());
    if (strcmp(g->kind, "weak") == 0) {
        read_weak(g);
        return;
    }
    g->dtype = dtype_named(word());
    g->ndim = (int)number();
    for (int a = 0; a < g->ndim; ++a)
        g->shape[a] = number();
    g->data = bytes();
}

/* One line; true for the last of a program. */
static bool read_line(program *p, char *line)
{
    char *key = strtok(line, " \n");
    CHECK(key != NULL);
    if (strcmp(key, "program") == 0) {
        p->ndim = (int)number();
        for (int a = 0; a < p->ndim; ++a)
            p->shape[a] = number();
    } else if (strcmp(key, "layout") == 0) {
        read_layout(p);
    } else if (strcmp(key, "arg") == 0) {
        read_arg(p);
    } else if (strcmp(key, "out") == 0) {
        p->out.dtype = dtype_named(word());
        p->out.data = bytes();
    } else if (strcmp(key, "mask") == 0) {
        snprintf(p->mask, sizeof p->mask, "%s", strtok(NULL, "\n"));
    } else if (strcmp(key, "text") == 0) {
        snprintf(p->text, sizeof p->text, "%s", strtok(NULL, "\n"));
    } else if (strcmp(key, "fails") == 0) {
        snprintf(p->fails, sizeof p->fails, "%s", word());
        return true;
    } else {
        CHECK_STR(key, "gives");
        p->right.dtype = dtype_named(word());
        p->steps = (int)number();
        p->right.data = bytes();
        return true;
    }
    return false;
}

static bool read_program(FILE *file, program *p)
{
    static char line[1 << 20];
    const int before = p->number;
    const int64_t seed = p->seed;

    *p = (program){.number = before + 1, .seed = seed};
    while (fgets(line, sizeof line, file) != NULL)
        if (read_line(p, line)) return true;
    return false;
}

/* ---- running --------------------------------------------------------------------------------- */

static tsr_arg bind(argument *g, tsr_layout *layout, const program *p)
{
    if (strcmp(g->kind, "weak") == 0)
        return (tsr_arg){.name = g->name, .kind = TSR_ARG_WEAK, .scalar = g->scalar};
    if (strcmp(g->kind, "typed") == 0)
        return tsr_arg_global(g->name, g->dtype, g->data, 0, NULL, NULL);
    if (strcmp(g->kind, "global") == 0)
        return tsr_arg_global(g->name, g->dtype, g->data, g->ndim, g->shape, NULL);
    CHECK_OK(tsr_from_global(layout, g->dtype, g->data, NULL, &g->array));
    for (int a = 0; a < p->ndim; ++a)
        CHECK_OK(tsr_array_set_boundary(g->array, TSR_AXIS(a), TSR_BOTH_SIDES, p->boundary[a],
                                        g->dtype == TSR_BOOL ? tsr_bool(true) : tsr_i64(1)));
    return tsr_arg_array(g->name, g->array);
}

static tsr_status evaluate(program *p, tsr_layout *layout, tsr_array **out)
{
    tsr_arg args[ARGS];

    for (int k = 0; k < p->args; ++k)
        args[k] = bind(&p->arg[k], layout, p);
    if (p->out.data == NULL) return tsr_eval_newv(out, p->text, p->args, args);
    CHECK_OK(tsr_from_global(layout, p->out.dtype, p->out.data, NULL, out));
    if (p->mask[0] != '\0')
        return tsr_eval_wherev(*out, tsr_arg_text(p->mask), p->text, p->args, args);
    return tsr_evalv(*out, p->text, p->args, args);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* How many representable numbers two of f64 or f32 are apart. */
static double apart(tsr_dtype dtype, const void *x, const void *y)
{
    if (dtype == TSR_F32) {
        int32_t a, b;
        memcpy(&a, x, sizeof a);
        memcpy(&b, y, sizeof b);
        return fabs((double)(a < 0 ? -(a & INT32_MAX) : a) -
                    (double)(b < 0 ? -(b & INT32_MAX) : b));
    }
    int64_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    a = a < 0 ? -(a & INT64_MAX) : a;
    b = b < 0 ? -(b & INT64_MAX) : b;
    return a == b ? 0 : fabs((double)a - (double)b) < 1 ? 1 : fabs((double)a - (double)b);
}

static bool is_nan(tsr_dtype dtype, const void *x)
{
    float f;
    double d;
    memcpy(&f, x, sizeof f);
    if (dtype == TSR_F32) return isnan(f);
    memcpy(&d, x, sizeof d);
    return isnan(d);
}

/* One number: a part of a complex element. */
static bool same(tsr_dtype part, size_t size, const void *x, const void *y, int steps)
{
    if (memcmp(x, y, size) == 0) return true;
    if (part != TSR_F32 && part != TSR_F64) return false;
    if (is_nan(part, x) || is_nan(part, y)) return is_nan(part, x) && is_nan(part, y);
    return apart(part, x, y) <= steps && steps > 0;
}

static void compare(const program *p, const tsr_array *array)
{
    const tsr_dtype dtype = p->right.dtype;
    const bool complex = dtype == TSR_C64 || dtype == TSR_C128;
    const tsr_dtype part = dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype;
    const size_t size = tsr_dtype_size(part);
    const int64_t parts = tsr_array_cells(array) * (complex ? 2 : 1);

    if (tsr_array_dtype(array) != dtype)
        tsrt_fail(__FILE__, __LINE__, "seed %lld, program %d: %s: type %s, not %s",
                  (long long)p->seed, p->number, p->text, tsr_dtype_name(tsr_array_dtype(array)),
                  tsr_dtype_name(dtype));
    unsigned char *data = calloc((size_t)parts + 1, size);
    CHECK(data != NULL);
    CHECK_OK(tsr_gather(array, TSR_ALL_RANKS, data));
    for (int64_t k = 0; k < parts; ++k) {
        const unsigned char *x = data + (size_t)k * size, *y = p->right.data + (size_t)k * size;
        if (same(part, size, x, y, p->steps)) continue;
        double shown[2] = {0};
        const int64_t one = 1;
        tsri_kern_get()->convert(1, &one, TSR_F64, &shown[0], &one, part, x, &one);
        tsri_kern_get()->convert(1, &one, TSR_F64, &shown[1], &one, part, y, &one);
        tsrt_fail(__FILE__, __LINE__, "seed %lld, program %d: %s: number %lld is %.17g, not %.17g",
                  (long long)p->seed, p->number, p->text, (long long)k, shown[0], shown[1]);
    }
    free(data);
}

static void run(program *p)
{
    tsr_layout *layout = NULL;
    tsr_array *out = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, p->ndim, p->shape, &p->layout, &layout));
    const tsr_status st = evaluate(p, layout, &out);
    const bool refused = st == TSR_ERR_TYPE || (st == TSR_ERR_VALUE && p->fails[0] == 'A');
    if (st != TSR_OK && !refused)
        tsrt_fail(__FILE__, __LINE__, "seed %lld, program %d: %s: %s: \"%s\"", (long long)p->seed,
                  p->number, p->text, tsr_status_name(st), tsr_error_text());
    if (refused != (p->fails[0] != '\0'))
        tsrt_fail(__FILE__, __LINE__, "seed %lld, program %d: %s is %s, \"%s\"", (long long)p->seed,
                  p->number, p->text, refused ? "refused" : "not refused",
                  refused ? tsr_error_text() : "");
    if (st == TSR_OK) compare(p, out);
    for (int k = 0; k < p->args; ++k) {
        CHECK_OK(tsr_array_destroy(&p->arg[k].array));
        free(p->arg[k].data);
    }
    CHECK_OK(tsr_array_destroy(&out));
    CHECK_OK(tsr_layout_destroy(&layout));
    free(p->out.data);
    free(p->right.data);
}

static int64_t setting(const char *name, int64_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtoll(text, NULL, 10);
}

static void as_numpy_says(void **state)
{
    (void)state;
    static program p;
    const int64_t count = setting("TSRT_PROGRAMS", getenv("TSRT_LONG") == NULL ? 1000 : 20000);
    char command[PATH_BYTES];

    p = (program){.seed = setting("TSRT_SEED", 1)};
    snprintf(command, sizeof command, "expr_random.py %lld %lld programs", (long long)count,
             (long long)p.seed);
    run_python(command);
    FILE *file = fopen(file_path("programs"), "r");
    CHECK(file != NULL);
    while (read_program(file, &p))
        run(&p);
    fclose(file);
    CHECK_INT(p.number, count + 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_numpy_says)};
    return TSRT_RUN(argc, argv, tests);
}
