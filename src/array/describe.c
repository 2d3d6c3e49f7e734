#include "array/array.h"
#include "kern/kern.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- values ---------------------------------------------------------------------------------- */

/* The fewest digits that read back as the same number, with a point in every locale. */
static void append_real(text *t, double v, bool single, const char *sign)
{
    char digits[64];
    int used = 0;

    for (int precision = 1; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, v);
        const double back = single ? (double)strtof(digits, NULL) : strtod(digits, NULL);
        if (isnan(v) || back == v) break;
    }
    if (sign[0] != '\0' && digits[0] != '-') append(t, "%s", sign);
    for (const char *c = digits; *c != '\0'; ++c) {
        if (strchr("+-0123456789einfa", *c) != NULL)
            digits[used++] = *c;
        else if (used == 0 || digits[used - 1] != '.')
            digits[used++] = '.';
    }
    append(t, "%.*s", used, digits);
}

static void append_value(text *t, tsr_dtype dtype, const void *element)
{
    const tsr_scalar s = tsri_scalar_load(dtype, element);
    const bool single = dtype == TSR_F32 || dtype == TSR_C64;

    if (dtype == TSR_BOOL) {
        append(t, "%s", s.as.b ? "True" : "False");
    } else if (dtype <= TSR_I64) {
        append(t, "%lld", (long long)s.as.i);
    } else if (dtype <= TSR_U64) {
        append(t, "%llu", (unsigned long long)s.as.u);
    } else if (dtype <= TSR_F64) {
        append_real(t, s.as.f, single, "");
    } else {
        append(t, "(");
        append_real(t, s.as.c[0], single, "");
        append_real(t, s.as.c[1], single, "+");
        append(t, "j)");
    }
}

/* Cell k of the block in C order. */
static void append_cell(text *t, const tsr_view *view, int64_t k)
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
static void append_rows(text *t, const tsr_view *view, int64_t cells)
{
    for (int64_t k = 0; k < cells; ++k) {
        const int opened = ends_before(view, k), closed = ends_before(view, k + 1);
        append(t, "%s", k == 0 ? "" : ", ");
        for (int b = 0; b < opened; ++b)
            append(t, "[");
        append_cell(t, view, k);
        for (int b = 0; b < closed; ++b)
            append(t, "]");
    }
}

static void append_block(text *t, const tsr_view *view)
{
    enum { WHOLE = 6, ENDS = 3 };
    int64_t cells = 1;

    for (int a = 0; a < view->ndim; ++a)
        cells *= view->extent[a];
    if (view->data == NULL) {
        append(t, "[]");
    } else if (cells <= WHOLE) {
        append_rows(t, view, cells);
    } else {
        for (int64_t k = 0; k < ENDS; ++k) {
            append(t, k == 0 ? "[" : ", ");
            append_cell(t, view, k);
        }
        append(t, ", ...");
        for (int64_t k = cells - ENDS; k < cells; ++k) {
            append(t, ", ");
            append_cell(t, view, k);
        }
        append(t, "] (%lld values)", (long long)cells);
    }
}

/* ---- array ----------------------------------------------------------------------------------- */

static void append_head(text *t, const tsr_array *array)
{
    const tsri_geometry *g = &array->layout->geometry;
    int axes = 0;

    append(t, "DistributedArray(shape=(");
    for (int a = 0; a < g->ndim; ++a)
        append(t, "%s%lld", a == 0 ? "" : ", ", (long long)g->shape[a]);
    append(t, "%s), dtype=%s, split=(", g->ndim == 1 ? "," : "", tsr_dtype_name(array->dtype));
    for (int a = 0; a < g->ndim; ++a)
        if (g->split >> a & 1u) append(t, "%s%d", axes++ == 0 ? "" : ", ", a);
    append(t, "%s), rank %d of %d holds [", axes == 1 ? "," : "", array->layout->rank,
           array->layout->size);
}

static void append_ranges(text *t, const tsr_array *array)
{
    const tsri_geometry *g = &array->layout->geometry;
    int64_t start[TSR_MAX_NDIM], extent[TSR_MAX_NDIM];

    tsri_geometry_block(g, array->layout->rank, start, extent);
    for (int a = 0; a < g->ndim; ++a)
        append(t, "%s%lld:%lld", a == 0 ? "" : ", ", (long long)start[a],
               (long long)(start[a] + extent[a]));
    append(t, "]: ");
}

size_t tsr_array_describe(const tsr_array *array, size_t size, char *buffer)
{
    text t = {.buffer = buffer, .size = buffer == NULL ? 0 : size};

    if (t.size > 0) buffer[0] = '\0';
    if (array == NULL) return 0;
    const tsr_view view = tsr_local(array);
    append_head(&t, array);
    append_ranges(&t, array);
    append_block(&t, &view);
    append(&t, ")");
    return t.length;
}
