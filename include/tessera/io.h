/**
 * @file io.h
 * Files: NumPy's .npy, and pictures.
 */
#ifndef TESSERA_IO_H
#define TESSERA_IO_H

#include <tessera/array.h>

TSR_BEGIN_DECLS

/**
 * Write the global array, without halo cells, as a NumPy file (.npy, format 1.0, C order, native
 * byte order).  The bytes do not depend on the number of ranks.  The file is written beside the
 * target and renamed when complete, so a failure leaves an old file as it was.  A symbolic link
 * stays and the file it names is replaced; permissions of an old file are kept, and its owner and
 * group where the user may give files to them.  A device, or a pipe that somebody reads, is written
 * directly.
 *
 * @param path   the name as given; same on all ranks, on a file system that all ranks share
 * @par Call
 *   Collective; agrees.  A replicated array is written from rank 0's copy.
 * @return TSR_OK, TSR_ERR_VALUE (NULL or empty path), TSR_ERR_IO (the text names the file and the
 *   system's reason), TSR_ERR_STATE, TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   Every rank writes its own block, unless TESSERA_FILE_WRITERS says otherwise or a rank does not
 *   find the file; nothing global is built.  Into a device or a pipe, and in these cases, rank 0
 *   (or one rank a node) writes all, a few megabytes at a time.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_save(const char *path, const tsr_array *array);
/**
 * Write an array into a part of a NumPy file that exists, in place: a failure or a crash may leave
 * some of the part new and some old.  The file's order of axes and of bytes stay as they are.
 *
 * @param start  the index in the file of the array's first cell, ndim entries; same on all ranks
 * @par Call
 *   Collective; agrees.  A replicated array is written from rank 0's copy.
 * @return TSR_OK, TSR_ERR_VALUE (NULL or empty path, another number of axes than the file's),
 *   TSR_ERR_INDEX (the array does not fit there), TSR_ERR_TYPE (another element type than the
 *   file's), TSR_ERR_IO, TSR_ERR_STATE, TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   Every rank writes its own block.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_save_slice(const char *path, const tsr_array *array,
                                                 const int64_t *start);
/**
 * Read a NumPy file of format 1.0, 2.0 or 3.0, in C or Fortran order, little- or big-endian, into a
 * new array.  Type and shape come from the file; each rank reads its own block.  Halo cells are 0.
 * Bytes after the data are ignored.
 *
 * @param options  of the layout; NULL: axis 0 split
 * @par Call
 *   Collective; agrees.
 * @return TSR_OK, TSR_ERR_IO (missing, malformed, too short, or a type this library does not have),
 *   TSR_ERR_VALUE (NULL or empty path), and the errors of tsr_layout_create() and tsr_zeros().
 * @par Cost
 *   Rank 0 reads the header and shares it; every rank reads its own block, in one run of the file
 *   for each row of it, or for all of it where the axes that are cut are the slowest in the file.
 *   Rank 0 reads for ranks that do not find the file, a few megabytes at a time.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load(const char *path, tsr_comm comm,
                                           const tsr_layout_options *options, tsr_array **array);
/**
 * The same in a layout that exists, and converted to a type by the rules of tsr_astype().
 * @param dtype  TSR_AUTO: the file's
 * @return as tsr_load(), and TSR_ERR_VALUE when the file's shape is not the layout's, TSR_ERR_TYPE.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load_as(const char *path, tsr_layout *layout, tsr_dtype dtype,
                                              tsr_array **array);
/**
 * The same for a part of the file: the cells from `start` on, `shape` of them along each axis.
 * @param start  as many entries as the file has axes; same on all ranks
 * @param shape  likewise; the shape of the new array
 * @return as tsr_load(), TSR_ERR_VALUE (NULL, negative lengths), TSR_ERR_INDEX (beyond the file).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load_slice(const char *path, tsr_comm comm,
                                                 const int64_t *start, const int64_t *shape,
                                                 const tsr_layout_options *options,
                                                 tsr_array **array);

/** The colours of a picture, from low to high values, in steps that look even. */
typedef enum tsr_color_map {
    TSR_MAP_SEA = 0, /**< dark blue over green to yellow: lightness grows evenly */
    TSR_MAP_EMBER,   /**< dark violet over red to pale yellow: lightness grows evenly */
    TSR_MAP_SIGNED, /**< blue over white to red: equally light at equal distances from the middle */
    TSR_MAP_ANGLE, /**< a circle of hues of one lightness: both ends meet, values beyond go round */
    TSR_MAP_GREY   /**< black to white */
} tsr_color_map;

/** How a picture is made.  Zero means default, so NULL and {0} are valid. */
typedef struct tsr_picture_options {
    /** Values of the first and the last colour; values beyond take theirs.  Both 0: the smallest
     * and the largest finite value in the picture; -pi and pi for TSR_MAP_ANGLE. */
    double low, high;
    /** Without low and high: a range with zero in its middle, as TSR_MAP_SIGNED always has. */
    bool symmetric;
    tsr_color_map map;
    bool color_bar;   /**< beside the picture, with numbers */
    bool block_lines; /**< lines, one pixel wide, between the cells where blocks meet */
    int64_t cell;     /**< pixels along each side of a cell; 0: 1, or more for small arrays */
    /** The axis that goes down and the one that goes right; negative ones count from the end.  Both
     * 0: the last two. */
    int axes[2];
    /** Arrays of more than two axes: the index at which each other axis is cut; negative ones count
     * from the end. */
    int64_t plane[TSR_MAX_NDIM];
} tsr_picture_options;

/**
 * Write a picture (PNG) of a 2-D array, or of a plane of a larger one.  NaN, and what has no place
 * on a circle of colours, is grey; lines are white.  An array of one value is of the middle colour.
 * The file replaces an old one as in tsr_save().
 *
 * @param options  NULL for defaults.  Same on all ranks.
 * @par Call
 *   Collective; agrees.  A replicated array is drawn from rank 0's copy.
 * @return TSR_OK, TSR_ERR_VALUE (NULL or empty path, fewer than two axes, an empty plane, a range
 *   not finite or reversed or given beside `symmetric`, no such map, an axis twice, an index for an
 *   axis that is drawn, more than a million pixels along a side), TSR_ERR_AXIS (axes outside),
 *   TSR_ERR_INDEX (plane outside), TSR_ERR_TYPE (complex), TSR_ERR_UNSUPPORTED (built without
 *   libpng), TSR_ERR_IO, TSR_ERR_STATE, TSR_ERR_MISMATCH, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   Ranks turn their own cells into one byte each; rank 0 collects those of the plane and writes.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_save_png(const char *path, const tsr_array *array,
                                               const tsr_picture_options *options);

TSR_END_DECLS
#endif
