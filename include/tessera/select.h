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

/* ---- lists and masks (all Collective; they agree) -------------------------------------------- */

/**
 * A new array of the cells at listed indices of one axis, others whole: NumPy's a[:, list], or
 * numpy.take().  The axis has the list's length in the result, which is cut near-evenly along its
 * first axis, or, when that is too short for the ranks, whole on every rank.
 *
 * @param axis   negative ones count from the end
 * @param count  length of the list, >= 0
 * @param list   indices in any order, also repeated; negative ones count from the end.  The same on
 *               all ranks
 * @return TSR_OK, TSR_ERR_VALUE, TSR_ERR_AXIS, TSR_ERR_INDEX (an index out of bounds: which, and
 *   where in the list), and the errors of tsr_zeros().
 * @par Cost
 *   As tsr_select(); time and memory also for the list.  Nothing is gathered.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_select_list(const tsr_array *array, int axis, int64_t count,
                                                  const int64_t *list, tsr_array **result);
/**
 * A new array, of one axis, of single cells: NumPy's a[i, j, ...] with a list for each axis.
 * @param count   number of cells, >= 0
 * @param points  ndim indices of each, one cell after another; negative ones count from the end.
 *                The same on all ranks
 * @return as tsr_select_list().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_select_points(const tsr_array *array, int64_t count,
                                                    const int64_t *points, tsr_array **result);
/**
 * A new array, of one axis, of the cells where a mask is true, in C order: NumPy's a[mask].  Cut as
 * by tsr_select_list().
 *
 * @param mask  of type bool and the array's shape; when its layout is another one, on a
 *              communicator of the same processes in any order, it is redistributed first
 * @return TSR_OK, TSR_ERR_VALUE (NULL, another shape, other processes), TSR_ERR_TYPE (the mask is
 *   not bool), and the errors of tsr_zeros().
 * @par Cost
 *   One pass over the mask; small messages that count the selected cells along the lines of the
 *   process grid; then the selected cells alone move, with their places.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_select_mask(const tsr_array *array, const tsr_array *mask,
                                                  tsr_array **result);

/* ---- assign (all Collective) ----------------------------------------------------------------- */

/** @def tsr_assign
 * tsr_assign(a, text, value): a[text] = value.  The value is a number, a tsr_scalar, an array, or
 * what TSR_GLOBAL() makes of plain memory: tsr_assign(a, ":, 1", TSR_GLOBAL(t, 2, TSR_SHAPE(9,
 * 3))).
 */
#define tsr_assign(array, text, value) tsr_assignv((array), (text), TSR_ARG_AS("value", value))
/** @def tsr_assign_index
 * The same with entries: tsr_assign_index(a, TSR_INDEX(TSR_ALL, TSR_INT(k)), 5.0). */
#define tsr_assign_index(array, index, value)                                                      \
    tsr_assign_indexv((array), index, TSR_ARG_AS("value", value))
/** @def tsr_assign_list
 * The same where tsr_select_list() selects. */
#define tsr_assign_list(array, axis, count, list, value)                                           \
    tsr_assign_listv((array), (axis), (count), (list), TSR_ARG_AS("value", value))
/** @def tsr_assign_points
 * The same where tsr_select_points() selects. */
#define tsr_assign_points(array, count, points, value)                                             \
    tsr_assign_pointsv((array), (count), (points), TSR_ARG_AS("value", value))
/** @def tsr_assign_mask
 * The same where a mask is true. */
#define tsr_assign_mask(array, mask, value)                                                        \
    tsr_assign_maskv((array), (mask), TSR_ARG_AS("value", value))

/**
 * Write a value into the selected cells.  Halo cells stay as they are.
 *
 * The value broadcasts to what is selected (trailing axes are aligned, a length of 1 repeats) and
 * is converted as by tsr_astype().  A distributed one may have any layout, on a communicator of the
 * same processes in any order, and may be the array itself: the result is as if a temporary array
 * had been made.
 *
 * @param text   as in tsr_select()
 * @param value  an array, a number, or global data that every rank has
 * @par Call
 *   Collective over the layout's communicator; all ranks pass the same.  Numbers and plain data
 *   need no message, and what all ranks share is all that is checked (with TESSERA_DEBUG=1 also
 *   that they pass the same); a distributed value agrees.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  NULL; a text that cannot be read; a value of another kind, of other processes,
 *                  or that does not broadcast,
 *   TSR_ERR_INDEX  as in tsr_select(),
 *   TSR_ERR_TYPE   plain data without an element type,
 *   TSR_ERR_STATE  an exchange of the array is pending,
 *   and, with a distributed value, TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI (then the selected
 *   cells are undefined).
 * @par Cost
 *   One pass over this rank's selected cells.  Of a distributed value each cell travels once to
 *   each rank that needs it.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_assignv(tsr_array *array, const char *text, tsr_arg value);
/** The same for entries made in the program. */
TSR_API TSR_MUST_CHECK tsr_status tsr_assign_indexv(tsr_array *array, int count,
                                                    const tsr_index *index, tsr_arg value);

/**
 * The same for the cells that tsr_select_list() selects.  With an index given more than once, the
 * last value stays.  The array's halo cells are 0 afterwards.
 * @return as tsr_assignv() and tsr_select_list().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_assign_listv(tsr_array *array, int axis, int64_t count,
                                                   const int64_t *list, tsr_arg value);
/** The same for the cells that tsr_select_points() selects. */
TSR_API TSR_MUST_CHECK tsr_status tsr_assign_pointsv(tsr_array *array, int64_t count,
                                                     const int64_t *points, tsr_arg value);

/**
 * The same for the cells where a mask is true.  The value is a number or has one element for each
 * of them, in C order.
 *
 * A number where the mask has the array's layout needs no message.  Otherwise the call agrees, and
 * costs what tsr_select_mask() does.
 * @return as tsr_assign_listv() and tsr_select_mask().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_assign_maskv(tsr_array *array, const tsr_array *mask,
                                                   tsr_arg value);

TSR_END_DECLS
#endif
