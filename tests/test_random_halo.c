/* ranks: 1 2 3 4 6 8 */
/* timeout: 300 */
/* Random halo exchanges against the serial model, bit for bit, in every cell of every rank: layouts
 * of 1 to 4 axes, empty blocks, halos wider than blocks and axes, all boundaries, parts of the
 * halo, all element types, several arrays in an exchange and several exchanges at once.
 *
 * A failure prints the arguments that repeat it.  Arguments: --seed S, --cases N, --case K (only
 * that one), --verbose. */
#include "support/halo_fixture.h"

#include <stdio.h>

enum { LAYOUTS = 2, EXCHANGES = 3, ARRAYS = 3, CELLS = 30000 };

typedef struct random_array {
    int layout;
    tsr_boundary own[2 * MODEL_NDIM];
    tsr_array *array;
    void *storage; /* of an array that adopts its memory */
    model m;
} random_array;

typedef struct random_exchange {
    fixture_kind kind;
    int count;
    random_array arrays[ARRAYS];
    tsr_halo_options options;
    bool default_options;
    tsr_boundary boundary[2 * MODEL_NDIM];
} random_exchange;

typedef struct random_case {
    model_layout shape[LAYOUTS];
    tsr_axes cut[LAYOUTS];
    tsr_layout *layout[LAYOUTS];
    int count;
    random_exchange exchanges[EXCHANGES];
} random_case;

/* ---- drawing --------------------------------------------------------------------------------- */

static uint64_t state;

static int64_t below(int64_t n)
{
    state = model_hash(state);
    return (int64_t)(state >> 8) % n;
}

static bool chance(int percent)
{
    return below(100) < percent;
}

static int64_t draw_length(void)
{
    const int64_t length = below(13);
    return length > 0 || chance(30) ? length : 1 + below(12);
}

static int64_t draw_halo(void)
{
    if (chance(25)) return 0;
    return chance(60) ? below(4) : below(15);
}

/* Every prime factor of the ranks goes to some axis. */
static void draw_grid(model_layout *shape)
{
    shape->whole = shape->ranks > 1 && chance(8);
    for (int a = 0; a < shape->ndim; ++a)
        shape->grid[a] = 1;
    for (int left = shape->ranks, p = 2; left > 1 && !shape->whole; ++p)
        for (; left % p == 0; left /= p)
            shape->grid[below(shape->ndim)] *= p;
}

static int compare_cuts(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void draw_cuts(model_layout *shape, int a)
{
    int64_t *cuts = shape->cuts[a];
    const int blocks = shape->grid[a];

    for (int k = 1; k < blocks; ++k)
        cuts[k] = below(shape->shape[a] + 1);
    cuts[0] = 0;
    cuts[blocks] = shape->shape[a];
    qsort(cuts, (size_t)blocks + 1, sizeof *cuts, compare_cuts);
}

static void draw_layout(model_layout *shape, tsr_axes *cut)
{
    int64_t cells;
    do {
        *shape = (model_layout){.ranks = tsrt_size(), .ndim = 1 + (int)below(MODEL_NDIM)};
        shape->periodic = (tsr_axes)below(1 << shape->ndim);
        *cut = (tsr_axes)below(1 << shape->ndim);
        for (int a = 0; a < shape->ndim; ++a) {
            shape->shape[a] = draw_length();
            shape->lo[a] = draw_halo();
            shape->hi[a] = chance(50) ? shape->lo[a] : draw_halo();
        }
        draw_grid(shape);
        for (int a = 0; a < shape->ndim; ++a) {
            model_near_even(shape->shape[a], shape->grid[a], shape->cuts[a]);
            if (*cut & TSR_AXIS(a)) draw_cuts(shape, a);
        }
        cells = 0;
        for (int r = 0; r < shape->ranks; ++r)
            cells += model_storage_cells(shape, r);
    } while (cells > CELLS || (cells == 0 && chance(80)));
}

/* An axis of length 0 has no cell to mirror. */
static void draw_boundaries(const model_layout *shape, bool is_bool, tsr_boundary *boundary)
{
    const tsr_scalar values[] = {tsr_i64(5), tsr_f64(2.75), tsr_f64(0), tsr_bool(true)};
    for (int k = 0; k < 2 * shape->ndim; ++k) {
        boundary[k] = (tsr_boundary){.kind = (tsr_boundary_kind)below(TSR_CALLBACK + 1)};
        if (shape->shape[k / 2] == 0) boundary[k].kind = (tsr_boundary_kind)below(2);
        if (boundary[k].kind == TSR_CONSTANT) boundary[k].value = values[below(is_bool ? 4 : 3)];
        if (boundary[k].kind == TSR_CALLBACK) boundary[k].callback = fixture_callback;
    }
}

static int64_t draw_width(int64_t halo)
{
    if (halo == 0 || chance(50)) return 0;
    return chance(20) ? TSR_NO_HALO : 1 + below(halo);
}

static void draw_options(random_exchange *x, const model_layout *shape)
{
    tsr_halo_options *o = &x->options;

    x->default_options = chance(30);
    *o = (tsr_halo_options){.faces_only = !x->default_options && chance(30)};
    if (x->default_options || shape == NULL) return;
    if (chance(60)) o->axes = chance(10) ? TSR_ALL_AXES : (tsr_axes)below(1 << shape->ndim);
    for (int a = 0; a < shape->ndim && chance(80); ++a) {
        o->width_lo[a] = draw_width(shape->lo[a]);
        o->width_hi[a] = draw_width(shape->hi[a]);
    }
    if (chance(25)) {
        draw_boundaries(shape, false, x->boundary);
        o->boundary = x->boundary;
    }
}

static void make_array(random_array *array, tsr_layout *layout, tsr_dtype dtype)
{
    const int rank = tsrt_rank();
    const int64_t cells = array->m.offset[rank + 1] - array->m.offset[rank];
    array->storage = chance(20) ? malloc(((size_t)cells + 1) * array->m.elem) : NULL;
    FIXTURE_OK(array->storage != NULL ? tsr_adopt(layout, dtype, array->storage,
                                                  (size_t)cells * array->m.elem, &array->array)
                                      : tsr_zeros(layout, dtype, &array->array));
}

static void draw_exchange(random_case *c, random_exchange *x)
{
    const bool mixed = chance(30);
    const int layout = (int)below(LAYOUTS);

    x->kind = chance(60) ? UPDATE : ACCUMULATE;
    x->count = chance(50) ? 1 : 1 + (int)below(ARRAYS);
    draw_options(x, mixed ? NULL : &c->shape[layout]);
    for (int k = 0; k < x->count; ++k) {
        random_array *array = &x->arrays[k];
        const tsr_dtype dtype = (tsr_dtype)(TSR_BOOL + below(TSR_DTYPE_END - TSR_BOOL));
        array->layout = mixed ? (int)below(LAYOUTS) : layout;
        draw_boundaries(&c->shape[array->layout], dtype == TSR_BOOL, array->own);
        model_create(&array->m, &c->shape[array->layout], dtype);
        make_array(array, c->layout[array->layout], dtype);
        fixture_boundaries(array->array, array->own);
    }
}

static void draw_case(random_case *c)
{
    for (int k = 0; k < LAYOUTS; ++k) {
        draw_layout(&c->shape[k], &c->cut[k]);
        c->layout[k] = fixture_layout(TSR_COMM_WORLD, &c->shape[k], c->cut[k]);
    }
    c->count = chance(60) ? 1 : 2 + (int)below(EXCHANGES - 1);
    for (int k = 0; k < c->count; ++k)
        draw_exchange(c, &c->exchanges[k]);
}

/* ---- running --------------------------------------------------------------------------------- */

static const tsr_halo_options *options_of(const random_exchange *x)
{
    return x->default_options ? NULL : &x->options;
}

static void arrays_of(const random_exchange *x, tsr_array **arrays)
{
    for (int k = 0; k < x->count; ++k)
        arrays[k] = x->arrays[k].array;
}

static void begin(random_exchange *x)
{
    for (int k = 0; k < x->count; ++k) {
        random_array *a = &x->arrays[k];
        const model_request q = model_request_of(a->m.layout, options_of(x), a->own);
        model_fill(&a->m, state + (uint64_t)k);
        fixture_write(&a->m, tsrt_rank(), a->array);
        x->kind == UPDATE ? model_update(&a->m, &q) : model_accumulate(&a->m, &q);
    }
}

/* Start all, then finish them in another order. */
static void run_at_once(random_case *c)
{
    tsr_pending *pending[EXCHANGES];
    tsr_array *arrays[ARRAYS];

    for (int k = 0; k < c->count; ++k) {
        random_exchange *x = &c->exchanges[k];
        arrays_of(x, arrays);
        FIXTURE_OK(x->kind == UPDATE
                       ? tsr_halo_start(x->count, arrays, options_of(x), &pending[k])
                       : tsr_halo_accumulate_start(x->count, arrays, options_of(x), &pending[k]));
    }
    for (int left = c->count; left > 0; --left) {
        const int k = (int)below(left);
        bool done = !chance(30);
        while (!done)
            FIXTURE_OK(tsr_halo_test(pending[k], &done));
        FIXTURE_OK(tsr_halo_finish(&pending[k]));
        pending[k] = pending[left - 1];
    }
}

static void run_round(random_case *c)
{
    tsr_array *arrays[ARRAYS];

    for (int k = 0; k < c->count; ++k)
        begin(&c->exchanges[k]);
    if (c->count == 1) {
        arrays_of(&c->exchanges[0], arrays);
        fixture_run((fixture_way)below(WAYS), c->exchanges[0].kind, c->exchanges[0].count, arrays,
                    options_of(&c->exchanges[0]));
    } else {
        run_at_once(c);
    }
    for (int k = 0; k < c->count; ++k)
        for (int i = 0; i < c->exchanges[k].count; ++i) {
            const random_array *a = &c->exchanges[k].arrays[i];
            CHECK_MODEL(&a->m, tsrt_rank(), a->array);
        }
}

static void end_case(random_case *c)
{
    for (int k = 0; k < c->count; ++k)
        for (int i = 0; i < c->exchanges[k].count; ++i) {
            FIXTURE_OK(tsr_array_destroy(&c->exchanges[k].arrays[i].array));
            model_free(&c->exchanges[k].arrays[i].m);
            free(c->exchanges[k].arrays[i].storage);
        }
    for (int k = 0; k < LAYOUTS; ++k)
        FIXTURE_OK(tsr_layout_destroy(&c->layout[k]));
}

static uint64_t seed = 1;
static int64_t first_case = 0, cases = 250;
static bool verbose = false;

static void random_exchanges(void **unused)
{
    static random_case c;
    (void)unused;
    for (int64_t k = first_case; k < first_case + cases; ++k) {
        snprintf(fixture_case, sizeof fixture_case,
                 "test_random_halo --seed %llu --case %lld: ", (unsigned long long)seed,
                 (long long)k);
        if (verbose && tsrt_rank() == 0) fprintf(stderr, "%s\n", fixture_case);
        memset(&c, 0, sizeof c);
        state = model_hash(seed) ^ model_hash((uint64_t)k) * 3;
        draw_case(&c);
        for (int round = 0; round < 2; ++round)
            run_round(&c);
        end_case(&c);
    }
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; ++k) {
        const bool value = k + 1 < argc;
        if (strcmp(argv[k], "--verbose") == 0) verbose = true;
        if (value && strcmp(argv[k], "--seed") == 0) seed = strtoull(argv[k + 1], NULL, 10);
        if (value && strcmp(argv[k], "--cases") == 0) cases = strtoll(argv[k + 1], NULL, 10);
        if (value && strcmp(argv[k], "--case") == 0) {
            first_case = strtoll(argv[k + 1], NULL, 10);
            cases = 1;
        }
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_exchanges)};
    return TSRT_RUN(1, argv, tests);
}
