#include "array/array.h"
#include "base/text.h"
#include "kern/kern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* The fewest digits that read back as the same number, with a point in every locale. */
static void append_real(tsri_text *t, double v, bool single, const char *sign)
{
    char digits[64];
    int used = 0;

    if (isnan(v)) v = NAN; /* the sign of no number is not shown */
    for (int precision = 1; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, v);
        const double back = single ? (double)strtof(digits, NULL) : strtod(digits, NULL);
        if (isnan(v) || back == v) break;
    }
    if (sign[0] != '\0' && digits[0] != '-') tsri_text_append(t, "%s", sign);
    for (const char *c = digits; *c != '\0'; ++c) {
        if (strchr("+-0123456789einfa", *c) != NULL)
            digits[used++] = *c;
        else if (used == 0 || digits[used - 1] != '.')
            digits[used++] = '.';
    }
    tsri_text_append(t, "%.*s", used, digits);
}

static void append_value(tsri_text *t, tsr_dtype dtype, const void *element)
{
    const tsr_scalar s = tsri_scalar_load(dtype, element);
    const bool single = dtype == TSR_F32 || dtype == TSR_C64;

    if (dtype == TSR_BOOL) {
        tsri_text_append(t, "%s", s.as.b ? "True" : "False");
    } else if (dtype <= TSR_I64) {
        tsri_text_append(t, "%lld", (long long)s.as.i);
    } else if (dtype <= TSR_U64) {
        tsri_text_append(t, "%llu", (unsigned long long)s.as.u);
    } else if (dtype <= TSR_F64) {
        append_real(t, s.as.f, single, "");
    } else {
        tsri_text_append(t, "(");
        append_real(t, s.as.c[0], single, "");
        append_real(t, s.as.c[1], single, "+");
        tsri_text_append(t, "j)");
    }
}

/* Cell k of the block in C order. */
static void append_cell(tsri_text *t, const tsr_view *view, int64_t k)
{
    int64_t offset = 0;

    for (int a = view->ndim - 1; a >= 0; --a) {
        offset += k % view->extent[a] * view->stride[a];
        k /= view->extent[a];
    }
    append_value(t, view->dtype,
                 (const char *)view->data + offset * (int64_t)tsr_dtype_size(view->dtype));
}

/* How many rows, planes, ... end before cell k of the block: axes whose index is back at 0. */
static int ends_before(const tsr_view *view, int64_t k)
{
    int ends = 0;

    for (int a = view->ndim - 1; a >= 0 && k % view->extent[a] == 0; --a) {
        k /= view->extent[a];
        ++ends;
    }
    return ends;
}

/* A small block, with brackets around every row. */
static void append_rows(tsri_text *t, const tsr_view *view, int64_t cells)
{
    for (int64_t k = 0; k < cells; ++k) {
        const int opened = ends_before(view, k), closed = ends_before(view, k + 1);
        tsri_text_append(t, "%s", k == 0 ? "" : ", ");
        for (int b = 0; b < opened; ++b)
            tsri_text_append(t, "[");
        append_cell(t, view, k);
        for (int b = 0; b < closed; ++b)
            tsri_text_append(t, "]");
    }
}

static void append_block(tsri_text *t, const tsr_view *view)
{
    enum { WHOLE = 6, ENDS = 3 };
    int64_t cells = 1;

    for (int a = 0; a < view->ndim; ++a)
        cells *= view->extent[a];
    if (view->data == NULL) {
        tsri_text_append(t, "[]");
    } else if (cells <= WHOLE) {
        append_rows(t, view, cells);
    } else {
        for (int64_t k = 0; k < ENDS; ++k) {
            tsri_text_append(t, k == 0 ? "[" : ", ");
            append_cell(t, view, k);
        }
        tsri_text_append(t, ", ...");
        for (int64_t k = cells - ENDS; k < cells; ++k) {
            tsri_text_append(t, ", ");
            append_cell(t, view, k);
        }
        tsri_text_append(t, "] (%lld values)", (long long)cells);
    }
}

/* ---- array ----------------------------------------------------------------------------------- */

static void append_head(tsri_text *t, const tsr_array *array)
{
    const tsri_geometry *g = &array->layout->geometry;
    int axes = 0;

    tsri_text_append(t, "DistributedArray(shape=(");
    for (int a = 0; a < g->ndim; ++a)
        tsri_text_append(t, "%s%lld", a == 0 ? "" : ", ", (long long)g->shape[a]);
    tsri_text_append(t, "%s), dtype=%s, split=(", g->ndim == 1 ? "," : "",
                     tsr_dtype_name(array->dtype));
    for (int a = 0; a < g->ndim; ++a)
        if (g->split >> a & 1u) tsri_text_append(t, "%s%d", axes++ == 0 ? "" : ", ", a);
    tsri_text_append(t, "%s), rank %d of %d holds [", axes == 1 ? "," : "", array->layout->rank,
                     array->layout->size);
}

static void append_ranges(tsri_text *t, const tsr_array *array)
{
    const tsri_geometry *g = &array->layout->geometry;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];

    tsri_geometry_block(g, array->layout->rank, start, extent);
    for (int a = 0; a < g->ndim; ++a)
        tsri_text_append(t, "%s%lld:%lld", a == 0 ? "" : ", ", (long long)start[a],
                         (long long)(start[a] + extent[a]));
    tsri_text_append(t, "]: ");
}

size_t tsr_array_describe(const tsr_array *array, size_t size, char *buffer)
{
    tsri_text t = tsri_text_begin(size, buffer);

    if (array == NULL) return 0;
    const tsr_view view = tsr_local(array);
    append_head(&t, array);
    append_ranges(&t, array);
    append_block(&t, &view);
    tsri_text_append(&t, ")");
    return t.length;
}
