#include "support/cells.h"

int64_t stored_cells(const tsr_view *view)
{
    int64_t cells = view->data != NULL;

    for (int a = 0; a < view->ndim; ++a)
        cells *= view->halo_lo[a] + view->extent[a] + view->halo_hi[a];
    return cells;
}

bool stored_cell(const tsr_view *view, int64_t k, int64_t *local)
{
    bool owned = true;

    for (int a = view->ndim - 1; a >= 0; --a) {
        const int64_t n = view->halo_lo[a] + view->extent[a] + view->halo_hi[a];
        local[a] = k % n - view->halo_lo[a];
        k /= n;
        owned = owned && local[a] >= 0 && local[a] < view->extent[a];
    }
    return owned;
}

void *cell_at(const tsr_view *view, const int64_t *local)
{
    int64_t offset = 0;

    for (int a = 0; a < view->ndim; ++a)
        offset += local[a] * view->stride[a];
    return (char *)view->data + offset * (int64_t)tsr_dtype_size(view->dtype);
}

void cell_parts(const tsr_view *view, const int64_t *local, double *parts)
{
    parts[0] = parts[1] = 0;
    switch (view->dtype) {
#define READ(suffix, ctype, name, components)                                                      \
    case TSR_##suffix: {                                                                           \
        ctype v[2] = {0};                                                                          \
        memcpy(v, cell_at(view, local), sizeof v[0] * (components));                               \
        parts[0] = (double)v[0];                                                                   \
        parts[1] = (double)v[1];                                                                   \
        break;                                                                                     \
    }
        TSR_DTYPE_LIST(READ)
    default:
        tsrt_fail(__FILE__, __LINE__, "a view of type %d", (int)view->dtype);
    }
}

double cell_value(const tsr_view *view, const int64_t *local)
{
    double parts[2];

    cell_parts(view, local, parts);
    return parts[0];
}

tsr_layout *make_layout(int ndim, const int64_t *shape, const tsr_layout_options *options)
{
    tsr_layout *layout = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, options, &layout));
    return layout;
}

void check_same_text(void)
{
    const char *text = tsr_error_text();
    uint32_t hash = 1;

    CHECK(text[0] != '\0');
    for (const char *c = text; *c != '\0'; ++c)
        hash = hash * 31 + (unsigned char)*c;
    CHECK_SAME_ON_ALL((int)(hash & 0x7fffffff));
}

void check_all_cells(const tsr_array *array, double owned, double halo)
{
    const tsr_view view = tsr_local(array);
    int64_t local[TSR_MAX_NDIM];

    for (int64_t k = 0; k < stored_cells(&view); ++k) {
        const double expected = stored_cell(&view, k, local) ? owned : halo;
        CHECK_DOUBLE(cell_value(&view, local), expected, 0);
    }
}
