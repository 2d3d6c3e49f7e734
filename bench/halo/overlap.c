/* How much of an update is hidden behind a computation between its start and its finish, with and
 * without calls that let it progress: a 7-point stencil over an eighth of the cells that need no
 * halo, which takes about twice as long as the update. */
#include "halo.h"

#include <stdlib.h>

typedef enum { NOTHING, OURS, OURS_AT_ONCE, BY_HAND } updater;

typedef struct {
    const halo_problem *problem;
    const double *in; /* cells computed from: no halo of them is read */
    double *out;
    updater updater;
    bool testing;
    tsr_array *array;
    halo_hand_state *hand;
    void *owned; /* a block to free */
} overlap;

/* ---- the computation ------------------------------------------------------------------------- */

static void compute_plane(const overlap *o, int i)
{
    const halo_problem *p = o->problem;
    const ptrdiff_t row = p->padded[2], plane = row * p->padded[1];
    const int first = p->width[2] + 1, last = p->width[2] + p->n[2] - 1;
    for (int j = p->width[1] + 1; j < p->width[1] + p->n[1] - 1; ++j) {
        const double *restrict u = o->in + i * plane + j * row;
        double *restrict v = o->out + i * plane + j * row;
        for (int k = first; k < last; ++k)
            v[k] = 0.4 * u[k] + 0.1 * (u[k - plane] + u[k + plane] + u[k - row] + u[k + row] +
                                       u[k - 1] + u[k + 1]);
    }
}

static void test(const overlap *o, tsr_pending *pending)
{
    bool done;
    if (o->updater == OURS) TSR_CHECK(tsr_halo_test(pending, &done));
    if (o->updater == BY_HAND) halo_hand_test(o->hand);
}

static void compute(const overlap *o, tsr_pending *pending)
{
    enum { TESTS = 8 };
    const halo_problem *p = o->problem;
    const int first = p->width[0] + 1, inner = p->n[0] - 2;
    const int planes = inner < TESTS ? inner : TESTS * (inner / TESTS / 8 + 1);
    for (int i = 0; i < planes; ++i) {
        compute_plane(o, first + i);
        if (o->testing && i % (planes / TESTS + 1) == 0) test(o, pending);
    }
}

static void run(void *state)
{
    overlap *o = state;
    tsr_pending *pending = NULL;
    if (o->updater == OURS_AT_ONCE) TSR_CHECK(tsr_halo_update(o->array, NULL));
    if (o->updater == OURS) TSR_CHECK(tsr_halo_start(1, &o->array, NULL, &pending));
    if (o->updater == BY_HAND) halo_hand_start(o->hand);
    if (o->out != NULL) compute(o, pending);
    if (o->updater == OURS) TSR_CHECK(tsr_halo_finish(&pending));
    if (o->updater == BY_HAND) halo_hand_finish(o->hand);
}

/* ---- the ways -------------------------------------------------------------------------------- */

static void release(void *state)
{
    overlap *o = state;
    tsr_array_destroy(&o->array);
    if (o->hand != NULL) halo_hand_free(o->hand);
    free(o->owned);
    free(o->out);
    free(o);
}

int halo_overlap(const halo_problem *p, halo_way *ways)
{
    static const struct {
        const char *name;
        bench_role role;
        updater updater;
        bool computes, testing;
    } all[] = {{"compute", BENCH_FLOOR, NOTHING, true, false},
               {"update", BENCH_PART, OURS_AT_ONCE, false, false},
               {"in turn", BENCH_PART, OURS_AT_ONCE, true, false},
               {"tessera", BENCH_OURS, OURS, true, false},
               {"tessera testing", BENCH_OURS, OURS, true, true},
               {"hand_overlapped", BENCH_HAND, BY_HAND, true, false},
               {"hand_overlapped testing", BENCH_HAND, BY_HAND, true, true}};
    enum { ALL = sizeof all / sizeof *all };

    for (int k = 0; k < ALL; ++k) {
        overlap *o = bench_alloc(sizeof *o);
        void *block = NULL;
        *o = (overlap){.problem = p, .updater = all[k].updater, .testing = all[k].testing};
        if (o->updater == BY_HAND)
            o->hand = halo_hand_make(p, &block);
        else if (o->updater != NOTHING)
            o->array = halo_array(p, &block);
        else
            o->owned = bench_alloc(halo_block_bytes(p));
        o->in = block ? block : o->owned;
        if (all[k].computes) o->out = bench_alloc(halo_block_bytes(p));
        ways[k] = (halo_way){all[k].name, all[k].role, p, block, o, run, release};
    }
    return ALL;
}
