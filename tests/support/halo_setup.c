#include "support/halo_setup.h"

static model_layout setup_layout(int ranks, int ndim, const int64_t *shape, const int *grid,
                                 const int64_t *halo, tsr_axes periodic, const int64_t *cuts)
{
    model_layout layout = {
        .ndim = ndim, .ranks = ranks, .whole = grid[0] == 0, .periodic = periodic};

    for (int a = 0; a < ndim; ++a) {
        layout.shape[a] = shape[a];
        layout.lo[a] = layout.hi[a] = halo[a];
        layout.grid[a] = layout.whole ? 1 : grid[a];
        model_near_even(shape[a], layout.grid[a], layout.cuts[a]);
    }
    if (cuts[1] != 0) memcpy(layout.cuts[0], cuts, ((size_t)layout.grid[0] + 1) * sizeof *cuts);
    return layout;
}

model_layout setup_update_layout(const halo_example *e)
{
    return setup_layout(e->ranks, e->ndim, e->shape, e->grid, e->halo, e->periodic, e->cuts);
}

model_layout setup_accumulate_layout(const accumulate_example *e)
{
    return setup_layout(e->ranks, e->ndim, e->shape, e->grid, e->halo, e->periodic, e->cuts);
}

void setup_update_values(model *m, const halo_example *example)
{
    const model_layout *layout = m->layout;

    for (int rank = 0; rank < layout->ranks; ++rank) {
        int coords[MODEL_NDIM];
        int64_t local[MODEL_NDIM];
        model_coords(layout, rank, coords);
        for (int64_t i = 0; i < m->offset[rank + 1] - m->offset[rank]; ++i) {
            double value = example->halo0 + rank * example->halo_step;
            int64_t index = 0;
            model_local(layout, coords, i, local);
            for (int a = 0; a < layout->ndim; ++a)
                index = index * layout->shape[a] + layout->cuts[a][coords[a]] + local[a];
            if (model_outside(layout, coords, local) == 0)
                value = example->block ? rank + 1 : example->first + (double)index * example->step;
            ((double *)m->data)[m->offset[rank] + i] = value;
        }
    }
}

void setup_accumulate_values(model *m, const accumulate_example *example)
{
    memcpy(m->data, example->before, (size_t)m->offset[m->layout->ranks] * sizeof(double));
}

static struct CMUnitTest example_test(const char *id, CMUnitTestFunction function,
                                      const void *example)
{
    return (struct CMUnitTest){
        .name = id, .test_func = function, .initial_state = (void *)(uintptr_t)example};
}

int setup_run(int argc, char **argv, CMUnitTestFunction update, CMUnitTestFunction accumulate,
              const struct CMUnitTest *more, size_t more_count)
{
    struct CMUnitTest tests[80];
    size_t count = 0;

    for (int k = 0; update != NULL && k < halo_example_count; ++k)
        tests[count++] = example_test(halo_examples[k].id, update, &halo_examples[k]);
    for (int k = 0; accumulate != NULL && k < accumulate_example_count; ++k)
        tests[count++] =
            example_test(accumulate_examples[k].id, accumulate, &accumulate_examples[k]);
    for (size_t k = 0; k < more_count; ++k)
        tests[count++] = more[k];
    return tsrt_run(argc, argv, tests, count);
}
