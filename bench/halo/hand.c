/* What a programmer writes by hand with MPI: one axis after the other, so that corners travel with
 * the faces, or all regions at once in one message to each rank. */
#include "halo.h"

#include <stdlib.h>

enum { REGIONS = 27, OWN_REGION = 13, TAG_DOWN = 1, TAG_UP = 2, TAG_ALL = 3 };

typedef struct {
    int rank;
    int count; /* cells in each message */
    unsigned char *out, *in;
} partner;

struct halo_hand_state {
    const halo_problem *problem;
    void *block;
    int first; /* axis */
    MPI_Datatype cell;
    int before[HALO_AXES], after[HALO_AXES];
    MPI_Datatype type[HALO_AXES][4];
    void *buffer[HALO_AXES][4];
    int count[HALO_AXES]; /* cells of one message along each axis */
    MPI_Request request[HALO_AXES][4];
    int partners;
    partner partner[REGIONS];
    MPI_Request to_partners[2 * REGIONS];
};
typedef halo_hand_state hand;

/* ---- derived datatypes ----------------------------------------------------------------------- */

static void exchange_types(const hand *h, int axis)
{
    MPI_Request r[4];
    const MPI_Datatype *type = h->type[axis];
    const int before = h->before[axis], after = h->after[axis];
    MPI_Irecv(h->block, 1, type[HALO_FILL_LOW], before, TAG_UP, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(h->block, 1, type[HALO_FILL_HIGH], after, TAG_DOWN, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(h->block, 1, type[HALO_SEND_LOW], before, TAG_DOWN, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(h->block, 1, type[HALO_SEND_HIGH], after, TAG_UP, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
}

static void with_types(void *state)
{
    const hand *h = state;
    for (int axis = h->first; axis < HALO_AXES; ++axis)
        exchange_types(h, axis);
}

static void with_types_own_copied(void *state)
{
    const hand *h = state;
    for (int axis = h->first; axis < HALO_AXES; ++axis)
        if (h->before[axis] == h->problem->rank)
            halo_wrap_axis(h->problem, h->block, axis);
        else
            exchange_types(h, axis);
}

/* ---- packed, axis by axis -------------------------------------------------------------------- */

static void pack(const hand *h, int axis, halo_part part)
{
    halo_pack(h->problem, h->buffer[axis][part], h->block, halo_axis_box(h->problem, axis, part));
}

static void unpack(const hand *h, int axis, halo_part part)
{
    halo_unpack(h->problem, h->block, halo_axis_box(h->problem, axis, part), h->buffer[axis][part]);
}

static void exchange_packed(const hand *h, int axis)
{
    MPI_Request r[4];
    void *const *buffer = h->buffer[axis];
    const int before = h->before[axis], after = h->after[axis], count = h->count[axis];
    MPI_Irecv(buffer[HALO_FILL_LOW], count, h->cell, before, TAG_UP, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(buffer[HALO_FILL_HIGH], count, h->cell, after, TAG_DOWN, MPI_COMM_WORLD, &r[1]);
    pack(h, axis, HALO_SEND_LOW);
    MPI_Isend(buffer[HALO_SEND_LOW], count, h->cell, before, TAG_DOWN, MPI_COMM_WORLD, &r[2]);
    pack(h, axis, HALO_SEND_HIGH);
    MPI_Isend(buffer[HALO_SEND_HIGH], count, h->cell, after, TAG_UP, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    unpack(h, axis, HALO_FILL_LOW);
    unpack(h, axis, HALO_FILL_HIGH);
}

static void packed(void *state)
{
    const hand *h = state;
    for (int axis = h->first; axis < HALO_AXES; ++axis)
        if (h->before[axis] == h->problem->rank)
            halo_wrap_axis(h->problem, h->block, axis);
        else
            exchange_packed(h, axis);
}

static void packed_persistent(void *state)
{
    hand *h = state;
    for (int axis = h->first; axis < HALO_AXES; ++axis) {
        if (h->before[axis] == h->problem->rank) {
            halo_wrap_axis(h->problem, h->block, axis);
            continue;
        }
        pack(h, axis, HALO_SEND_LOW);
        pack(h, axis, HALO_SEND_HIGH);
        MPI_Startall(4, h->request[axis]);
        MPI_Waitall(4, h->request[axis], MPI_STATUSES_IGNORE);
        unpack(h, axis, HALO_FILL_LOW);
        unpack(h, axis, HALO_FILL_HIGH);
    }
}

/* ---- packed, one message to each rank -------------------------------------------------------- */

/* Region of the 27: where its halo cells are, and where the cells are in the block of their owner.
 */
static halo_box region_box(const halo_problem *p, int region, bool at_owner)
{
    const int direction[] = {region / 9, region / 3 % 3, region % 3};
    halo_box box;
    for (int k = 0; k < HALO_AXES; ++k) {
        const int w = p->width[k], n = p->n[k];
        const int halo_lo[] = {0, w, n + w}, owner_lo[] = {n, w, w}, extent[] = {w, n, w};
        box.lo[k] = (at_owner ? owner_lo : halo_lo)[direction[k]];
        box.extent[k] = extent[direction[k]];
    }
    return box;
}

/* The rank that owns a region of my halo, and the rank in whose halo it is my cells. */
static int region_owner(const halo_problem *p, int region)
{
    return p->owner[region / 9][region / 3 % 3][region % 3];
}

static int region_reader(const halo_problem *p, int region)
{
    return region_owner(p, REGIONS - 1 - region);
}

static void pack_for(const hand *h, const partner *with)
{
    const halo_problem *p = h->problem;
    unsigned char *out = with->out;
    for (int region = 0; region < REGIONS; ++region) {
        if (region == OWN_REGION || region_reader(p, region) != with->rank) continue;
        const halo_box box = region_box(p, region, true);
        halo_pack(p, out, h->block, box);
        out += halo_box_cells(box) * p->size;
    }
}

static void unpack_from(const hand *h, const partner *with)
{
    const halo_problem *p = h->problem;
    const unsigned char *in = with->in;
    for (int region = 0; region < REGIONS; ++region) {
        if (region == OWN_REGION || region_owner(p, region) != with->rank) continue;
        const halo_box box = region_box(p, region, false);
        halo_unpack(p, h->block, box, in);
        in += halo_box_cells(box) * p->size;
    }
}

void halo_hand_start(hand *h)
{
    const halo_problem *p = h->problem;
    for (int i = 0; i < h->partners; ++i) {
        const partner *with = &h->partner[i];
        MPI_Irecv(with->in, with->count, h->cell, with->rank, TAG_ALL, MPI_COMM_WORLD,
                  &h->to_partners[i]);
    }
    for (int i = 0; i < h->partners; ++i) {
        const partner *with = &h->partner[i];
        pack_for(h, with);
        MPI_Isend(with->out, with->count, h->cell, with->rank, TAG_ALL, MPI_COMM_WORLD,
                  &h->to_partners[h->partners + i]);
    }
    for (int region = 0; region < REGIONS; ++region)
        if (region != OWN_REGION && region_owner(p, region) == p->rank)
            halo_copy_within(p, h->block, region_box(p, region, false),
                             region_box(p, region, true));
}

void halo_hand_test(hand *h)
{
    int done;
    MPI_Testall(2 * h->partners, h->to_partners, &done, MPI_STATUSES_IGNORE);
}

void halo_hand_finish(hand *h)
{
    MPI_Waitall(2 * h->partners, h->to_partners, MPI_STATUSES_IGNORE);
    for (int i = 0; i < h->partners; ++i)
        unpack_from(h, &h->partner[i]);
}

static void one_message(void *state)
{
    halo_hand_start(state);
    halo_hand_finish(state);
}

/* The messages of one_message alone, with one plain copy: what has come in goes out the next time,
 * so that the receiver's cache never has it yet. */
static void only_messages(void *state)
{
    const hand *h = state;
    MPI_Request r[2 * REGIONS];
    for (int i = 0; i < h->partners; ++i) {
        const partner *with = &h->partner[i];
        MPI_Irecv(with->in, with->count, h->cell, with->rank, TAG_ALL, MPI_COMM_WORLD, &r[2 * i]);
        MPI_Isend(with->out, with->count, h->cell, with->rank, TAG_ALL, MPI_COMM_WORLD,
                  &r[2 * i + 1]);
    }
    MPI_Waitall(2 * h->partners, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < h->partners; ++i)
        memcpy(h->partner[i].out, h->partner[i].in,
               (size_t)(h->partner[i].count * h->problem->size));
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static void make_axis(hand *h, int axis)
{
    const halo_problem *p = h->problem;
    int at[] = {1, 1, 1};
    at[axis] = 0;
    h->before[axis] = p->owner[at[0]][at[1]][at[2]];
    at[axis] = 2;
    h->after[axis] = p->owner[at[0]][at[1]][at[2]];
    h->count[axis] = halo_box_cells(halo_axis_box(p, axis, HALO_SEND_LOW));
    for (int part = 0; part < 4; ++part) {
        const halo_box box = halo_axis_box(p, axis, (halo_part)part);
        MPI_Type_create_subarray(HALO_AXES, p->padded, box.extent, box.lo, MPI_ORDER_C, h->cell,
                                 &h->type[axis][part]);
        MPI_Type_commit(&h->type[axis][part]);
        h->buffer[axis][part] = bench_alloc((size_t)(h->count[axis] * p->size));
    }
    void *const *buffer = h->buffer[axis];
    MPI_Request *r = h->request[axis];
    const int before = h->before[axis], after = h->after[axis], count = h->count[axis];
    MPI_Recv_init(buffer[HALO_FILL_LOW], count, h->cell, before, TAG_UP, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(buffer[HALO_FILL_HIGH], count, h->cell, after, TAG_DOWN, MPI_COMM_WORLD, &r[1]);
    MPI_Send_init(buffer[HALO_SEND_LOW], count, h->cell, before, TAG_DOWN, MPI_COMM_WORLD, &r[2]);
    MPI_Send_init(buffer[HALO_SEND_HIGH], count, h->cell, after, TAG_UP, MPI_COMM_WORLD, &r[3]);
}

static void make_partners(hand *h)
{
    for (int region = 0; region < REGIONS; ++region) {
        const int owner = region_owner(h->problem, region);
        if (region == OWN_REGION || owner == h->problem->rank) continue;
        int i = 0;
        while (i < h->partners && h->partner[i].rank != owner)
            ++i;
        if (i == h->partners) ++h->partners;
        h->partner[i].rank = owner;
        h->partner[i].count += halo_box_cells(region_box(h->problem, region, false));
    }
    for (int i = 0; i < h->partners; ++i) {
        h->partner[i].in = bench_alloc((size_t)(h->partner[i].count * h->problem->size));
        h->partner[i].out = bench_alloc((size_t)(h->partner[i].count * h->problem->size));
    }
}

void halo_hand_free(void *state)
{
    hand *h = state;
    for (int axis = h->first; axis < HALO_AXES; ++axis)
        for (int part = 0; part < 4; ++part) {
            MPI_Request_free(&h->request[axis][part]);
            MPI_Type_free(&h->type[axis][part]);
            free(h->buffer[axis][part]);
        }
    for (int i = 0; i < h->partners; ++i) {
        free(h->partner[i].in);
        free(h->partner[i].out);
    }
    free(h->block);
    free(h);
}

halo_hand_state *halo_hand_make(const halo_problem *problem, void **block)
{
    hand *h = bench_alloc(sizeof *h);
    h->problem = problem;
    h->first = HALO_AXES - problem->axes;
    h->cell = problem->single ? MPI_FLOAT : MPI_DOUBLE;
    *block = h->block = bench_alloc(halo_block_bytes(problem));
    for (int axis = h->first; axis < HALO_AXES; ++axis)
        make_axis(h, axis);
    make_partners(h);
    return h;
}

int halo_hand(const halo_problem *problem, halo_way *ways)
{
    static const struct {
        const char *name;
        void (*run)(void *state);
    } all[] = {{"hand_types", with_types},
               {"hand_types_own_copied", with_types_own_copied},
               {"hand_packed", packed},
               {"hand_packed_persistent", packed_persistent},
               {"hand_one_message", one_message}};
    enum { ALL = sizeof all / sizeof *all };
    void *block;
    hand *h = halo_hand_make(problem, &block);

    for (int i = 0; i < ALL; ++i)
        ways[i] = (halo_way){
            all[i].name, BENCH_HAND, problem, block, h, all[i].run, i == 0 ? halo_hand_free : NULL};
    ways[ALL] = (halo_way){"messages", BENCH_PART, problem, NULL, h, only_messages, NULL};
    return ALL + 1;
}
