/* The text form of a layout. */
#include "layout/layout.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Text that goes into a buffer as far as it fits, and is counted as a whole. */
typedef struct text {
    char *buffer;
    size_t size, length;
} text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(text *t, const char *format, ...)
{
    const bool fits = t->length < t->size;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(fits ? t->buffer + t->length : NULL, fits ? t->size - t->length : 0,
                            format, arguments);
    va_end(arguments);
    if (n > 0) t->length += (size_t)n;
}

/* What goes between the elements of a tuple, and after the last: a tuple of one keeps its comma. */
static void append_close(text *t, int count)
{
    append(t, count == 1 ? ",)" : ")");
}

static void append_split(text *t, const tsri_geometry *g)
{
    int count = 0;
    append(t, "split=(");
    for (int a = 0; a < g->ndim; ++a) {
        if ((g->split >> a & 1u) != 0) append(t, "%s%d", count++ > 0 ? ", " : "", a);
    }
    append_close(t, count);
}

static void append_lengths(text *t, const tsri_geometry *g)
{
    append(t, "shape=(");
    for (int a = 0; a < g->ndim; ++a) {
        append(t, "%s%" PRId64, a > 0 ? ", " : "", g->shape[a]);
    }
    append_close(t, g->ndim);
}

static void append_halo(text *t, const tsri_geometry *g)
{
    append(t, "halo=(");
    for (int a = 0; a < g->ndim; ++a) {
        const int64_t lo = g->halo_lo[a], hi = g->halo_hi[a];
        append(t, "%s", a > 0 ? ", " : "");
        if (lo == hi) {
            append(t, "%" PRId64, lo);
        } else {
            append(t, "(%" PRId64 ", %" PRId64 ")", lo, hi);
        }
    }
    append_close(t, g->ndim);
}

static void append_periodic(text *t, const tsri_geometry *g)
{
    append(t, "periodic=(");
    for (int a = 0; a < g->ndim; ++a) {
        const bool periodic = (g->periodic >> a & 1u) != 0;
        append(t, "%s%s", a > 0 ? ", " : "", periodic ? "True" : "False");
    }
    append_close(t, g->ndim);
}

static void append_grid(text *t, const tsri_geometry *g)
{
    append(t, "process_grid=(");
    for (int a = 0; a < g->ndim; ++a) {
        append(t, "%s%d", a > 0 ? ", " : "", g->grid[a]);
    }
    append_close(t, g->ndim);
}

/* The cuts of all axes, if those of any are not near-even. */
static void append_bounds(text *t, const tsri_geometry *g)
{
    bool near_even = true;
    for (int a = 0; a < g->ndim; ++a) {
        if (g->cuts[a] != NULL) near_even = false;
    }
    if (near_even) return;
    append(t, "bounds=(");
    for (int a = 0; a < g->ndim; ++a) {
        const tsri_axis axis = tsri_geometry_axis(g, a);
        append(t, "%s(", a > 0 ? ", " : "");
        for (int k = 0; k <= axis.blocks; ++k) {
            append(t, "%s%" PRId64, k > 0 ? ", " : "", tsri_axis_cut(&axis, k));
        }
        append(t, ")");
    }
    append_close(t, g->ndim);
    append(t, ", ");
}

size_t tsr_layout_describe(const tsr_layout *layout, size_t size, char *buffer)
{
    static void (*const parts[])(text *, const tsri_geometry *) = {
        append_lengths, append_split, append_halo, append_periodic, append_grid,
    };
    text t = {.buffer = buffer, .size = buffer == NULL ? 0 : size};

    if (t.size > 0) buffer[0] = '\0';
    if (layout == NULL) return 0;
    append(&t, "Layout(");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        parts[i](&t, &layout->geometry);
        append(&t, ", ");
    }
    append_bounds(&t, &layout->geometry);
    append(&t, "rank=%d of %d)", layout->rank, layout->size);
    return t.length;
}
