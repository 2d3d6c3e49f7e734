/* ranks: 1 */
/* Plans and pieces of arrays with more than 2^31 cells and bytes: offsets, counts and numbers of
 * messages.  Geometry alone; no cell is touched. */
#define _GNU_SOURCE
#include "io/file_pieces.h"
#include "move/exchange.h"
#include "move/halo_plan.h"
#include "move/transfer.h"
#include "support/harness.h"

#include <sys/mman.h>

static const char call[] = "tsr_layout_create";
static const size_t default_limit = (size_t)1 << 30;

static tsri_geometry geometry_of(int size, int ndim, const int64_t *shape,
                                 const tsr_layout_options *options)
{
    tsri_geometry g;
    CHECK_OK(tsri_geometry_init(call, &g, size, ndim, shape, options));
    return g;
}

/* C-order strides of a rank's storage. */
static void storage_strides(const tsri_geometry *g, int rank, int64_t *stride)
{
    int64_t extent[TSR_MAX_NDIM], run = 1;
    CHECK(tsri_geometry_storage(g, rank, extent));
    for (int a = g->ndim - 1; a >= 0; --a) {
        stride[a] = run;
        run *= extent[a];
    }
}

/* ---- numbers of messages --------------------------------------------------------------------- */

static void messages_of_any_number_of_bytes(void **state)
{
    (void)state;
    static const size_t limits[] = {1, 7, 64, (size_t)1 << 30, INT32_MAX};

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        const size_t limit = limits[i];
        CHECK_INT(tsri_exchange_messages(0, limit), 0);
        CHECK_INT(tsri_exchange_messages(1, limit), 1);
        CHECK_INT(tsri_exchange_messages(limit, limit), 1);
        CHECK_INT(tsri_exchange_messages(limit + 1, limit), 2);
        CHECK_INT(tsri_exchange_messages(1000 * limit - 1, limit), limit == 1 ? 999 : 1000);
        CHECK_INT(tsri_exchange_messages(1000 * limit, limit), 1000);
    }
    CHECK_INT(tsri_exchange_messages((size_t)1 << 62, 1), INT64_C(1) << 62);
    CHECK_INT(tsri_exchange_messages(SIZE_MAX, INT32_MAX), INT64_C(8589934597));
}

/* ---- gather ---------------------------------------------------------------------------------- */

/* 2^33 cells on 4 ranks: each of the others sends 2^31, 16 messages of int64_t. */
static void gather_of_blocks_of_2_31_cells(void **state)
{
    (void)state;
    enum { RANKS = 4 };
    const int64_t block = INT64_C(1) << 31, one = 1;
    tsri_geometry g = geometry_of(RANKS, 1, TSR_SHAPE(RANKS * block), NULL), whole;
    tsri_plan *plan = NULL;

    tsri_whole_geometry(&g, &whole);
    CHECK_OK(tsri_plan_blocks((tsri_blocks){&g, &one}, (tsri_blocks){&whole, &one}, 1, 1, &plan));
    CHECK_INT(plan->send.count, 0);
    CHECK_INT(plan->receive.npeers, RANKS - 1);
    for (int i = 0; i < RANKS - 1; ++i) {
        const tsri_peer *peer = &plan->receive.peer[i];
        const tsri_piece *piece = &plan->receive.item[peer->first];
        CHECK_INT(peer->count, 1);
        CHECK_INT(peer->cells, block);
        CHECK_INT(piece->to.offset, peer->rank * block);
        CHECK_INT(piece->from.offset, 0);
        CHECK_INT(tsri_exchange_messages((size_t)peer->cells * 8, default_limit), 16);
    }
    CHECK_INT(plan->copy.count, 1);
    CHECK_INT(plan->copy.item[0].to.offset, block);
    tsri_plan_unref(plan);
    CHECK_OK(tsri_plan_blocks((tsri_blocks){&g, &one}, (tsri_blocks){&whole, &one}, 3, 1, &plan));
    CHECK_INT(plan->receive.count + plan->copy.count, 0);
    CHECK_INT(plan->send.npeers, 1);
    CHECK_INT(plan->send.peer[0].cells, block);
    tsri_plan_unref(plan);
    tsri_geometry_clear(&g);
}

/* ---- redistribution -------------------------------------------------------------------------- */

/* Columns of 2^17 x 2^16 cells become rows: 16 pieces of 2^29 cells, at the corners that a walk
 * over the cells would find. */
static void redistribution_of_2_33_cells(void **state)
{
    (void)state;
    enum { RANKS = 4 };
    const int64_t rows = 1 << 17, columns = 1 << 16;
    const int64_t r = rows / RANKS, c = columns / RANKS;
    tsri_geometry by_column = geometry_of(RANKS, 2, TSR_SHAPE(rows, columns),
                                          &(tsr_layout_options){.split = TSR_AXIS(1)});
    tsri_geometry by_row = geometry_of(RANKS, 2, TSR_SHAPE(rows, columns), NULL);
    const int64_t from_stride[] = {c, 1}, to_stride[] = {columns, 1};

    for (int rank = 0; rank < RANKS; ++rank) {
        tsri_plan *plan = NULL;
        CHECK_OK(tsri_plan_blocks((tsri_blocks){&by_column, from_stride},
                                  (tsri_blocks){&by_row, to_stride}, rank, 0, &plan));
        CHECK_INT(plan->send.npeers, RANKS - 1);
        CHECK_INT(plan->receive.npeers, RANKS - 1);
        for (int i = 0; i < RANKS - 1; ++i) {
            const tsri_piece *sent = &plan->send.item[i], *got = &plan->receive.item[i];
            CHECK_INT(sent->cells, INT64_C(1) << 29);
            CHECK_INT(got->cells, INT64_C(1) << 29);
            CHECK_INT(sent->from.offset, sent->peer * r * c);
            CHECK_INT(got->to.offset, got->peer * c);
            CHECK_INT(tsri_exchange_messages((size_t)sent->cells * 16, default_limit), 8);
        }
        CHECK_INT(plan->copy.item[0].from.offset, rank * r * c);
        CHECK_INT(plan->copy.item[0].to.offset, rank * c);
        tsri_plan_unref(plan);
    }
    tsri_geometry_clear(&by_column);
    tsri_geometry_clear(&by_row);
}

/* ---- halos ----------------------------------------------------------------------------------- */

static tsri_halo_key update_of(const tsri_geometry *g, tsri_wall wall)
{
    tsri_halo_key key;
    memset(&key, 0, sizeof key);
    key.direction = TSRI_UPDATE;
    for (int a = 0; a < g->ndim; ++a) {
        key.axes |= TSR_AXIS(a);
        key.width_lo[a] = g->halo_lo[a];
        key.width_hi[a] = g->halo_hi[a];
        key.wall[a][0] = key.wall[a][1] = (unsigned char)wall;
    }
    return key;
}

/* A line of 2^33 cells, periodic, with halos wider than 2^31: they reach past the neighbour. */
static void halos_of_more_than_2_31_cells(void **state)
{
    (void)state;
    enum { RANKS = 4 };
    const int64_t block = INT64_C(1) << 31, width = block + 5;
    tsri_geometry g = geometry_of(RANKS, 1, TSR_SHAPE(RANKS * block),
                                  &(tsr_layout_options){.halo = {width}, .periodic = TSR_AXIS(0)});
    const tsri_halo_key key = update_of(&g, TSRI_WALL_LEAVE);

    for (int rank = 0; rank < RANKS; ++rank) {
        tsri_plan *plan = NULL;
        int64_t sent = 0;
        CHECK_OK(tsri_halo_plan_create(&g, rank, &key, &plan));
        CHECK_INT(plan->receive.npeers, RANKS - 1);
        for (int i = 0; i < RANKS - 1; ++i) {
            const tsri_peer *peer = &plan->receive.peer[i];
            const int apart = (peer->rank - rank + RANKS) % RANKS;
            /* Twice five cells of the rank opposite, all of both neighbours. */
            CHECK_INT(peer->cells, apart == 2 ? 10 : block);
            for (int k = 0; k < peer->count; ++k) {
                const tsri_piece *piece = &plan->receive.item[peer->first + k];
                const int64_t at = piece->to.offset;
                CHECK(apart == 2   ? at == -block - 5 || at == 2 * block
                      : apart == 1 ? at == block
                                   : at == -block);
            }
            sent += plan->send.peer[i].cells;
        }
        CHECK_INT(sent, 2 * width);
        tsri_plan_unref(plan);
    }
    tsri_geometry_clear(&g);
}

/* Faces of a square of 2^16 x 2^18 cells a rank: offsets in the storage go beyond 2^33. */
static void offsets_beyond_2_31(void **state)
{
    (void)state;
    const int64_t rows = 1 << 16, columns = 1 << 18;
    tsri_geometry g = geometry_of(4, 2, TSR_SHAPE(2 * rows, 2 * columns),
                                  &(tsr_layout_options){.process_grid = {2, 2}, .halo = {1, 2}});
    tsri_halo_key key = update_of(&g, TSRI_WALL_LEAVE);
    const int64_t wide = columns + 4; /* a row of the storage */
    tsri_plan *plan = NULL;

    key.faces_only = 1;
    CHECK_OK(tsri_halo_plan_create(&g, 0, &key, &plan));
    CHECK_INT(plan->receive.npeers, 2);
    CHECK_INT(plan->receive.peer[0].rank, 1);
    CHECK_INT(plan->receive.item[0].to.offset, columns);
    CHECK_INT(plan->receive.item[0].cells, 2 * rows);
    CHECK_INT(plan->receive.item[1].to.offset, rows * wide);
    CHECK_INT(plan->receive.item[1].cells, columns);
    CHECK_INT(plan->send.item[1].from.offset, (rows - 1) * wide);
    tsri_plan_unref(plan);

    int64_t stride[TSR_MAX_NDIM];
    storage_strides(&g, 0, stride);
    CHECK_INT(stride[0], wide);
    tsri_geometry_clear(&g);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Address space alone, which nobody reads or writes. */
static tsr_array *untouched(const int64_t *shape, const tsr_layout_options *options, size_t bytes,
                            void **memory)
{
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(*memory != MAP_FAILED);
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, 2, shape, options, &layout));
    CHECK_OK(tsr_adopt(layout, TSR_F64, *memory, bytes, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    return array;
}

/* The pieces follow each other in the file and cover it, whatever their length. */
static void pieces_of_a_file_of_2_37_bytes(void **state)
{
    (void)state;
    const int64_t rows = 1 << 17, columns = 1 << 17, cells = rows * columns;
    const int64_t limits[] = {1 << 19, 1 << 22, 3 * columns + 1, cells - 1, cells};
    const size_t bytes = (size_t)cells * 8;
    void *memory = NULL;
    tsr_array *array = untouched(TSR_SHAPE(rows, columns), NULL, bytes, &memory);

    for (int i = 0; i < 5; ++i) {
        tsri_file_pieces pieces;
        tsri_file_piece piece;
        int64_t next = 0;
        const tsri_file_frame frame = tsri_file_frame_of(array);
        const tsri_file_block block = tsri_file_block_of(array);
        tsri_file_pieces_start(&pieces, &block, &frame, limits[i]);
        while (tsri_file_pieces_next(&pieces, &piece)) {
            CHECK_INT(piece.position, next);
            CHECK(piece.contiguous && piece.cells <= limits[i]);
            CHECK((char *)piece.memory == (char *)memory + 8 * piece.position);
            next += piece.cells;
        }
        CHECK_INT(next, cells);
    }
    CHECK_OK(tsr_array_destroy(&array));
    CHECK(munmap(memory, bytes) == 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_any_number_of_bytes),
        cmocka_unit_test(gather_of_blocks_of_2_31_cells),
        cmocka_unit_test(redistribution_of_2_33_cells),
        cmocka_unit_test(halos_of_more_than_2_31_cells),
        cmocka_unit_test(offsets_beyond_2_31),
        cmocka_unit_test(pieces_of_a_file_of_2_37_bytes),
    };
    return TSRT_RUN(argc, argv, tests);
}
