#include "expr/sweep.h"

#include "kern/kern.h"

#include <string.h>

/* A sweep goes through tiles: runs of cells along the last axis, or several rows at once where rows
 * are so short that copying them together costs less than running every step for each of them. */
typedef struct sweep {
    tsri_program *program;
    const tsri_code *code;
    int ndim;
    int64_t extent[TSR_MAX_NDIM];
    int64_t index[TSR_MAX_NDIM]; /* of the tile's first row */
    int64_t tile_rows;
    tsri_band_visitor *visit; /* NULL: into the output */
    void *state;
    tsri_cursor place; /* in the order that visits ask for */
} sweep;

typedef struct tile {
    int64_t rows, cols;
    int64_t cells;
} tile;

/* ---- leaves and output ----------------------------------------------------------------------- */

/* Elements from a cell to the next along the last axis, and along the one before. */
static int64_t col_stride(const sweep *s, const tsri_cursor *c)
{
    return s->ndim > 0 ? c->stride[s->ndim - 1] : 1;
}

static int64_t row_stride(const sweep *s, const tsri_cursor *c)
{
    return s->ndim > 1 ? c->stride[s->ndim - 2] : 0;
}

static ptrdiff_t bytes(const tsri_cursor *c, int64_t elements)
{
    return (ptrdiff_t)elements * (ptrdiff_t)c->size;
}

/* Whether the cells of a tile lie side by side. */
static bool is_direct(const sweep *s, const tsri_cursor *c, tile t)
{
    if (c->at == NULL || (t.cols > 1 && col_stride(s, c) != 1)) return false;
    return t.rows == 1 || row_stride(s, c) == t.cols;
}

static void fill_indices(const sweep *s, const tsri_cursor *c, int64_t first, tile t, int64_t *out)
{
    const int64_t step = col_stride(s, c);

    for (int64_t i = 0; i < t.rows; ++i) {
        const int64_t start = first + i * row_stride(s, c);
        for (int64_t j = 0; j < t.cols; ++j)
            out[i * t.cols + j] = start + j * step;
    }
}

static void copy_tile(size_t size, tile t, void *dst, int64_t dst_row, int64_t dst_col,
                      const void *src, int64_t src_row, int64_t src_col)
{
    tsri_kern_get()->copy(size, 2, (const int64_t[]){t.rows, t.cols}, dst,
                          (const int64_t[]){dst_row, dst_col}, src,
                          (const int64_t[]){src_row, src_col});
}

/* Point a leaf's slot at a tile, whose first column is `col`. */
static void point(const sweep *s, int leaf, int64_t col, tile t)
{
    tsri_program *p = s->program;
    const tsri_cursor *c = &p->cursor[leaf];
    const int64_t by = col * col_stride(s, c);

    p->slot[leaf] = p->room[leaf];
    if (c->at == NULL)
        fill_indices(s, c, c->index + by, t, (int64_t *)(void *)p->room[leaf]);
    else if (is_direct(s, c, t))
        p->slot[leaf] = c->at + bytes(c, by);
    else
        copy_tile(c->size, t, p->room[leaf], t.cols, 1, c->at + bytes(c, by), row_stride(s, c),
                  col_stride(s, c));
}

/* ---- one tile -------------------------------------------------------------------------------- */

static void run_steps(const tsri_program *p, const tsri_code *code, int64_t cells, void *out)
{
    const int output = tsri_output_slot(p);

    for (int k = 0; k < code->steps; ++k) {
        const tsri_step *step = &code->step[k];
        void *to = step->out == output ? out : (void *)p->room[step->out];
        const void *in[TSRI_VECTOR_OPERANDS];
        for (int i = 0; i < step->operands; ++i)
            in[i] = p->slot[step->in[i]];
        if (step->apply != NULL)
            step->apply(cells * step->parts, to, in);
        else
            step->convert(cells, to, in[0]);
    }
}

/* Hand a tile out. */
static void hand_out(const sweep *s, int64_t col, tile t)
{
    const tsri_band band = {.data = s->program->slot[s->code->result],
                            .size = s->code->size,
                            .rows = t.rows,
                            .cols = t.cols,
                            .row_stride = t.cols,
                            .col_stride = 1,
                            .offset = s->place.index + col * col_stride(s, &s->place),
                            .row_step = row_stride(s, &s->place),
                            .col_step = col_stride(s, &s->place)};
    s->visit(&band, s->state);
}

static void run_tile(const sweep *s, int64_t col, tile t)
{
    tsri_program *p = s->program;
    const int output = tsri_output_slot(p);
    const tsri_cursor *c = &p->cursor[p->form.leaves];
    const bool direct = s->visit == NULL && is_direct(s, c, t);
    unsigned char *out = direct ? c->at + bytes(c, col) : p->room[output];

    for (int k = 0; k < s->code->leaves; ++k)
        point(s, s->code->leaf[k], col, t);
    p->slot[output] = out;
    run_steps(p, s->code, t.cells, out);
    const void *result = p->slot[s->code->result];
    if (s->visit != NULL)
        hand_out(s, col, t);
    else if (!direct)
        copy_tile(c->size, t, c->at + bytes(c, col * col_stride(s, c)), row_stride(s, c),
                  col_stride(s, c), result, t.cols, 1);
    else if (result != out)
        memcpy(out, result, (size_t)t.cells * c->size);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void move_cursor(tsri_cursor *c, int axis, int64_t by)
{
    if (c->at == NULL)
        c->index += by * c->stride[axis];
    else
        c->at += bytes(c, by * c->stride[axis]);
}

static void move(sweep *s, int axis, int64_t by)
{
    tsri_program *p = s->program;

    for (int k = 0; k < s->code->leaves; ++k)
        move_cursor(&p->cursor[s->code->leaf[k]], axis, by);
    move_cursor(&p->cursor[p->form.leaves], axis, by);
    move_cursor(&s->place, axis, by);
}

static void run_rows(const sweep *s, int64_t rows)
{
    const int64_t cols = s->ndim > 0 ? s->extent[s->ndim - 1] : 1;
    const int64_t most = s->program->block / rows;

    for (int64_t col = 0; col < cols; col += most) {
        tile t = {.rows = rows, .cols = cols - col < most ? cols - col : most};
        t.cells = t.rows * t.cols;
        run_tile(s, col, t);
    }
}

/* Step to the next rows; false at the end. */
static bool next_rows(sweep *s, int64_t *rows)
{
    int a = s->ndim - 2;

    for (; a >= 0; --a) {
        const int64_t by = a == s->ndim - 2 ? *rows : 1;
        s->index[a] += by;
        move(s, a, by);
        if (s->index[a] < s->extent[a]) break;
        move(s, a, -s->index[a]);
        s->index[a] = 0;
    }
    if (a < 0) return false;
    const int64_t left = s->extent[s->ndim - 2] - s->index[s->ndim - 2];
    *rows = s->tile_rows < left ? s->tile_rows : left;
    return true;
}

/* ---- rows that lie as they are needed -------------------------------------------------------- */

/* Whether every row can be read and written in place, so that a tile is nothing but pointers. */
static bool is_plain(const sweep *s)
{
    const tsri_program *p = s->program;
    const tile row = {.rows = 1, .cols = s->ndim > 0 ? s->extent[s->ndim - 1] : 1};

    if (s->visit != NULL || s->tile_rows > 1 || s->code->result != tsri_output_slot(p))
        return false;
    for (int k = 0; k < s->code->leaves; ++k)
        if (!is_direct(s, &p->cursor[s->code->leaf[k]], row)) return false;
    return is_direct(s, &p->cursor[p->form.leaves], row);
}

/* Pieces of rows of about the same length, so that none is short. */
static int64_t piece_of_row(const sweep *s, int64_t cols)
{
    enum { WHOLE_LINES = 16 };
    const int64_t block = s->program->block, pieces = (cols + block - 1) / block;

    if (pieces <= 1) return cols;
    return ((cols + pieces - 1) / pieces + WHOLE_LINES - 1) / WHOLE_LINES * WHOLE_LINES;
}

/* All rows along the last axis but one, from where the cursors stand. */
static void run_plain_rows(const sweep *s)
{
    tsri_program *p = s->program;
    const tsri_code *code = s->code;
    const tsri_cursor *output = &p->cursor[p->form.leaves];
    const int64_t rows = s->ndim > 1 ? s->extent[s->ndim - 2] : 1;
    const int64_t cols = s->ndim > 0 ? s->extent[s->ndim - 1] : 1;
    const int64_t most = piece_of_row(s, cols);

    for (int64_t col = 0; col < cols; col += most) {
        const int64_t cells = cols - col < most ? cols - col : most;
        unsigned char *out = output->at + bytes(output, col);
        for (int k = 0; k < code->leaves; ++k) {
            const tsri_cursor *c = &p->cursor[code->leaf[k]];
            p->slot[code->leaf[k]] = c->at + bytes(c, col);
            p->row_bytes[k] = bytes(c, row_stride(s, c));
        }
        for (int64_t row = 0;;) {
            p->slot[tsri_output_slot(p)] = out;
            run_steps(p, code, cells, out);
            if (++row == rows) break;
            out += bytes(output, row_stride(s, output));
            for (int k = 0; k < code->leaves; ++k) {
                const void **slot = &p->slot[code->leaf[k]];
                *slot = (const unsigned char *)*slot + p->row_bytes[k];
            }
        }
    }
}

/* ---- runs across rows ------------------------------------------------------------------------ */

/* Rows of a plane lie one after the other with a gap, of the halo, between them.  A run that goes
 * on through the gaps computes cells that nobody asked for, which is cheaper than to begin anew
 * with every short row; what the output held there is put back. */
typedef struct gaps {
    int64_t count;
    size_t bytes, first, next; /* of each, to the first, from one to the next */
    unsigned char kept[TSRI_VECTOR_BLOCK * 16];
} gaps;

/* Copies of a few bytes must not be calls of a function. */
#define COPY_GAPS(size)                                                                            \
    for (int64_t k = 0; k < g->count; ++k, kept += (size), gap += g->next)                         \
    memcpy(keep ? kept : gap, keep ? gap : kept, (size))

static inline void copy_gaps(gaps *g, unsigned char *out, bool keep)
{
    unsigned char *kept = g->kept, *gap = out + g->first;

    if (g->bytes == 8)
        COPY_GAPS(8);
    else if (g->bytes == 16)
        COPY_GAPS(16);
    else
        COPY_GAPS(g->bytes);
}

/* Whether all rows of a plane can be run through: the gaps are narrow, and alike everywhere. */
static bool has_gaps(const sweep *s)
{
    enum { LONG_ROW = 56 };
    const tsri_program *p = s->program;
    const tsri_cursor *output = &p->cursor[p->form.leaves];
    const int64_t cols = s->ndim > 1 ? s->extent[s->ndim - 1] : 0;
    const int64_t row = row_stride(s, output);

    if (cols < 1 || cols > LONG_ROW || s->extent[s->ndim - 2] < 2) return false;
    if (row < cols || row - cols > cols || row > p->block) return false;
    for (int k = 0; k < s->code->leaves; ++k)
        if (row_stride(s, &p->cursor[s->code->leaf[k]]) != row) return false;
    return true;
}

/* All rows along the last axis but one, from where the cursors stand. */
static void run_through_rows(const sweep *s)
{
    tsri_program *p = s->program;
    const tsri_code *code = s->code;
    const tsri_cursor *output = &p->cursor[p->form.leaves];
    const int64_t cols = s->extent[s->ndim - 1], row = row_stride(s, output);
    const int64_t rows = s->extent[s->ndim - 2], most = p->block / row;
    gaps g;

    g.bytes = (size_t)(row - cols) * output->size;
    g.first = (size_t)cols * output->size;
    g.next = (size_t)row * output->size;
    for (int64_t first = 0; first < rows; first += most) {
        unsigned char *out = output->at + bytes(output, first * row);
        g.count = (rows - first < most ? rows - first : most) - 1;
        for (int k = 0; k < code->leaves; ++k) {
            const tsri_cursor *c = &p->cursor[code->leaf[k]];
            p->slot[code->leaf[k]] = c->at + bytes(c, first * row);
        }
        copy_gaps(&g, out, true);
        p->slot[tsri_output_slot(p)] = out;
        run_steps(p, code, g.count * row + cols, out);
        copy_gaps(&g, out, false);
    }
}

/* Step to the next plane; false at the end. */
static bool next_plane(sweep *s)
{
    for (int a = s->ndim - 3; a >= 0; --a) {
        move(s, a, 1);
        if (++s->index[a] < s->extent[a]) return true;
        move(s, a, -s->index[a]);
        s->index[a] = 0;
    }
    return false;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static int64_t rows_of_tile(const sweep *s)
{
    enum { SHORT_ROW = 8, SHORT_VISIT = 64 };
    const int64_t shortest = s->visit == NULL ? SHORT_ROW : SHORT_VISIT;

    if (s->ndim < 2 || s->extent[s->ndim - 1] > shortest) return 1;
    const int64_t rows = s->program->block / s->extent[s->ndim - 1];
    return rows < 1 ? 1 : rows < s->extent[s->ndim - 2] ? rows : s->extent[s->ndim - 2];
}

/* Cursors at the first cell of the box; false when it has none. */
static bool place_cursors(sweep *s, const tsri_cells *cells)
{
    tsri_program *p = s->program;
    int count = 0;

    for (int a = 0; a < cells->ndim; ++a) {
        s->extent[a] = cells->hi[a] - cells->lo[a];
        if (s->extent[a] <= 0) return false;
        move_cursor(&s->place, a, cells->lo[a]);
    }
    for (int k = 0; k <= s->code->leaves; ++k) {
        const int leaf = k < s->code->leaves ? s->code->leaf[k] : p->form.leaves;
        tsri_cursor *c = &p->cursor[leaf];
        *c = p->home[leaf];
        for (int a = 0; a < cells->ndim; ++a)
            move_cursor(c, a, cells->lo[a]);
        if (k < s->code->leaves || s->visit == NULL) p->stride[count++] = c->stride;
    }
    if (s->visit != NULL) p->stride[count++] = s->place.stride;
    s->ndim = tsri_coalesce(cells->ndim, s->extent, count, p->stride);
    return true;
}

static void run(sweep *s, const tsri_cells *cells)
{
    if (!place_cursors(s, cells)) return;
    s->tile_rows = rows_of_tile(s);
    if (is_plain(s)) {
        const bool through = has_gaps(s);
        do
            (through ? run_through_rows : run_plain_rows)(s);
        while (next_plane(s));
        return;
    }
    int64_t rows = s->tile_rows;
    do
        run_rows(s, rows);
    while (next_rows(s, &rows));
}

void tsri_sweep(tsri_program *program, const tsri_code *code, const tsri_cells *cells)
{
    sweep s = {.program = program, .code = code};
    run(&s, cells);
}

void tsri_sweep_bands(tsri_program *program, const tsri_code *code, const tsri_cells *cells,
                      const int64_t *other, tsri_band_visitor *visit, void *state)
{
    sweep s = {.program = program, .code = code, .visit = visit, .state = state};

    if (other != NULL) memcpy(s.place.stride, other, (size_t)cells->ndim * sizeof *other);
    run(&s, cells);
}
