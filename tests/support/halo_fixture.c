#include "support/halo_fixture.h"

#include <stdio.h>

char fixture_case[128];

tsr_comm fixture_comm(int ranks)
{
    static char reason[64];
    if (ranks > tsrt_size()) {
        snprintf(reason, sizeof reason, "needs %d ranks", ranks);
        tsrt_skip(reason);
    }
    tsr_comm comm = TSR_COMM_WORLD;
#ifndef TSR_SERIAL
    if (ranks < tsrt_size()) {
        const int colour = tsrt_rank() < ranks ? 0 : MPI_UNDEFINED;
        CHECK(MPI_Comm_split(TSR_COMM_WORLD, colour, tsrt_rank(), &comm) == MPI_SUCCESS);
    }
#endif
    return comm;
}

void fixture_comm_end(tsr_comm comm)
{
#ifndef TSR_SERIAL
    if (comm != TSR_COMM_WORLD && comm != TSR_COMM_NULL) CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
#else
    (void)comm;
#endif
}

tsr_layout *fixture_layout(tsr_comm comm, const model_layout *m, tsr_axes cut)
{
    tsr_layout_options options = {.periodic = m->periodic};
    tsr_layout *layout = NULL;

    if (m->whole) options.split = TSR_WHOLE;
    for (int a = 0; a < m->ndim; ++a) {
        options.halo_lo[a] = m->lo[a];
        options.halo_hi[a] = m->hi[a];
        for (int k = 0; k < m->grid[a] && (m->grid[a] > 1 || cut & TSR_AXIS(a)); ++k)
            options.allow_empty = options.allow_empty || model_extent(m, a, k) == 0;
        if (!m->whole) options.process_grid[a] = m->grid[a];
        if (!m->whole && cut & TSR_AXIS(a)) {
            options.cuts[a] = m->cuts[a];
            options.ncuts[a] = m->grid[a] + 1;
        }
    }
    FIXTURE_OK(tsr_layout_create(comm, m->ndim, m->shape, &options, &layout));
    return layout;
}

/* Address, in an array, of the i-th cell of a rank's storage. */
static unsigned char *fixture_cell(const model *m, const tsr_view *view, const int *coords,
                                   int64_t i)
{
    int64_t local[MODEL_NDIM], offset = 0;
    model_local(m->layout, coords, i, local);
    for (int a = 0; a < m->layout->ndim; ++a)
        offset += local[a] * view->stride[a];
    return (unsigned char *)view->data + offset * (int64_t)m->elem;
}

void fixture_write(const model *m, int rank, tsr_array *array)
{
    const tsr_view view = tsr_local(array);
    int coords[MODEL_NDIM];

    model_coords(m->layout, rank, coords);
    for (int64_t i = 0; i < m->offset[rank + 1] - m->offset[rank]; ++i)
        memcpy(fixture_cell(m, &view, coords, i), m->data + (size_t)(m->offset[rank] + i) * m->elem,
               m->elem);
}

bool fixture_differs(const model *m, int rank, const tsr_array *array, size_t size, char *text)
{
    const tsr_view view = tsr_local(array);
    const int64_t cells = m->offset[rank + 1] - m->offset[rank];
    int coords[MODEL_NDIM];
    int64_t local[MODEL_NDIM], i = 0;

    model_coords(m->layout, rank, coords);
    const unsigned char *shall = m->data + (size_t)m->offset[rank] * m->elem;
    while (i < cells && memcmp(fixture_cell(m, &view, coords, i), shall, m->elem) == 0) {
        shall += m->elem;
        ++i;
    }
    if (i == cells) return false;

    char where[96] = "";
    model_local(m->layout, coords, i, local);
    for (int a = 0, n = 0; a < m->layout->ndim; ++a)
        n += snprintf(where + n, sizeof where - (size_t)n, "%s%lld", a > 0 ? ", " : "",
                      (long long)local[a]);
    const unsigned char *is = fixture_cell(m, &view, coords, i);
    if (m->dtype == TSR_F64)
        snprintf(text, size, "cell (%s) is %.17g, expected %.17g", where, *(const double *)is,
                 *(const double *)shall);
    else
        snprintf(text, size, "cell (%s) of %s starts with byte %02x, expected %02x", where,
                 tsr_dtype_name(m->dtype), is[0], shall[0]);
    return true;
}

void fixture_check(const model *m, int rank, const tsr_array *array, const char *file, int line)
{
    char text[256];
    if (fixture_differs(m, rank, array, sizeof text, text))
        tsrt_fail(file, line, "%s%s", fixture_case, text);
}

void fixture_run(fixture_way way, fixture_kind kind, int count, tsr_array *const *arrays,
                 const tsr_halo_options *options)
{
    tsr_pending *pending = NULL;
    bool done = false;

    if (way == BLOCKING) {
        for (int k = 0; k < count; ++k)
            FIXTURE_OK(kind == UPDATE ? tsr_halo_update(arrays[k], options)
                                      : tsr_halo_accumulate(arrays[k], options));
    } else if (way == MANY) {
        FIXTURE_OK(kind == UPDATE ? tsr_halo_update_many(count, arrays, options)
                                  : tsr_halo_accumulate_many(count, arrays, options));
    } else {
        FIXTURE_OK(kind == UPDATE ? tsr_halo_start(count, arrays, options, &pending)
                                  : tsr_halo_accumulate_start(count, arrays, options, &pending));
        CHECK(pending != NULL);
        while (way == POLLED && !done)
            FIXTURE_OK(tsr_halo_test(pending, &done));
        FIXTURE_OK(tsr_halo_finish(&pending));
        CHECK(pending == NULL);
    }
}

tsr_status fixture_callback(tsr_view view, int axis, tsr_side side, const int64_t *lo,
                            const int64_t *hi, void *ctx)
{
    int64_t local[MODEL_NDIM], index[MODEL_NDIM], cells = 1;
    (void)ctx;

    for (int a = 0; a < view.ndim; ++a)
        cells *= hi[a] > lo[a] ? hi[a] - lo[a] : 0;
    for (int64_t i = 0; i < cells; ++i) {
        int64_t rest = i, offset = 0;
        for (int a = view.ndim - 1; a >= 0; --a) {
            local[a] = lo[a] + rest % (hi[a] - lo[a]);
            rest /= hi[a] - lo[a];
            index[a] = view.start[a] + local[a];
            offset += local[a] * view.stride[a];
        }
        model_element(view.dtype,
                      model_callback_hash(view.ndim, axis, side == TSR_HIGH_SIDE, index),
                      (unsigned char *)view.data + offset * (int64_t)model_elem(view.dtype));
    }
    return TSR_OK;
}

void fixture_boundaries(tsr_array *array, const tsr_boundary *own)
{
    for (int k = 0; k < 2 * tsr_array_ndim(array); ++k) {
        const tsr_side side = k % 2 == 0 ? TSR_LOW_SIDE : TSR_HIGH_SIDE;
        FIXTURE_OK(
            own[k].kind == TSR_CALLBACK
                ? tsr_array_set_boundary_function(array, TSR_AXIS(k / 2), side, own[k].callback,
                                                  own[k].ctx)
                : tsr_array_set_boundary(array, TSR_AXIS(k / 2), side, own[k].kind, own[k].value));
    }
}

void fixture_compare(fixture_kind kind, const model_layout *shape, tsr_axes cut, tsr_dtype dtype,
                     const tsr_boundary *own, const tsr_halo_options *options)
{
    static const tsr_boundary leave[2 * MODEL_NDIM];
    const model_request q = model_request_of(shape, options, own != NULL ? own : leave);
    tsr_array *array = NULL;
    model m;

    tsr_comm comm = fixture_comm(shape->ranks);
    if (tsrt_rank() < shape->ranks) {
        tsr_layout *layout = fixture_layout(comm, shape, cut);
        const int rank = tsr_layout_rank(layout);
        FIXTURE_OK(tsr_zeros(layout, dtype, &array));
        if (own != NULL) fixture_boundaries(array, own);
        model_create(&m, shape, dtype);
        for (int way = 0; way < WAYS; ++way) {
            model_fill(&m, (uint64_t)way);
            fixture_write(&m, rank, array);
            kind == UPDATE ? model_update(&m, &q) : model_accumulate(&m, &q);
            fixture_run((fixture_way)way, kind, 1, &array, options);
            CHECK_MODEL(&m, rank, array);
        }
        model_free(&m);
        FIXTURE_OK(tsr_array_destroy(&array));
        FIXTURE_OK(tsr_layout_destroy(&layout));
    }
    fixture_comm_end(comm);
}
