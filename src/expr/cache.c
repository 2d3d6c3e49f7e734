#include "expr/cache.h"

#include "base/checked.h"
#include "base/memory.h"
#include "expr/bind.h"
#include "expr/types.h"

#include <string.h>

/* Least recently used programs go first. */
enum { MAX_PROGRAMS = 32 };

/* What of an argument the program depends on. */
typedef struct arg_key {
    tsr_arg_kind kind;
    tsr_dtype dtype;
    unsigned fits; /* of a weak integer: the types that hold it */
    bool same;     /* an array that is the output's */
    int ndim;      /* of global data */
    int64_t shape[TSR_MAX_NDIM];
} arg_key;

struct tsri_entry {
    bool fresh;
    char *text, *mask; /* an empty mask: an array */
    char *names;       /* one after the other, each with its NUL */
    tsr_dtype output;
    int count;
    arg_key *key; /* [count + 1], the last of the mask */
    tsri_program *program;
    tsri_entry *next; /* most recently used first */
};

/* ---- keys ------------------------------------------------------------------------------------ */

static unsigned types_that_fit(tsr_scalar integer)
{
    unsigned fits = 0;
    for (int t = TSR_I8; t <= TSR_U64; ++t)
        if (tsri_integer_fits(integer, (tsr_dtype)t)) fits |= 1u << t;
    return fits;
}

static arg_key key_of(const tsri_eval_request *r, const tsr_arg *arg)
{
    arg_key key;

    memset(&key, 0, offsetof(arg_key, shape));
    key.kind = arg->kind;
    switch (arg->kind) {
    case TSR_ARG_ARRAY:
        key.dtype = arg->array->dtype;
        key.same = r->into != NULL && r->into->storage == arg->array->storage;
        break;
    case TSR_ARG_WEAK:
        key.dtype = arg->scalar.dtype;
        if (key.dtype == TSR_I64 || key.dtype == TSR_U64) key.fits = types_that_fit(arg->scalar);
        break;
    case TSR_ARG_TYPED:
        key.dtype = arg->scalar.dtype;
        break;
    case TSR_ARG_GLOBAL_DATA:
        key.ndim = arg->ndim;
        if (arg->ndim > 0) memcpy(key.shape, arg->shape, (size_t)arg->ndim * sizeof *arg->shape);
        key.dtype = arg->dtype;
        break;
    default:
        key.dtype = arg->dtype;
        break;
    }
    return key;
}

static const char *mask_text(const tsri_eval_request *r)
{
    return r->mask == NULL || r->mask->kind != TSR_ARG_TEXT ? "" : r->mask->text;
}

/* Of a key up to the end of its shape. */
static size_t key_bytes(const arg_key *key)
{
    return offsetof(arg_key, shape) + (size_t)key->ndim * sizeof *key->shape;
}

uint64_t tsri_eval_request_hash(const tsri_eval_request *r)
{
    uint64_t hash = tsri_hash(TSRI_HASH_START, r->text, strlen(r->text) + 1);

    hash = tsri_hash(hash, mask_text(r), strlen(mask_text(r)) + 1);
    hash = tsri_hash(hash, &r->output, sizeof r->output);
    for (int k = 0; k < r->count; ++k) {
        const arg_key key = key_of(r, &r->args[k]);
        hash = tsri_hash(hash, r->args[k].name, strlen(r->args[k].name) + 1);
        hash = tsri_hash(hash, &key, key_bytes(&key));
    }
    if (r->mask == NULL) return hash;
    const arg_key key = key_of(r, r->mask);
    return tsri_hash(hash, &key, key_bytes(&key));
}

static bool same_key(const arg_key *a, const tsri_eval_request *r, const tsr_arg *arg)
{
    const arg_key b = key_of(r, arg);
    return a->kind == b.kind && a->dtype == b.dtype && a->fits == b.fits && a->same == b.same &&
           a->ndim == b.ndim &&
           (b.ndim == 0 || memcmp(a->shape, b.shape, (size_t)b.ndim * sizeof *b.shape) == 0);
}

static bool serves(const tsri_entry *e, const tsri_eval_request *r)
{
    const char *name = e->names;

    if (e->output != r->output || e->count != r->count || strcmp(e->text, r->text) != 0 ||
        strcmp(e->mask, mask_text(r)) != 0 ||
        (e->key[e->count].kind != TSR_ARG_END) != (r->mask != NULL))
        return false;
    for (int k = 0; k < r->count; ++k) {
        if (strcmp(name, r->args[k].name) != 0 || !same_key(&e->key[k], r, &r->args[k]))
            return false;
        name += strlen(name) + 1;
    }
    return r->mask == NULL || same_key(&e->key[e->count], r, r->mask);
}

/* ---- entries --------------------------------------------------------------------------------- */

static void entry_free(tsri_entry *e)
{
    if (e == NULL) return;
    tsri_program_free(e->program);
    tsri_free(e->text);
    tsri_free(e->mask);
    tsri_free(e->names);
    tsri_free(e->key);
    tsri_free(e);
}

static void free_entries(void *entries)
{
    for (tsri_entry *e = entries, *next; e != NULL; e = next) {
        next = e->next;
        entry_free(e);
    }
}

static tsri_entry *find(tsr_layout *layout, const tsri_eval_request *r)
{
    tsri_entry *first = layout->programs;

    for (tsri_entry *e = first, *before = NULL; e != NULL; before = e, e = e->next) {
        if (!serves(e, r)) continue;
        if (before != NULL) {
            before->next = e->next;
            e->next = first;
            layout->programs = e;
        }
        return e;
    }
    return NULL;
}

static tsr_status copy_text(const char *text, char **copy)
{
    tsr_status st = TSR_OK;
    const size_t bytes = strlen(text) + 1;

    TSRI_ALLOC(done, *copy, bytes);
    memcpy(*copy, text, bytes);
done:
    return st;
}

static tsr_status copy_key(tsri_entry *e, const tsri_eval_request *r)
{
    tsr_status st = TSR_OK;
    size_t bytes = 0;

    e->output = r->output;
    e->count = r->count;
    TSRI_TRY(done, copy_text(r->text, &e->text));
    TSRI_TRY(done, copy_text(mask_text(r), &e->mask));
    for (int k = 0; k < r->count; ++k)
        bytes += strlen(r->args[k].name) + 1;
    TSRI_ALLOC(done, e->names, bytes);
    TSRI_ALLOC(done, e->key, r->count + 1);
    bytes = 0;
    for (int k = 0; k < r->count; ++k) {
        const size_t length = strlen(r->args[k].name) + 1;
        memcpy(e->names + bytes, r->args[k].name, length);
        bytes += length;
        e->key[k] = key_of(r, &r->args[k]);
    }
    if (r->mask != NULL) e->key[r->count] = key_of(r, r->mask);
done:
    return st;
}

/* ---- making programs ------------------------------------------------------------------------- */

tsri_setting tsri_setting_of(const tsri_eval_request *r, const tsr_array *like)
{
    return (tsri_setting){.call = r->call,
                          .level = tsri_context_level(like->layout->context),
                          .geometry = &like->layout->geometry,
                          .count = r->count,
                          .args = r->args,
                          .mask = r->mask,
                          .output = r->output};
}

static tsr_status make(const tsri_eval_request *r, const tsr_array *like, tsri_program **program)
{
    const tsri_setting setting = tsri_setting_of(r, like);
    tsri_tree own = {0}, mask = {0};
    const tsri_tree *tree = r->tree;
    tsr_status st = TSR_OK;

    TSRI_TRY(done, tsri_names_check(r->call, r->count, r->args));
    if (tree == NULL) {
        TSRI_TRY(done, tsri_tree_read(r->call, r->text, &own));
        tree = &own;
    }
    if (r->mask != NULL && r->mask->kind == TSR_ARG_TEXT)
        TSRI_TRY(done, tsri_tree_read(r->call, r->mask->text, &mask));
    TSRI_TRY(done, tsri_program_make(&setting, tree, &mask, like, r->into, program));
done:
    tsri_tree_clear(&own);
    tsri_tree_clear(&mask);
    return st;
}

tsr_status tsri_program_of(const tsri_eval_request *r, const tsr_array *like, tsri_entry **entry)
{
    tsr_status st = TSR_OK;
    tsri_entry *e = NULL;

    *entry = find(like->layout, r);
    if (*entry != NULL) return TSR_OK;
    TSRI_ALLOC(fail, e, 1);
    e->fresh = true;
    TSRI_TRY(fail, copy_key(e, r));
    TSRI_TRY(fail, make(r, like, &e->program));
    *entry = e;
    return TSR_OK;

fail:
    entry_free(e);
    return st;
}

tsri_program *tsri_entry_program(const tsri_entry *entry)
{
    return entry->program;
}

bool tsri_entry_is_fresh(const tsri_entry *entry)
{
    return entry->fresh;
}

void tsri_entry_keep(tsri_entry *entry, tsr_layout *layout)
{
    int kept = 1;

    entry->fresh = false;
    entry->next = layout->programs;
    layout->programs = entry;
    layout->programs_free = free_entries;
    for (; entry->next != NULL && kept < MAX_PROGRAMS; entry = entry->next)
        ++kept;
    free_entries(entry->next);
    entry->next = NULL;
}

void tsri_entry_drop(tsri_entry *entry)
{
    if (entry != NULL && entry->fresh) entry_free(entry);
}
