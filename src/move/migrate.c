/* Rows of any size to the ranks they belong to.
 *
 * Rows are grouped by rank and packed once, the sections of all arrays for one rank in one message,
 * or in memory that it reads; each of those ranks is told how many rows will come.  Rows that stay
 * are moved inside their array where that does not have to grow, after all ranks have said that
 * nothing can fail any more. */
#include "base/checked.h"
#include "base/gate.h"
#include "kern/kern.h"
#include "move/outbox.h"
#include "move/row_groups.h"

#include <tessera/move.h>

#include <inttypes.h>
#include <string.h>

/* Places of the context's scratch. */
enum { NEW = -1, RUNS, OUT, IN };

typedef struct migration {
    const char *call;
    tsri_context *context;
    int64_t n; /* rows of this rank, before */
    int count;
    const tsr_rows *rows;
    size_t row_bytes; /* of all arrays together */
    tsri_row_groups groups;
    tsri_note *told; /* rows for other ranks: one for each group but the first */
    tsri_notes heard;
    int64_t before, after; /* rows that will come from lower and from higher ranks */
    tsri_outbox out;       /* packed rows for other ranks */
    void **section;        /* for each that is heard, where its rows are to be read, or NULL */
    unsigned char *in;     /* packed rows that come in messages, of the context */
    unsigned char **grown; /* for each array that has to grow, its new rows */
    tsri_request *requests;
    int64_t nrequests, posted;
} migration;

/* ---- arguments ------------------------------------------------------------------------------- */

/* The caller's pointer to the rows, whatever type of object it points to. */
static unsigned char *rows_of(const tsr_rows *rows)
{
    unsigned char *pointer;
    memcpy(&pointer, rows->data, sizeof pointer);
    return pointer;
}

static void set_rows(const tsr_rows *rows, void *pointer)
{
    memcpy(rows->data, &pointer, sizeof pointer);
}

/* The rows that an array's memory has room for, as far as is known. */
static int64_t room_of(const migration *m, int a)
{
    const int64_t *room = m->rows[a].room;
    return room != NULL ? *room : m->n;
}

static tsr_status count_bytes(const migration *m, int64_t rows, size_t row_bytes, size_t *bytes)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(m->call, done,
                  tsri_mul_size((size_t)rows, row_bytes, bytes) && *bytes <= PTRDIFF_MAX / 2,
                  TSR_ERR_OVERFLOW, "%" PRId64 " rows of %zu bytes are more than memory can have",
                  rows, row_bytes);
done:
    return st;
}

static tsr_status check_array(const migration *m, int a)
{
    const tsr_rows *r = &m->rows[a];
    tsr_status st = TSR_OK;
    size_t bytes = 0;

    TSRI_CHECK_IN(m->call, done, r->data != NULL, TSR_ERR_VALUE,
                  "rows[%d].data is NULL, must be the address of the pointer to the rows", a);
    TSRI_CHECK_IN(m->call, done, r->count == 0 || r->count == m->n, TSR_ERR_VALUE,
                  "rows[%d] has %" PRId64 " row%s, must have as many as there are owners, %" PRId64,
                  a, r->count, TSRI_S(r->count), m->n);
    TSRI_CHECK_IN(m->call, done, room_of(m, a) >= m->n, TSR_ERR_VALUE,
                  "rows[%d] has room for %" PRId64 " row%s, must have it for %" PRId64, a,
                  room_of(m, a), TSRI_S(room_of(m, a)), m->n);
    TSRI_CHECK_IN(m->call, done, room_of(m, a) == 0 || r->bytes == 0 || rows_of(r) != NULL,
                  TSR_ERR_VALUE, "rows[%d] points to NULL, must point to %" PRId64 " row%s", a,
                  room_of(m, a), TSRI_S(room_of(m, a)));
    TSRI_TRY(done, count_bytes(m, m->n, r->bytes, &bytes));
    for (int b = 0; b < a; ++b)
        TSRI_CHECK_IN(m->call, done,
                      r->data != m->rows[b].data &&
                          (rows_of(r) == NULL || rows_of(r) != rows_of(&m->rows[b])),
                      TSR_ERR_VALUE, "rows[%d] and rows[%d] are the same memory", b, a);
done:
    return st;
}

static tsr_status check(migration *m, const int64_t *n, const int *owner)
{
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(m->call, done, n != NULL, TSR_ERR_VALUE,
                  "n is NULL, must point to the number of rows");
    TSRI_CHECK_IN(m->call, done, *n >= 0, TSR_ERR_VALUE, "n is %" PRId64 ", must be >= 0", *n);
    TSRI_CHECK_IN(m->call, done, *n == 0 || owner != NULL, TSR_ERR_VALUE,
                  "owner is NULL, must have as many ranks as there are rows, %" PRId64, *n);
    TSRI_CHECK_IN(m->call, done, m->count >= 0, TSR_ERR_VALUE, "count is %d, must be >= 0",
                  m->count);
    TSRI_CHECK_IN(m->call, done, m->count == 0 || m->rows != NULL, TSR_ERR_VALUE,
                  "rows is NULL, must describe %d arrays", m->count);
    m->n = *n;
    for (int a = 0; a < m->count; ++a) {
        TSRI_TRY(done, check_array(m, a));
        TSRI_CHECK_IN(m->call, done,
                      !__builtin_add_overflow(m->row_bytes, m->rows[a].bytes, &m->row_bytes),
                      TSR_ERR_OVERFLOW, "the bytes of a row of all arrays cannot be counted");
    }
done:
    return st;
}

/* What must be the same on all ranks. */
static uint64_t fingerprint(const migration *m)
{
    uint64_t hash = tsri_hash(TSRI_HASH_START, m->call, strlen(m->call));
    hash = tsri_hash(hash, &m->count, sizeof m->count);
    for (int a = 0; m->rows != NULL && a < m->count; ++a)
        hash = tsri_hash(hash, &m->rows[a].bytes, sizeof m->rows[a].bytes);
    return hash;
}

/* ---- before anything moves ------------------------------------------------------------------- */

/* Group the rows and say what the other ranks will get. */
static tsr_status prepare(migration *m, const tsri_team *team, const int *owner)
{
    tsr_status st = TSR_OK;
    size_t bytes = 0;

    TSRI_TRY(done, tsri_row_groups_make(m->call, m->context, RUNS, m->n, owner, &m->groups));
    TSRI_ALLOC(done, m->told, m->groups.count);
    TSRI_ALLOC(done, m->grown, m->count);
    TSRI_TRY(done, count_bytes(m, m->n - m->groups.group[0].rows, m->row_bytes, &bytes));
    TSRI_TRY(done, tsri_outbox_open(m->context, team, OUT, m->groups.count - 1, bytes, &m->out));
    for (int k = 1; k < m->groups.count; ++k) {
        const tsri_row_group *group = &m->groups.group[k];
        m->told[k - 1] = (tsri_note){.rank = group->rank, .number = group->rows};
        tsri_outbox_add(&m->out, (size_t)group->rows * m->row_bytes, &m->told[k - 1]);
    }
done:
    return st;
}

static tsr_status count_arrivals(migration *m)
{
    int64_t total = m->groups.group[0].rows;
    tsr_status st = TSR_OK;

    for (int k = 0; k < m->heard.count; ++k) {
        const tsri_note *note = &m->heard.item[k];
        TSRI_CHECK_IN(m->call, done, tsri_add_i64(total, note->number, &total), TSR_ERR_OVERFLOW,
                      "more rows would arrive than 64 bits can count");
        *(note->rank < tsri_context_rank(m->context) ? &m->before : &m->after) += note->number;
    }
done:
    return st;
}

static int64_t rows_after(const migration *m)
{
    return m->groups.group[0].rows + m->before + m->after;
}

/* Memory for rows: the context's scratch `place`, or new memory that the caller will get. */
static tsr_status buffer(const migration *m, int place, int64_t rows, size_t row_bytes,
                         unsigned char **out)
{
    size_t bytes = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, count_bytes(m, rows, row_bytes, &bytes));
    *out =
        place == NEW ? tsri_alloc_aligned(bytes) : tsri_context_scratch(m->context, place, bytes);
    TSRI_CHECK_IN(m->call, done, *out != NULL, TSR_ERR_NOMEM, "no memory for %zu bytes of rows",
                  bytes);
done:
    return st;
}

/* Messages of these rows, none longer than the limit. */
static int64_t pieces(const migration *m, int64_t rows)
{
    const int64_t limit = tsri_context_settings(m->context)->message_limit;
    const int64_t bytes = rows * (int64_t)m->row_bytes;
    return bytes / limit + (bytes % limit > 0);
}

/* Rows for which an array that has to grow gets room: some to spare, where that is noted. */
static int64_t room_after(const migration *m, int a)
{
    return rows_after(m) + (m->rows[a].room != NULL ? rows_after(m) / 8 : 0);
}

static bool leaves_its_room(const migration *m, int a)
{
    return rows_after(m) > room_of(m, a) || rows_after(m) < room_of(m, a) / 4;
}

/* Map what is to be read; count the rows that come in messages. */
static tsr_status find_sections(migration *m, int64_t *messages)
{
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, m->section, m->heard.count);
    for (int k = 0; k < m->heard.count; ++k) {
        TSRI_TRY(done, tsri_outbox_attach(&m->heard.item[k], &m->section[k]));
        if (m->section[k] == NULL) *messages += m->heard.item[k].number;
    }
done:
    return st;
}

/* All memory that the rest takes. */
static tsr_status reserve(migration *m)
{
    tsr_status st = TSR_OK;
    int64_t messages = 0; /* rows that come in them */

    TSRI_TRY(done, count_arrivals(m));
    TSRI_TRY(done, find_sections(m, &messages));
    TSRI_TRY(done, buffer(m, IN, messages, m->row_bytes, &m->in));
    for (int a = 0; a < m->count; ++a)
        if (rows_after(m) > room_of(m, a) && m->rows[a].bytes > 0)
            TSRI_TRY(done, buffer(m, NEW, room_after(m, a), m->rows[a].bytes, &m->grown[a]));
    for (int k = 0; k + 1 < m->groups.count; ++k)
        if (!tsri_outbox_is_read(&m->out, &m->told[k]))
            m->nrequests += pieces(m, m->told[k].number);
    for (int k = 0; k < m->heard.count; ++k)
        if (m->section[k] == NULL) m->nrequests += pieces(m, m->heard.item[k].number);
    TSRI_CHECK_IN(m->call, done, m->nrequests <= INT_MAX, TSR_ERR_OVERFLOW,
                  "%" PRId64 " messages are too many, must be at most %d", m->nrequests, INT_MAX);
    TSRI_ALLOC(done, m->requests, m->nrequests);
done:
    return st;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Post the messages that carry these rows to or from a rank; returns the first byte after them. */
static unsigned char *post(migration *m, const tsri_note *note, bool sends, unsigned char *data,
                           tsr_status *st)
{
    const size_t limit = (size_t)tsri_context_settings(m->context)->message_limit;
    size_t bytes = (size_t)note->number * m->row_bytes;

    while (bytes > 0) {
        const size_t piece = bytes < limit ? bytes : limit;
        const int peer = (int)note->rank, tag = TSRI_TAG_EXCHANGE;
        tsri_request *request = &m->requests[m->posted++];
        tsri_keep(st, sends ? tsri_net_isend(m->context, data, piece, peer, tag, request)
                            : tsri_net_irecv(m->context, data, piece, peer, tag, request));
        data += piece;
        bytes -= piece;
    }
    return data;
}

/* The rows of a group, array after array. */
static unsigned char *pack(const migration *m, const tsri_row_group *group, unsigned char *out)
{
    for (int a = 0; a < m->count; ++a)
        if (m->rows[a].bytes > 0)
            out = tsri_row_group_copy(out, group, rows_of(&m->rows[a]), m->rows[a].bytes);
    return out;
}

/* Everything is posted and awaited, whatever fails: the peers wait for it. */
static tsr_status exchange(migration *m)
{
    tsr_status st = TSR_OK;
    unsigned char *in = m->in;
    int64_t packed = 0;

    for (int k = 0; k < m->heard.count; ++k)
        if (m->section[k] == NULL) in = post(m, &m->heard.item[k], false, in, &st);
    for (int k = 1; k < m->groups.count; ++k) {
        const tsri_note *note = &m->told[k - 1];
        unsigned char *out = tsri_outbox_rows(&m->out, note);
        packed += pack(m, &m->groups.group[k], out) - out;
        if (!tsri_outbox_is_read(&m->out, note)) post(m, note, true, out, &st);
    }
    tsri_count(TSRI_COUNT_COPIED_BYTES, packed);
    tsri_keep(&st, tsri_net_wait(m->context, (int)m->posted, m->requests));
    return st;
}

/* ---- afterwards: nothing here can fail ------------------------------------------------------- */

/* Copy the rows that came from lower ranks, or from higher ones, into an array. */
static void unpack(const migration *m, int a, bool lower, unsigned char *to)
{
    static const int64_t one[] = {1};
    const unsigned char *message = m->in;
    const bool many = (m->before + m->after) * (int64_t)m->row_bytes >= TSRI_STREAM_BYTES;
    const tsri_kern *kern = tsri_kern_get();
    size_t before = 0; /* bytes of a row of the arrays before this one */

    for (int b = 0; b < a; ++b)
        before += m->rows[b].bytes;
    for (int k = 0; k < m->heard.count; ++k) {
        const tsri_note *note = &m->heard.item[k];
        const size_t rows = (size_t)note->number, bytes = rows * m->rows[a].bytes;
        const bool reads = m->section[k] != NULL;
        const unsigned char *from = reads ? tsri_outbox_rows_at(m->section[k]) : message;
        if ((note->rank < tsri_context_rank(m->context)) == lower) {
            (many ? kern->stream : kern->copy)(1, 1, (const int64_t[]){(int64_t)bytes}, to, one,
                                               from + rows * before, one);
            to += bytes;
        }
        if (!reads) message += rows * m->row_bytes;
    }
}

/* Rows of lower ranks, then those that stay, then those of higher ranks. */
static void commit_array(migration *m, int a)
{
    const tsr_rows *r = &m->rows[a];
    const tsri_row_group *own = &m->groups.group[0];
    unsigned char *rows = rows_of(r);
    const size_t bytes = r->bytes;
    const bool grows = m->grown[a] != NULL;

    if (grows) {
        tsri_row_group_copy(m->grown[a] + (size_t)m->before * bytes, own, rows, bytes);
        tsri_free(tsri_take_over(rows));
        rows = tsri_give_away(m->grown[a]);
        m->grown[a] = NULL;
    } else {
        tsri_row_group_move(own, rows, bytes, m->before);
    }
    unpack(m, a, true, rows);
    unpack(m, a, false, rows + (size_t)(m->before + own->rows) * bytes);
    if (!grows && leaves_its_room(m, a)) rows = tsri_shrink(rows, (size_t)room_after(m, a) * bytes);
    set_rows(r, rows);
}

/* Sections are unmapped, and owners told when they have been `read`. */
static void leave_sections(migration *m, bool read)
{
    for (int k = 0; m->section != NULL && k < m->heard.count; ++k)
        tsri_outbox_detach(m->section[k], read);
    if (read) tsri_outbox_wait(&m->out, m->groups.count - 1, m->told);
    tsri_outbox_close(&m->out);
}

static void release(migration *m)
{
    for (int a = 0; m->grown != NULL && a < m->count; ++a)
        tsri_free_aligned(m->grown[a]);
    tsri_free(m->grown);
    tsri_free(m->section);
    tsri_free(m->requests);
    tsri_free(m->told);
    tsri_free(m->heard.item);
    tsri_row_groups_clear(&m->groups);
}

tsr_status tsr_migratev(tsr_comm comm, int64_t *n, const int *owner, int count,
                        const tsr_rows *rows)
{
    migration m = {.call = "tsr_migrate", .count = count, .rows = rows};
    const tsri_team *team = NULL;
    size_t more = 0;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_context_enter(comm, m.call, &m.context));
    TSRI_TRY(done, tsri_team_that_shares(m.context, &team));
    more = team != NULL && team->anyone_shares ? sizeof m.told->more : 0;
    TSRI_TRY(tell, check(&m, n, owner));
    TSRI_TRY(tell, prepare(&m, team, owner));
tell:
    tsri_keep(&st, tsri_notes_exchange(m.context, st == TSR_OK ? m.groups.count - 1 : 0, m.told,
                                       more, &m.heard));
    if (st == TSR_OK) st = reserve(&m);
    TSRI_TRY(done, tsri_agree(m.context, st, fingerprint(&m)));
    TSRI_TRY(done, tsri_agree(m.context, exchange(&m), 0));

    for (int a = 0; a < m.count; ++a)
        if (rows[a].bytes > 0) commit_array(&m, a);
    for (int a = 0; a < m.count; ++a) /* afterwards: arrays may share a room */
        if (rows[a].bytes > 0 && rows[a].room != NULL && leaves_its_room(&m, a))
            *rows[a].room = room_after(&m, a);
    *n = rows_after(&m);
done:
    leave_sections(&m, st == TSR_OK);
    release(&m);
    return st;
}
