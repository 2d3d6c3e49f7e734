#include "expr/exponents.h"

#include "kern/kern.h"

typedef struct exponents {
    tsr_dtype dtype;
    bool negative;
} exponents;

static void find_negative(const tsri_band *band, void *state)
{
    exponents *e = state;
    const int64_t n = band->rows * band->cols;
    int64_t block[TSRI_VECTOR_BLOCK];

    tsri_kern_get()->convert(1, &n, TSR_I64, block, &(int64_t){1}, e->dtype, band->data,
                             &(int64_t){1});
    for (int64_t k = 0; k < n; ++k)
        e->negative = e->negative || block[k] < 0;
}

tsr_status tsri_exponents_check(const char *call, tsri_program *p, const tsri_cells *cells)
{
    for (int k = 0; k < p->checks; ++k) {
        const tsri_value *v = &p->form.value[p->form.exponent[k]];
        exponents e = {.dtype = v->dtype};
        tsri_sweep_bands(p, &p->check[k], cells, NULL, find_negative, &e);
        if (e.negative)
            return TSRI_FAIL_AT(call, TSR_ERR_VALUE, p->text, v->column,
                                "integers to a negative integer power: make one of them real");
    }
    return TSR_OK;
}
