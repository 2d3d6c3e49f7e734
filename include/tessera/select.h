/**
 * @file select.h
 * Parts of arrays: by integers and slices as in Python, by lists of indices, by masks.
 *
 *     tsr_select(a, "2:10, ::-1, 3", &b);                  b = a[2:10, ::-1, 3]
 *     tsr_assign(a, "1:-1, 0", 5.0);                       a[1:-1, 0] = 5.0
 *     tsr_select_index(a, TSR_INDEX(TSR_SLICE(lo, hi), TSR_ALL, TSR_INT(3)), &b);
 *
 * A selection is always a new array; only the selected cells move, to the ranks that own them in
 * it.  docs/selection.md shows every form beside NumPy's.
 */
#ifndef TESSERA_SELECT_H
#define TESSERA_SELECT_H

#include <tessera/arg.h>

TSR_BEGIN_DECLS

/* ---- integers and slices --------------------------------------------------------------------- */

/** In a slice: an end or a step that is not given. */
#define TSR_NONE INT64_MIN

/** Kinds of entry. */
typedef enum tsr_index_kind {
    TSR_INDEX_INT = 1, /**< one index; the axis goes */
    TSR_INDEX_SLICE,   /**< indices start, start + step, ... before stop */
    TSR_INDEX_ELLIPSIS /**< as many whole axes as are missing */
} tsr_index_kind;

/** One entry of a selection. */
typedef struct tsr_index {
    tsr_index_kind kind;
    int64_t start; /**< of an integer: the index */
    int64_t stop, step;
} tsr_index;

/** Entries of each kind.  Local. */
TSR_API tsr_index tsr_index_int(int64_t index);
TSR_API tsr_index tsr_index_slice(int64_t start, int64_t stop, int64_t step);
TSR_API tsr_index tsr_index_ellipsis(void);

TSR_END_DECLS

/** One index of an axis, which the result then lacks; negative ones count from the end. */
#define TSR_INT(index) tsr_index_int(index)
/** TSR_SLICE(start, stop) or TSR_SLICE(start, stop, step), any of them TSR_NONE, as in Python. */
#define TSR_SLICE(...) TSR_PICK_4(__VA_ARGS__, tsr_index_slice, TSR_SLICE_2, 0, 0)(__VA_ARGS__)
#define TSR_PICK_4(a, b, c, d, ...) d
#define TSR_SLICE_2(start, stop) tsr_index_slice((start), (stop), 1)
/** All indices of an axis. */
#define TSR_ALL tsr_index_slice(TSR_NONE, TSR_NONE, 1)
/** As many whole axes as are missing. */
#define TSR_ELLIPSIS tsr_index_ellipsis()

/** @def TSR_INDEX
 * A list of entries, as the two arguments that the functions below take:
 * TSR_INDEX(TSR_SLICE(2, 10), TSR_ALL, TSR_INT(3)). */
#ifndef __cplusplus
#define TSR_INDEX(...)                                                                             \
    (int)(sizeof((const tsr_index[]){__VA_ARGS__}) / sizeof(tsr_index)),                           \
        ((const tsr_index[]){__VA_ARGS__})
#else
/** A list of entries that lives to the end of the full expression. */
template <typename... T> struct tsr_index_list {
    tsr_index value[sizeof...(T)];
};
template <typename... T> tsr_index_list<T...> tsr_index_of(T... index)
{
    return {{index...}};
}
#define TSR_INDEX(...)                                                                             \
    (static_cast<int>(sizeof(tsr_index_of(__VA_ARGS__).value) / sizeof(tsr_index))),               \
        (tsr_index_of(__VA_ARGS__).value)
#endif

/* ---- select (all Collective; they agree) ----------------------------------------------------- */

TSR_BEGIN_DECLS

/**
 * A new array of the selected cells: tsr_select(a, "2:10, ::-1, 3", &b).
 *
 * The result has no halo.  Where an axis that it keeps was split in the array it is cut along such
 * axes, near-evenly and not aligned with the array; if that cannot be (none is left, or they are
 * too short for the ranks), and when every rank has all of the array, every rank gets all of it.
 *
 * @param array   may be in an exchange that is pending; halo cells are not read
 * @param text    an integer or a slice `start:stop:step` for each axis, any part of which may be
 *                left out; one `...` stands for as many whole axes as are missing, which without
 *                it are the last ones.  Negative numbers count from the end.  The same on all ranks
 * @param result  the new array, NULL on failure
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  array or result is NULL; the text cannot be read (the failure's text says in
 *                  which column); a step of 0,
 *   TSR_ERR_INDEX  an integer out of bounds, more entries than axes, two ellipses,
 *   and the errors of tsr_zeros().
 * @par Cost
 *   A few small allreduces; one message from each rank to each other rank whose block of the result
 *   has selected cells of its own, which are all that is sent.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_select(const tsr_array *array, const char *text,
                                             tsr_array **result);
/**
 * The same for entries made in the program: tsr_select_index(a, TSR_INDEX(TSR_ALL, TSR_INT(k)),
 * &b).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_select_index(const tsr_array *array, int count,
                                                   const tsr_index *index, tsr_array **result);
/**
 * Copy the selected cells, in C order, into a buffer of one rank or of all.
 *
 * @param root    the rank that gets them, or TSR_ALL_RANKS
 * @param buffer  room for the selected cells (see tsr_selection_shape()); ignored (may be NULL) on
 *                ranks that get nothing
 * @return as tsr_select() and tsr_gather().
 * @par Cost
 *   One message from each rank that has selected cells to each rank that gets them.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_gather_part(const tsr_array *array, const char *text,
                                                  int root, void *buffer);
/** The same for entries made in the program. */
TSR_API TSR_MUST_CHECK tsr_status tsr_gather_part_index(const tsr_array *array, int count,
                                                        const tsr_index *index, int root,
                                                        void *buffer);
/**
 * The shape of what a text selects.  Local.
 * @param ndim   number of axes
 * @param shape  room for as many lengths as the array has axes; NULL: not asked for
 * @return TSR_OK, or as tsr_select() TSR_ERR_VALUE, TSR_ERR_INDEX.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_selection_shape(const tsr_array *array, const char *text,
                                                      int *ndim, int64_t *shape);

TSR_END_DECLS
#endif
