/* ranks: 1 2 3 4 6 8 */
/* Storage that belongs to the caller: shared both ways, never freed, any alignment of the type. */
#include "support/data_in.h"

/* Blocks of 3 x 4 cells with halos of 1 and 2. */
enum { ROWS = 3, COLUMNS = 4, STORED = (ROWS + 2) * (COLUMNS + 4) };

static tsr_layout *blocks(void)
{
    return make_layout(2, TSR_SHAPE(ROWS * tsrt_size(), COLUMNS),
                       &(tsr_layout_options){.halo = {1, 2}, .periodic = TSR_AXES(0)});
}

/* Onto communicators that only the results of moves have used. */
static void moved_to_another_communicator(void **state)
{
    (void)state;
    tsr_layout *layout = blocks(), *there = NULL;
    tsr_array *a = NULL, *b = NULL;
    const int64_t length[] = {ROWS * tsrt_size(), COLUMNS};

    CHECK_OK(tsr_zeros(layout, TSR_F64, &a));
    for (int turned = 0; turned < 2; ++turned) {
        tsr_comm comm = reversed_ranks();
        const tsr_layout_options options = {.split = TSR_AXES(turned)};
        CHECK_OK(tsr_layout_create(comm, 2, TSR_SHAPE(length[turned], length[!turned]), &options,
                                   &there));
        CHECK_OK(turned ? tsr_transpose(a, NULL, there, &b) : tsr_redistribute(a, there, &b));
        CHECK_STATUS(tsr_redistribute_into(b, tsrt_rank() == tsrt_size() - 1 ? NULL : b),
                     TSR_ERR_VALUE);
        check_same_text();
        CHECK_OK(tsr_array_destroy(&b));
        CHECK_OK(tsr_layout_destroy(&there));
        free_ranks(&comm);
    }
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* Comes first: nothing but adopting has used the communicator when a rank's own check fails. */
static void first_move_refused_on_one_rank(void **state)
{
    (void)state;
    static double first[STORED], second[STORED];
    tsr_layout *layout = blocks();
    tsr_array *a = NULL, *b = NULL;

    CHECK_OK(tsr_adopt(layout, TSR_F64, first, sizeof first, &a));
    CHECK_OK(tsr_adopt(layout, TSR_F64, second, sizeof second, &b));
    CHECK_STATUS(tsr_redistribute_into(a, tsrt_rank() == tsrt_size() - 1 ? NULL : b),
                 TSR_ERR_VALUE);
    check_same_text();
    CHECK_OK(tsr_redistribute_into(a, b));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void shared_not_copied(void **state)
{
    (void)state;
    tsr_layout *layout = blocks();
    for (int t = TSR_BOOL; t < TSR_DTYPE_END; ++t) {
        const tsr_dtype dtype = (tsr_dtype)t;
        const size_t size = tsr_dtype_size(dtype), bytes = STORED * size;
        /* As far from a multiple of 64 as the type allows. */
        unsigned char *memory = malloc(bytes + 64 + 16);
        const size_t unit = t >= TSR_C64 ? size / 2 : size;
        unsigned char *storage = memory + (64 - (uintptr_t)memory % 64) + unit;
        tsr_array *array = NULL;
        CHECK(memory != NULL);
        memset(memory, 1, bytes + 80);

        CHECK_OK(tsr_adopt(layout, dtype, storage, bytes, &array));
        const tsr_view view = tsr_local(array);
        CHECK(view.data == storage + (1 * (COLUMNS + 4) + 2) * size);
        CHECK_INT(view.stride[0], COLUMNS + 4);
        /* What the caller wrote is there, also under TESSERA_POISON. */
        for (size_t i = 0; i < bytes; ++i)
            CHECK_INT(storage[i], 1);

        /* What the library writes, too: the upper neighbour's cells and nothing beyond. */
        memset(view.data, 0, size);
        CHECK_OK(tsr_halo_update(array, &(tsr_halo_options){.axes = TSR_AXES(0)}));
        const unsigned char *below = storage + ((ROWS + 1) * (COLUMNS + 4) + 2) * size;
        for (size_t i = 0; i < size; ++i)
            CHECK_INT(below[i], 0);
        CHECK_INT(storage[bytes], 1);
        CHECK_OK(tsr_array_destroy(&array));
        CHECK_INT(storage[0], 1);
        free(memory);
    }
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void swapped(void **state)
{
    (void)state;
    static double first[STORED], second[STORED];
    tsr_layout *layout = blocks();
    tsr_array *a = NULL, *b = NULL, *own = NULL;

    for (int i = 0; i < STORED; ++i) {
        first[i] = 1;
        second[i] = 2;
    }
    CHECK_OK(tsr_adopt(layout, TSR_F64, first, sizeof first, &a));
    CHECK_OK(tsr_adopt(layout, TSR_F64, second, sizeof second, &b));
    CHECK_OK(tsr_full(layout, TSR_F64, tsr_f64(3), &own));
    CHECK_OK(tsr_array_swap(a, b));
    check_all_cells(a, 2, 2);
    CHECK(tsr_local(b).data == first + (COLUMNS + 4) + 2);
    CHECK_OK(tsr_array_swap(b, own));
    check_all_cells(b, 3, 3);
    check_all_cells(own, 1, 1);
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_array_destroy(&b));
    CHECK_OK(tsr_array_destroy(&own));
    for (int i = 0; i < STORED; ++i) {
        CHECK_DOUBLE(first[i], 1, 0);
        CHECK_DOUBLE(second[i], 2, 0);
    }
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* A copy has storage of its own. */
static void copied(void **state)
{
    (void)state;
    static int16_t memory[STORED];
    tsr_layout *layout = blocks();
    tsr_array *array = NULL, *copy = NULL;

    memset(memory, 0, sizeof memory);
    CHECK_OK(tsr_adopt(layout, TSR_I16, memory, sizeof memory, &array));
    CHECK_OK(tsr_copy(array, &copy));
    memory[0] = 9;
    check_all_cells(copy, 0, 0);
    CHECK_OK(tsr_array_destroy(&copy));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* An exchange that was started keeps what it needs of a destroyed array. */
static void destroyed_while_pending(void **state)
{
    (void)state;
    static double memory[STORED];
    tsr_layout *layout = blocks();
    tsr_array *array = NULL;
    tsr_pending *pending = NULL;

    for (int i = 0; i < STORED; ++i)
        memory[i] = tsrt_rank();
    CHECK_OK(tsr_adopt(layout, TSR_F64, memory, sizeof memory, &array));
    CHECK_OK(tsr_halo_start(1, &array, NULL, &pending));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_halo_finish(&pending));
    CHECK_DOUBLE(memory[2], (tsrt_rank() + tsrt_size() - 1) % tsrt_size(), 0);
    CHECK_OK(tsr_layout_destroy(&layout));
}

static void ranks_without_cells(void **state)
{
    (void)state;
    double memory[3] = {1, 2, 3};
    tsr_layout *layout =
        make_layout(1, TSR_SHAPE(1), &(tsr_layout_options){.halo = {1}, .allow_empty = true});
    tsr_array *array = NULL;

    CHECK_OK(tsr_adopt(layout, TSR_F64, tsrt_rank() == 0 ? memory : NULL,
                       tsrt_rank() == 0 ? sizeof memory : 0, &array));
    CHECK((tsr_local(array).data == memory + 1) == (tsrt_rank() == 0));
    CHECK((tsr_local(array).data == NULL) == (tsrt_rank() != 0));
    CHECK_OK(tsr_array_destroy(&array));
    CHECK_OK(tsr_layout_destroy(&layout));
}

/* ---- refused ----------------------------------------------------------------------------------
 */

static void check_refused(tsr_status st, tsr_status expected, tsr_array **array, const char *text)
{
    CHECK_STATUS(st, expected);
    CHECK_TEXT(text);
    CHECK(*array == NULL);
    check_same_text();
}

static void errors(void **state)
{
    (void)state;
    static double memory[STORED + 1];
    const size_t bytes = STORED * sizeof *memory;
    tsr_layout *layout = blocks();
    tsr_array *array = (tsr_array *)&array;

    for (int victim = 0; victim < tsrt_size(); ++victim) {
        const bool is = tsrt_rank() == victim;
        char *odd = (char *)memory + (is ? 4 : 0);
        check_refused(tsr_adopt(layout, TSR_F64, memory, bytes - is, &array), TSR_ERR_VALUE, &array,
                      "tsr_adopt: the storage has 319 bytes, must have at least 320");
        check_refused(tsr_adopt(layout, TSR_F64, is ? NULL : memory, bytes, &array), TSR_ERR_VALUE,
                      &array, "storage is NULL");
        check_refused(tsr_adopt(layout, TSR_F64, odd, bytes, &array), TSR_ERR_VALUE, &array,
                      "a multiple of 8");
        check_refused(tsr_adopt(layout, is ? (tsr_dtype)44 : TSR_F64, memory, bytes, &array),
                      TSR_ERR_TYPE, &array, "dtype is 44");
        CHECK_STATUS(tsr_adopt(layout, TSR_F64, memory, bytes, is ? NULL : &array), TSR_ERR_VALUE);
        CHECK_TEXT("array is NULL");
        if (tsrt_size() > 1)
            check_refused(tsr_adopt(layout, is ? TSR_I64 : TSR_F64, memory, bytes, &array),
                          TSR_ERR_MISMATCH, &array, "other arguments");
    }
    check_refused(tsr_adopt(NULL, TSR_F64, memory, bytes, &array), TSR_ERR_VALUE, &array,
                  "layout is NULL");
    CHECK_OK(tsr_layout_destroy(&layout));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_move_refused_on_one_rank),
        cmocka_unit_test(moved_to_another_communicator),
        cmocka_unit_test(shared_not_copied),
        cmocka_unit_test(swapped),
        cmocka_unit_test(copied),
        cmocka_unit_test(destroyed_while_pending),
        cmocka_unit_test(ranks_without_cells),
        cmocka_unit_test(errors),
    };
    return TSRT_RUN(argc, argv, tests);
}
