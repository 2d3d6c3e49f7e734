#include "support/data_in.h"

static int64_t cells_of(int ndim, const int64_t *extent)
{
    int64_t cells = 1;
    for (int a = 0; a < ndim; ++a)
        cells *= extent[a];
    return cells;
}

/* Strides, and the offset of cell 0, of an order; returns the elements of the memory. */
static int64_t lay_out(input_order order, int ndim, const int64_t *extent, int64_t *stride,
                       int64_t *first)
{
    int64_t step = order == INPUT_SLICED ? 3 : 1, span = 1;

    *first = 0;
    for (int k = 0; k < ndim; ++k) {
        const int a = order == INPUT_FORTRAN ? k : ndim - 1 - k;
        stride[a] = order == INPUT_REVERSED ? -step : step;
        if (order == INPUT_REVERSED) *first += step * (extent[a] - 1);
        span += step * (extent[a] - 1);
        step *= extent[a] + (order == INPUT_SLICED ? 1 : 0);
    }
    return span;
}

input input_make(input_order order, int ndim, const int64_t *shape, const int64_t *start,
                 const int64_t *extent, tsr_dtype dtype, uint64_t seed)
{
    const size_t size = model_elem(dtype);
    int64_t first = 0, index[TSR_MAX_NDIM];
    input in = {0};

    if (cells_of(ndim, extent) == 0) return in;
    const size_t bytes = (size_t)lay_out(order, ndim, extent, in.stride, &first) * size;
    in.memory = malloc(bytes);
    CHECK(in.memory != NULL);
    memset(in.memory, 0x5a, bytes);
    in.data = in.memory + (size_t)first * size;
    for (int64_t k = 0; k < cells_of(ndim, extent); ++k) {
        int64_t rest = k, cell = 0, offset = first;
        for (int a = ndim - 1; a >= 0; --a) {
            index[a] = rest % extent[a];
            rest /= extent[a];
        }
        for (int a = 0; a < ndim; ++a) {
            cell = cell * shape[a] + start[a] + index[a];
            offset += index[a] * in.stride[a];
        }
        model_element(dtype, model_hash((uint64_t)cell + seed), in.memory + (size_t)offset * size);
    }
    return in;
}

void input_free(input *in)
{
    free(in->memory);
    *in = (input){0};
}

tsr_array *indexed_array(tsr_layout *layout, tsr_dtype dtype, uint64_t seed)
{
    const int64_t start[TSR_MAX_NDIM] = {0}, *shape = tsr_layout_shape(layout);
    input in = input_make(INPUT_C, tsr_layout_ndim(layout), shape, start, shape, dtype, seed);
    tsr_array *array = NULL;
    CHECK_OK(tsr_from_global(layout, dtype, in.data, NULL, &array));
    input_free(&in);
    return array;
}

void check_indexed(const tsr_array *array, uint64_t seed)
{
    static const unsigned char zero[16];
    const tsr_view view = tsr_local(array);
    const int64_t *shape = tsr_array_shape(array);
    const size_t size = model_elem(view.dtype);
    int64_t local[TSR_MAX_NDIM];
    unsigned char expected[16];

    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        if (!stored_cell(&view, k, local)) {
            CHECK(memcmp(cell_at(&view, local), zero, size) == 0);
            continue;
        }
        int64_t cell = 0;
        for (int a = 0; a < view.ndim; ++a)
            cell = cell * shape[a] + view.start[a] + local[a];
        model_element(view.dtype, model_hash((uint64_t)cell + seed), expected);
        if (memcmp(cell_at(&view, local), expected, size) != 0)
            tsrt_fail(__FILE__, __LINE__, "cell %lld of %s is wrong", (long long)cell,
                      tsr_dtype_name(view.dtype));
    }
}

#ifndef TSR_SERIAL
tsr_comm first_ranks(int n)
{
    MPI_Comm comm = MPI_COMM_NULL;
    const int colour = tsrt_rank() < n ? 0 : MPI_UNDEFINED;
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, colour, tsrt_rank(), &comm) == MPI_SUCCESS);
    return comm;
}

tsr_comm reversed_ranks(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, 0, -tsrt_rank(), &comm) == MPI_SUCCESS);
    return comm;
}

void free_ranks(tsr_comm *comm)
{
    if (*comm != MPI_COMM_NULL) CHECK(MPI_Comm_free(comm) == MPI_SUCCESS);
}
#else
tsr_comm first_ranks(int n)
{
    CHECK_INT(n, 1);
    return TSR_COMM_WORLD;
}

tsr_comm reversed_ranks(void)
{
    return TSR_COMM_WORLD;
}

void free_ranks(tsr_comm *comm)
{
    *comm = TSR_COMM_NULL;
}
#endif

/* False when there was no such place. */
static bool fail_once(faulty_call run, void (*check)(tsr_status st), int victim, int64_t n)
{
    const tsri_counters before = tsri_counters_read();
    tsr_array *array = (tsr_array *)&array;

    if (tsrt_rank() == victim) tsri_fault_arm(n);
    const tsr_status st = run(&array);
    bool fired = tsri_fault_fired();
    tsri_fault_arm(-1);
    tsrt_bcast(&fired, sizeof fired, victim);
    CHECK_SAME_ON_ALL(st);
    if (fired) {
        CHECK(st == TSR_ERR_NOMEM || st == TSR_ERR_MPI);
        CHECK(array == NULL);
        check_same_text();
    } else {
        CHECK_OK(st);
    }
    if (check != NULL) check(st);
    tsr_array_destroy(&array);
    const tsri_counters after = tsri_counters_read();
    CHECK_INT(after.live_blocks, before.live_blocks);
    CHECK_INT(after.live_requests, before.live_requests);
    return fired;
}

void fail_everywhere(faulty_call run, void (*check)(tsr_status st), int64_t least)
{
    for (int victim = 0; victim < tsrt_size(); ++victim) {
        int64_t n = 0;
        while (fail_once(run, check, victim, n))
            ++n;
        CHECK(n >= least);
    }
}
