/* What rank 0 found in a file, as bytes that the other ranks make it from again. */
#include "base/net.h"
#include "io/attributes.h"
#include "io/hdf5_contents.h"
#include "io/named_arrays.h"

#include <string.h>

/* What says how to read the rest. */
typedef struct summary {
    int n, attributes;
    int64_t record, file_bytes;
    double time;
    size_t bytes;
} summary;

/* Bytes are put behind each other, or without memory only counted. */
typedef struct stream {
    unsigned char *memory;
    size_t bytes;
} stream;

static void put(stream *s, const void *data, size_t bytes)
{
    if (s->memory != NULL && bytes > 0) memcpy(s->memory + s->bytes, data, bytes);
    s->bytes += bytes;
}

static void put_contents(stream *s, const tsri_hdf5_contents *c)
{
    s->bytes = 0;
    put(s, c->kinds, (size_t)c->n * sizeof *c->kinds);
    put(s, c->data, (size_t)c->n * sizeof *c->data);
    for (int i = 0; i < c->n; ++i)
        put(s, c->arrays[i].name, strlen(c->arrays[i].name) + 1);
    for (int i = 0; i < c->attributes.count; ++i) {
        const tsr_attribute *a = &c->attributes.item[i];
        put(s, a, sizeof *a);
        put(s, a->name, strlen(a->name) + 1);
        put(s, a->data, tsri_attribute_bytes(a));
    }
}

static void *take(stream *s, size_t bytes)
{
    void *data = s->memory + s->bytes;

    s->bytes += bytes;
    return data;
}

static char *take_text(stream *s)
{
    return take(s, strlen((char *)s->memory + s->bytes) + 1);
}

static tsr_status take_attribute(stream *s, tsr_attributes *attributes)
{
    tsr_attribute a;

    memcpy(&a, take(s, sizeof a), sizeof a);
    a.name = take_text(s);
    a.data = take(s, tsri_attribute_bytes(&a));
    return tsri_attributes_put(attributes, &a);
}

static tsr_status take_contents(stream *s, const summary *all, tsri_hdf5_contents *c)
{
    tsr_status st = TSR_OK;

    c->bytes = all->file_bytes;
    c->part.record = all->record;
    c->time = all->time;
    TSRI_ALLOC(done, c->arrays, all->n);
    c->n = all->n;
    TSRI_ALLOC(done, c->kinds, c->n);
    TSRI_ALLOC(done, c->data, c->n);
    memcpy(c->kinds, take(s, (size_t)c->n * sizeof *c->kinds), (size_t)c->n * sizeof *c->kinds);
    memcpy(c->data, take(s, (size_t)c->n * sizeof *c->data), (size_t)c->n * sizeof *c->data);
    for (int i = 0; i < c->n; ++i)
        TSRI_TRY(done,
                 tsri_named_array_set(&c->arrays[i], &(tsr_named_array){.name = take_text(s)}));
    for (int i = 0; i < all->attributes; ++i)
        TSRI_TRY(done, take_attribute(s, &c->attributes));
done:
    return st;
}

tsr_status tsri_hdf5_share(tsri_context *context, tsri_hdf5_contents *c)
{
    const bool root = tsri_context_rank(context) == 0;
    stream s = {0};
    tsr_status st = TSR_OK;

    if (root) put_contents(&s, c);
    summary all = {c->n, c->attributes.count, c->part.record, c->bytes, c->time, s.bytes};
    TSRI_TRY(ready, tsri_net_bcast(context, &all, sizeof all, 0));
    TSRI_ALLOC(ready, s.memory, all.bytes + 1);
ready:
    TSRI_TRY(done, tsri_agree(context, st, 0));
    if (root) put_contents(&s, c);
    TSRI_TRY(done, tsri_net_bcast(context, s.memory, all.bytes, 0));
    s.bytes = 0;
    if (!root) st = take_contents(&s, &all, c);
done:
    tsri_free(s.memory);
    return st;
}
