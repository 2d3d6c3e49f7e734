/* ranks: 1 */
/* The serial model that the other halo tests trust, held against the worked examples. */
#include "support/halo_setup.h"

static void compare(const model *m, const double *expected)
{
    for (int64_t i = 0; i < m->offset[m->layout->ranks]; ++i)
        CHECK_DOUBLE(((const double *)m->data)[i], expected[i], 0);
}

static void update(void **state)
{
    const halo_example *example = *state;
    const model_layout layout = setup_update_layout(example);
    tsr_boundary own[2 * MODEL_NDIM] = {{0}};
    model m;

    for (int k = 0; k < 2 * example->ndim; ++k)
        own[k] = (tsr_boundary){example->kind, tsr_f64(example->value), NULL, NULL};
    const model_request q =
        model_request_of(&layout, &(tsr_halo_options){.axes = example->axes}, own);
    model_create(&m, &layout, TSR_F64);
    setup_update_values(&m, example);
    model_update(&m, &q);
    compare(&m, example->expected);
    model_free(&m);
}

static void accumulate(void **state)
{
    const accumulate_example *example = *state;
    const model_layout layout = setup_accumulate_layout(example);
    const tsr_boundary own[2 * MODEL_NDIM] = {{0}};
    model m;

    const model_request q = model_request_of(&layout, NULL, own);
    model_create(&m, &layout, TSR_F64);
    setup_accumulate_values(&m, example);
    model_accumulate(&m, &q);
    compare(&m, example->expected);
    model_free(&m);
}

int main(int argc, char **argv)
{
    return setup_run(argc, argv, update, accumulate, NULL, 0);
}
