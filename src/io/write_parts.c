#include "io/write_parts.h"

#include "io/from_root.h"
#include "io/pass.h"
#include "shm/team.h"

/* Who writes for whom.  Ranks are those of the context. */
typedef struct writing {
    tsri_context *context;
    const char *path, *name;
    tsri_file_writers writers;
    int writer;        /* who writes this rank's block */
    int count;         /* how many blocks this rank writes, when some rank writes for others */
    const int *member; /* [count] whose they are; NULL: all ranks' */
    tsri_file file;
    unsigned char *buffer; /* for the blocks of others */
    size_t bytes;
} writing;

static tsr_status choose(writing *w, tsri_file_writers writers)
{
    const int rank = tsri_context_rank(w->context);
    const tsri_team *team = NULL;
    tsr_status st = TSR_OK;

    w->writers = writers;
    w->writer = rank;
    w->count = 1;
    w->member = NULL;
    if (writers == TSRI_WRITERS_NODE) {
        TSRI_TRY(done, tsri_team_of(w->context, &team));
        w->writer = team->rank[0];
        w->count = team->index == 0 ? team->count : 0;
        w->member = team->rank;
    } else if (writers == TSRI_WRITERS_ONE) {
        w->writer = 0;
        w->count = rank == 0 ? tsri_context_size(w->context) : 0;
    }
done:
    return st;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool has_cells(int n, const tsri_file_part *parts)
{
    for (int i = 0; i < n; ++i)
        if (tsri_array_origin(parts[i].array) != NULL && !parts[i].array->layout->geometry.whole)
            return true;
    return false;
}

/* Whoever writes opens the file: `missing` says that there is none, as this rank sees it. */
static tsr_status open_file(writing *w, int n, const tsri_file_part *parts, bool *missing)
{
    const int rank = tsri_context_rank(w->context);
    tsr_status st = TSR_OK;

    *missing = false;
    if (w->writers != TSRI_WRITERS_ALL) {
        w->bytes = tsri_pass_bytes(w->context);
        TSRI_ALLOC(done, w->buffer, w->bytes);
    }
    if (rank != 0 &&
        (w->writer != rank || (w->writers == TSRI_WRITERS_ALL && !has_cells(n, parts))))
        return TSR_OK;
    st = tsri_file_open(&w->file, w->context, w->path, w->name, TSRI_FILE_WRITE);
    *missing = w->file.missing;
done:
    return st;
}

static tsr_status begin(writing *w, tsr_status earlier, uint64_t arguments, int n,
                        const tsri_file_part *parts)
{
    bool missing = false, only;
    tsr_status st = choose(w, tsri_context_settings(w->context)->file_writers);

    if (st != TSR_OK) return st; /* agreed on */
    if (earlier == TSR_OK) earlier = open_file(w, n, parts, &missing);
    st = tsri_agree(w->context, earlier, arguments);
    if (st != TSR_ERR_IO || w->writers == TSRI_WRITERS_ONE) return st;
    const tsr_status found = tsri_only_missing(w->context, earlier, missing, &only);
    if (found != TSR_OK || !only) return found != TSR_OK ? found : st;

    tsri_free(w->buffer);
    w->buffer = NULL;
    st = tsri_file_close(&w->file, choose(w, TSRI_WRITERS_ONE));
    if (st == TSR_OK) st = open_file(w, n, parts, &missing);
    return tsri_agree(w->context, st, arguments);
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct taker {
    const tsri_file *file;
    const tsri_file_part *part;
} taker;

static tsr_status write_box(void *ctx, const tsri_box *box, void *cells)
{
    const taker *t = ctx;
    const tsri_file_block block = tsri_file_block_of_box(t->part->array->dtype, box, cells);

    return tsri_block_write(&block, t->file, &t->part->data);
}

static tsr_status write_own(const writing *w, const tsri_file_part *part)
{
    const tsri_file_block block = tsri_file_block_of(part->array);

    return tsri_block_write(&block, &w->file, &part->data);
}

/* The blocks that this rank writes, or gives to the one that does. */
static void pass_part(const writing *w, const tsri_file_part *part, const int *place,
                      tsr_status *outcome)
{
    const int own = part->array->layout->rank;
    taker t = {&w->file, part};
    tsri_pass pass = {.array = part->array,
                      .to = place == NULL ? w->writer : place[w->writer],
                      .buffer = w->buffer,
                      .bytes = w->bytes,
                      .take = write_box,
                      .ctx = &t,
                      .st = *outcome};

    if (w->count == 0) tsri_pass_block(&pass, own);
    for (int i = 0; i < w->count; ++i) {
        const int member = w->member == NULL ? i : w->member[i];
        const int rank = place == NULL ? member : place[member];
        if (rank != own)
            tsri_pass_block(&pass, rank);
        else if (pass.st == TSR_OK)
            pass.st = write_own(w, part);
    }
    *outcome = pass.st;
}

/* After a failure nothing is written any more; but blocks are given and taken, by those who know of
 * no failure yet. */
static void write_part(const writing *w, const tsri_file_part *part, tsr_status *outcome)
{
    const tsr_layout *layout = part->array->layout;
    const bool whole = layout->geometry.whole, root = tsri_context_rank(w->context) == 0;

    if (!whole && w->writers != TSRI_WRITERS_ALL)
        pass_part(w, part,
                  layout->context == w->context ? NULL : tsri_context_places(layout->context),
                  outcome);
    else if ((!whole || root) && *outcome == TSR_OK)
        *outcome = write_own(w, part);
}

tsr_status tsri_write_parts(tsri_context *context, tsr_status earlier, uint64_t arguments,
                            const char *path, const char *name, int n, const tsri_file_part *parts)
{
    writing w = {.context = context, .path = path, .name = name, .file = {.descriptor = -1}};
    tsr_status st = begin(&w, earlier, arguments, n, parts);

    if (st == TSR_OK) {
        for (int i = 0; i < n; ++i)
            write_part(&w, &parts[i], &st);
        if (st == TSR_OK && w.file.descriptor >= 0) st = tsri_file_sync(&w.file);
        st = tsri_agree(context, tsri_file_close(&w.file, st), arguments);
    } else {
        st = tsri_file_close(&w.file, st);
    }
    tsri_free(w.buffer);
    return st;
}
