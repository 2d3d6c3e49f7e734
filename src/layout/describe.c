/* The text form of a layout. */
#include "base/text.h"
#include "layout/layout.h"

#include <inttypes.h>

/* The end of a tuple; one of a single element keeps its comma. */
static void append_close(tsri_text *t, int count)
{
    tsri_text_append(t, count == 1 ? ",)" : ")");
}

static void append_split(tsri_text *t, const tsri_geometry *g)
{
    int count = 0;
    tsri_text_append(t, "split=(");
    for (int a = 0; a < g->ndim; ++a) {
        if ((g->split >> a & 1u) != 0) tsri_text_append(t, "%s%d", count++ > 0 ? ", " : "", a);
    }
    append_close(t, count);
}

static void append_lengths(tsri_text *t, const tsri_geometry *g)
{
    tsri_text_append(t, "shape=(");
    for (int a = 0; a < g->ndim; ++a) {
        tsri_text_append(t, "%s%" PRId64, a > 0 ? ", " : "", g->shape[a]);
    }
    append_close(t, g->ndim);
}

static void append_halo(tsri_text *t, const tsri_geometry *g)
{
    tsri_text_append(t, "halo=(");
    for (int a = 0; a < g->ndim; ++a) {
        const int64_t lo = g->halo_lo[a], hi = g->halo_hi[a];
        tsri_text_append(t, "%s", a > 0 ? ", " : "");
        if (lo == hi) {
            tsri_text_append(t, "%" PRId64, lo);
        } else {
            tsri_text_append(t, "(%" PRId64 ", %" PRId64 ")", lo, hi);
        }
    }
    append_close(t, g->ndim);
}

static void append_periodic(tsri_text *t, const tsri_geometry *g)
{
    tsri_text_append(t, "periodic=(");
    for (int a = 0; a < g->ndim; ++a) {
        const bool periodic = (g->periodic >> a & 1u) != 0;
        tsri_text_append(t, "%s%s", a > 0 ? ", " : "", periodic ? "True" : "False");
    }
    append_close(t, g->ndim);
}

static void append_grid(tsri_text *t, const tsri_geometry *g)
{
    tsri_text_append(t, "process_grid=(");
    for (int a = 0; a < g->ndim; ++a) {
        tsri_text_append(t, "%s%d", a > 0 ? ", " : "", g->grid[a]);
    }
    append_close(t, g->ndim);
}

/* The cuts of all axes, if those of any are not near-even. */
static void append_bounds(tsri_text *t, const tsri_geometry *g)
{
    bool near_even = true;
    for (int a = 0; a < g->ndim; ++a) {
        if (g->cuts[a] != NULL) near_even = false;
    }
    if (near_even) return;
    tsri_text_append(t, "bounds=(");
    for (int a = 0; a < g->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(g, a);
        tsri_text_append(t, "%s(", a > 0 ? ", " : "");
        for (int k = 0; k <= axis.blocks; ++k) {
            tsri_text_append(t, "%s%" PRId64, k > 0 ? ", " : "", tsri_axis_cut(&axis, k));
        }
        tsri_text_append(t, ")");
    }
    append_close(t, g->ndim);
    tsri_text_append(t, ", ");
}

size_t tsr_layout_describe(const tsr_layout *layout, size_t size, char *buffer)
{
    static void (*const parts[])(tsri_text *, const tsri_geometry *) = {
        append_lengths, append_split, append_halo, append_periodic, append_grid,
    };
    tsri_text t = tsri_text_begin(size, buffer);

    if (layout == NULL) return 0;
    tsri_text_append(&t, "Layout(");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        parts[i](&t, &layout->geometry);
        tsri_text_append(&t, ", ");
    }
    append_bounds(&t, &layout->geometry);
    tsri_text_append(&t, "rank=%d of %d)", layout->rank, layout->size);
    return t.length;
}
