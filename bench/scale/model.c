/* The time of an operation on a node: that of its busiest rank for the bytes it copies and the
 * messages it sends, and, where a message leaves the node, its latency and the node's bytes through
 * its link.  Peers on one node copy from each other directly. */
#include "model.h"

#include "move/halo_plan.h"
#include "move/plan.h"
#include "reduce/reduction.h"

#include <string.h>

/* ---- loads ----------------------------------------------------------------------------------- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void keep_most(scale_load *most, const scale_load *l)
{
    most->messages = larger(most->messages, l->messages);
    most->bytes = larger(most->bytes, l->bytes);
    most->far_messages = larger(most->far_messages, l->far_messages);
    most->far_bytes = larger(most->far_bytes, l->far_bytes);
    most->copied = larger(most->copied, l->copied);
}

static void add(scale_load *all, const scale_load *l)
{
    all->messages += l->messages;
    all->bytes += l->bytes;
    all->far_messages += l->far_messages;
    all->far_bytes += l->far_bytes;
    all->copied += l->copied;
}

static bool is_far(const scale_machine *m, int a, int b)
{
    return a / m->ranks_per_node != b / m->ranks_per_node;
}

static void send(const scale_machine *m, int from, int to, double bytes, scale_load *l)
{
    const bool far = is_far(m, from, to);
    l->messages += 1;
    l->bytes += bytes;
    l->far_messages += far;
    l->far_bytes += far ? bytes : 0;
}

static scale_load load_of(const scale_machine *m, int rank, const tsri_plan *plan, size_t size)
{
    scale_load l = {0};
    for (int k = 0; k < plan->send.npeers; ++k)
        send(m, rank, plan->send.peer[k].rank, (double)plan->send.peer[k].cells * (double)size, &l);
    for (int k = 0; k < plan->copy.count; ++k)
        l.copied += (double)plan->copy.item[k].cells * (double)size;
    return l;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Plans of the ranks of one operation. */
typedef struct operation {
    const scale_machine *machine;
    size_t size;
    const tsri_geometry *from, *to;
    const tsri_halo_key *key; /* a halo update; NULL: a redistribution, of shares where `reduced` */
    tsr_axes reduced;
} operation;

static void c_strides(const tsri_geometry *g, int rank, int64_t *stride)
{
    int64_t extent[TSR_MAX_NDIM], run = 1;
    tsri_geometry_storage(g, rank, extent);
    for (int a = g->ndim - 1; a >= 0; --a) {
        stride[a] = run;
        run *= extent[a];
    }
}

static tsr_status plan_of(const operation *o, int rank, tsri_plan **plan)
{
    if (o->key != NULL) return tsri_halo_plan_create(o->from, rank, o->key, plan);
    tsri_plan_request request = {.from = o->from, .to = o->to, .rank = rank, .root = TSR_ALL_RANKS};
    c_strides(o->from, rank, request.from_stride);
    c_strides(o->to, rank, request.to_stride);
    for (int a = 0; a < o->from->ndim; ++a) {
        if ((o->reduced >> a & 1u) != 0) request.from_stride[a] = 0; /* one place of a block */
        tsri_plan_request_add_same(&request, a, a);
    }
    return tsri_plan_create(&request, plan);
}

static tsr_status look_at_node(const operation *o, int node, scale_cost *cost, int *looked)
{
    const scale_machine *m = o->machine;
    const int64_t first = (int64_t)node * m->ranks_per_node, end = first + m->ranks_per_node;
    scale_load all = {0}, most = {0};
    double busy = 0;
    tsr_status st = TSR_OK;

    for (int64_t rank = first; rank < end && rank < m->ranks; ++rank) {
        tsri_plan *plan = NULL;
        TSRI_TRY(done, plan_of(o, (int)rank, &plan));
        const scale_load l = load_of(m, (int)rank, plan, o->size);
        tsri_plan_unref(plan);
        add(&all, &l);
        keep_most(&most, &l);
        busy = larger(busy, l.far_messages * m->overhead + (l.bytes + l.copied) / m->memory);
        ++*looked;
    }
    add(&cost->all, &all);
    keep_most(&cost->most, &most);
    cost->node_bytes = larger(cost->node_bytes, all.far_bytes);
    const double link = all.far_messages > 0 ? m->latency + all.far_bytes / m->bandwidth : 0;
    cost->seconds = larger(cost->seconds, busy + link);
done:
    return st;
}

/* The k-th of `count` nodes to look at among `nodes`: the first, the last, and others in steps of
 * the golden ratio, which fall in with no grid. */
static int choose(int k, int count, int nodes)
{
    if (count == nodes) return k;
    if (k < 2) return k * (nodes - 1);
    const double place = 0.6180339887498949 * k;
    return (int)((place - (double)(int64_t)place) * nodes);
}

static tsr_status look(const operation *o, scale_cost *cost)
{
    const scale_machine *m = o->machine;
    const int nodes = (m->ranks + m->ranks_per_node - 1) / m->ranks_per_node;
    int count = m->looked_at / m->ranks_per_node, looked = 0;
    tsr_status st = TSR_OK;

    *cost = (scale_cost){0};
    if (m->looked_at >= m->ranks || count >= nodes) count = nodes;
    if (count < 2) count = nodes < 2 ? nodes : 2;
    for (int k = 0; k < count; ++k)
        TSRI_TRY(done, look_at_node(o, choose(k, count, nodes), cost, &looked));
    const double scale = (double)m->ranks / looked;
    scale_load *const l = &cost->all;
    *l = (scale_load){l->messages * scale, l->bytes * scale, l->far_messages * scale,
                      l->far_bytes * scale, l->copied * scale};
done:
    return st;
}

tsr_status scale_halo(const scale_machine *machine, const tsri_geometry *geometry, size_t size,
                      scale_cost *cost)
{
    tsri_halo_key key;
    memset(&key, 0, sizeof key);
    key.direction = TSRI_UPDATE;
    for (int a = 0; a < geometry->ndim; ++a) {
        key.axes |= TSR_AXIS(a);
        key.width_lo[a] = geometry->halo_lo[a];
        key.width_hi[a] = geometry->halo_hi[a];
        key.wall[a][0] = key.wall[a][1] = TSRI_WALL_LEAVE;
    }
    const operation o = {
        .machine = machine, .size = size, .from = geometry, .to = geometry, .key = &key};
    return look(&o, cost);
}

tsr_status scale_redistribute(const scale_machine *machine, const tsri_geometry *from,
                              const tsri_geometry *to, size_t size, scale_cost *cost)
{
    const operation o = {.machine = machine, .size = size, .from = from, .to = to};
    return look(&o, cost);
}

/* The result without its reduced axes, split along those that are left. */
static tsr_status result_of(const tsri_geometry *from, int ranks, tsr_axes reduced,
                            tsri_geometry *result)
{
    tsr_layout_options options = {0};
    int64_t shape[TSR_MAX_NDIM];
    int ndim = 0;
    for (int a = 0; a < from->ndim; ++a) {
        if ((reduced >> a & 1u) != 0) continue;
        if ((from->split >> a & 1u) != 0) options.split |= TSR_AXIS(ndim);
        shape[ndim++] = from->shape[a];
    }
    return tsri_geometry_init("scale", result, ranks, ndim, shape, &options);
}

/* Shares move as an array in which a reduced axis has one place for each block along it, all of
 * which the new blocks have whole. */
tsr_status scale_reduce_axes(const scale_machine *machine, const tsri_geometry *from,
                             tsr_axes reduced, size_t size, scale_cost *cost)
{
    tsri_geometry shares = *from, places = *from, result;
    tsr_status st = TSR_OK;
    TSRI_TRY(done, result_of(from, machine->ranks, reduced, &result));
    for (int a = 0, k = 0; a < from->ndim; ++a) {
        const bool goes = (reduced >> a & 1u) != 0;
        if (goes) {
            shares.shape[a] = places.shape[a] = from->grid[a];
            shares.cuts[a] = NULL;
        }
        places.grid[a] = goes ? 1 : result.grid[k];
        places.cuts[a] = goes ? NULL : result.cuts[k];
        k += !goes;
    }
    const operation o = {
        .machine = machine, .size = size, .from = &shares, .to = &places, .reduced = reduced};
    st = look(&o, cost);
    tsri_geometry_clear(&result);
done:
    return st;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* An agreement's record: a fingerprint and four numbers. */
const size_t scale_reduction_bytes[SCALE_REDUCTION_ROUNDS] = {sizeof(tsri_record), 24};

/* Rank r has its record from r + 1, r + 2, r + 4, ... while r has no such bit, and gives it to the
 * rank without its lowest bit; the result goes the other way. */
static void count_tree(const scale_machine *m, double bytes, scale_cost *cost)
{
    const int64_t ranks = m->ranks;
    for (int64_t r = 0; r < ranks; ++r) {
        scale_load l = {0};
        if (r > 0) send(m, (int)r, (int)(r & (r - 1)), bytes, &l);
        for (int64_t bit = 1; r + bit < ranks && (r & bit) == 0; bit *= 2)
            send(m, (int)r, (int)(r + bit), bytes, &l);
        add(&cost->all, &l);
        cost->most.messages = larger(cost->most.messages, l.messages);
        cost->most.far_messages = larger(cost->most.far_messages, l.far_messages);
    }
}

/* Levels follow one another; one is between nodes when any of its messages is. */
static double tree_seconds(const scale_machine *m, double bytes)
{
    double seconds = 0;
    for (int64_t bit = 1; bit < m->ranks; bit *= 2) {
        bool far = bit >= m->ranks_per_node;
        for (int64_t r = 0; !far && r + bit < m->ranks; r += 2 * bit)
            far = is_far(m, (int)r, (int)(r + bit));
        seconds += m->overhead + bytes / m->memory;
        if (far) seconds += m->latency + bytes / m->bandwidth;
    }
    return 2 * seconds;
}

void scale_tree(const scale_machine *machine, int rounds, const size_t *bytes, scale_cost *cost)
{
    *cost = (scale_cost){0};
    for (int k = 0; k < rounds; ++k) {
        scale_cost one = {0};
        count_tree(machine, (double)bytes[k], &one);
        add(&cost->all, &one.all);
        cost->most.messages += one.most.messages;
        cost->most.far_messages += one.most.far_messages;
        cost->most.bytes += one.most.messages * (double)bytes[k];
        cost->most.far_bytes += one.most.far_messages * (double)bytes[k];
        cost->seconds += tree_seconds(machine, (double)bytes[k]);
    }
    cost->node_bytes = cost->most.far_bytes; /* one rank of a node speaks for it, mostly */
}
