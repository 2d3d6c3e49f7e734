/* What a programmer writes by hand with MPI: one axis after the other, so that corners travel with
 * the faces, or all regions at once in one message to each rank. */
#include "halo.h"

#include <stdlib.h>
#include <string.h>

enum { REGIONS = 27, OWN_REGION = 13, TAG_DOWN = 1, TAG_UP = 2, TAG_ALL = 3 };

typedef struct {
    int rank;
    int count; /* cells in each message */
    double *out, *in;
} partner;

typedef struct {
    const halo_problem *problem;
    double *block;
    int before[3], after[3];
    MPI_Datatype type[3][4];
    double *buffer[3][4];
    int count[3]; /* cells of one message along each axis */
    MPI_Request request[3][4];
    int partners;
    partner partner[REGIONS];
} hand;

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
    for (int axis = 0; axis < 3; ++axis)
        exchange_types(state, axis);
}

static void with_types_own_copied(void *state)
{
    const hand *h = state;
    for (int axis = 0; axis < 3; ++axis)
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
    double *const *buffer = h->buffer[axis];
    const int before = h->before[axis], after = h->after[axis], count = h->count[axis];
    MPI_Irecv(buffer[HALO_FILL_LOW], count, MPI_DOUBLE, before, TAG_UP, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(buffer[HALO_FILL_HIGH], count, MPI_DOUBLE, after, TAG_DOWN, MPI_COMM_WORLD, &r[1]);
    pack(h, axis, HALO_SEND_LOW);
    MPI_Isend(buffer[HALO_SEND_LOW], count, MPI_DOUBLE, before, TAG_DOWN, MPI_COMM_WORLD, &r[2]);
    pack(h, axis, HALO_SEND_HIGH);
    MPI_Isend(buffer[HALO_SEND_HIGH], count, MPI_DOUBLE, after, TAG_UP, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    unpack(h, axis, HALO_FILL_LOW);
    unpack(h, axis, HALO_FILL_HIGH);
}

static void packed(void *state)
{
    const hand *h = state;
    for (int axis = 0; axis < 3; ++axis)
        if (h->before[axis] == h->problem->rank)
            halo_wrap_axis(h->problem, h->block, axis);
        else
            exchange_packed(h, axis);
}

static void packed_persistent(void *state)
{
    hand *h = state;
    for (int axis = 0; axis < 3; ++axis) {
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
    const int w = p->width, n = p->n;
    const int halo_lo[] = {0, w, n + w}, owner_lo[] = {n, w, w}, extent[] = {w, n, w};
    halo_box box;
    for (int k = 0; k < 3; ++k) {
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

static void one_message(void *state)
{
    const hand *h = state;
    const halo_problem *p = h->problem;
    MPI_Request r[2 * REGIONS];
    for (int i = 0; i < h->partners; ++i) {
        const partner *with = &h->partner[i];
        MPI_Irecv(with->in, with->count, MPI_DOUBLE, with->rank, TAG_ALL, MPI_COMM_WORLD, &r[i]);
    }
    for (int i = 0; i < h->partners; ++i) {
        const partner *with = &h->partner[i];
        double *out = with->out;
        for (int region = 0; region < REGIONS; ++region) {
            if (region == OWN_REGION || region_reader(p, region) != with->rank) continue;
            const halo_box box = region_box(p, region, true);
            halo_pack(p, out, h->block, box);
            out += halo_box_cells(box);
        }
        MPI_Isend(with->out, with->count, MPI_DOUBLE, with->rank, TAG_ALL, MPI_COMM_WORLD,
                  &r[h->partners + i]);
    }
    for (int region = 0; region < REGIONS; ++region)
        if (region != OWN_REGION && region_owner(p, region) == p->rank)
            halo_copy_within(p, h->block, region_box(p, region, false),
                             region_box(p, region, true));
    MPI_Waitall(2 * h->partners, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < h->partners; ++i) {
        const double *in = h->partner[i].in;
        for (int region = 0; region < REGIONS; ++region) {
            if (region == OWN_REGION || region_owner(p, region) != h->partner[i].rank) continue;
            const halo_box box = region_box(p, region, false);
            halo_unpack(p, h->block, box, in);
            in += halo_box_cells(box);
        }
    }
}

/* The messages of one_message alone, with one plain copy: what has come in goes out the next time,
 * so that the receiver's cache never has it yet. */
static void only_messages(void *state)
{
    const hand *h = state;
    MPI_Request r[2 * REGIONS];
    for (int i = 0; i < h->partners; ++i) {
        const partner *with = &h->partner[i];
        MPI_Irecv(with->in, with->count, MPI_DOUBLE, with->rank, TAG_ALL, MPI_COMM_WORLD,
                  &r[2 * i]);
        MPI_Isend(with->out, with->count, MPI_DOUBLE, with->rank, TAG_ALL, MPI_COMM_WORLD,
                  &r[2 * i + 1]);
    }
    MPI_Waitall(2 * h->partners, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < h->partners; ++i)
        memcpy(h->partner[i].out, h->partner[i].in, (size_t)h->partner[i].count * sizeof(double));
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static void make_axis(hand *h, int axis)
{
    const halo_problem *p = h->problem;
    const int full[] = {p->padded, p->padded, p->padded};
    int at[] = {1, 1, 1};
    at[axis] = 0;
    h->before[axis] = p->owner[at[0]][at[1]][at[2]];
    at[axis] = 2;
    h->after[axis] = p->owner[at[0]][at[1]][at[2]];
    h->count[axis] = halo_box_cells(halo_axis_box(p, axis, HALO_SEND_LOW));
    for (int part = 0; part < 4; ++part) {
        const halo_box box = halo_axis_box(p, axis, (halo_part)part);
        MPI_Type_create_subarray(3, full, box.extent, box.lo, MPI_ORDER_C, MPI_DOUBLE,
                                 &h->type[axis][part]);
        MPI_Type_commit(&h->type[axis][part]);
        h->buffer[axis][part] = bench_alloc((size_t)h->count[axis] * sizeof(double));
    }
    double *const *buffer = h->buffer[axis];
    MPI_Request *r = h->request[axis];
    const int before = h->before[axis], after = h->after[axis], count = h->count[axis];
    MPI_Recv_init(buffer[HALO_FILL_LOW], count, MPI_DOUBLE, before, TAG_UP, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(buffer[HALO_FILL_HIGH], count, MPI_DOUBLE, after, TAG_DOWN, MPI_COMM_WORLD,
                  &r[1]);
    MPI_Send_init(buffer[HALO_SEND_LOW], count, MPI_DOUBLE, before, TAG_DOWN, MPI_COMM_WORLD,
                  &r[2]);
    MPI_Send_init(buffer[HALO_SEND_HIGH], count, MPI_DOUBLE, after, TAG_UP, MPI_COMM_WORLD, &r[3]);
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
        h->partner[i].in = bench_alloc((size_t)h->partner[i].count * sizeof(double));
        h->partner[i].out = bench_alloc((size_t)h->partner[i].count * sizeof(double));
    }
}

static void release(void *state)
{
    hand *h = state;
    for (int axis = 0; axis < 3; ++axis)
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

    const size_t padded_side = (size_t)problem->padded;
    hand *h = bench_alloc(sizeof *h);
    h->problem = problem;
    h->block = bench_alloc(padded_side * padded_side * padded_side * sizeof *h->block);
    for (int axis = 0; axis < 3; ++axis)
        make_axis(h, axis);
    make_partners(h);
    for (int i = 0; i < ALL; ++i)
        ways[i] = (halo_way){
            all[i].name, BENCH_HAND, problem, h->block, h, all[i].run, i == 0 ? release : NULL};
    ways[ALL] = (halo_way){"messages", BENCH_PART, problem, NULL, h, only_messages, NULL};
    return ALL + 1;
}
