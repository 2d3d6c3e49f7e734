/**
 * @file hdf5.h
 * HDF5 files and checkpoints: several arrays and attributes in one file, which h5py, xarray, ncdump
 * and every other program that reads HDF5 open.
 *
 * Element types are stored as h5py stores them: bool as an enumeration of FALSE and TRUE, complex
 * as a compound of r and i.  A build without HDF5 has all calls; those that need a file return
 * TSR_ERR_UNSUPPORTED.  HDF5 keeps state for the whole process: calls that need a file come from
 * one thread at a time, whatever their communicators.
 */
#ifndef TESSERA_HDF5_H
#define TESSERA_HDF5_H

#include <tessera/array.h>

TSR_BEGIN_DECLS

/* ---- attributes (all Local) ------------------------------------------------------------------ */

/** A named value beside the arrays of a file.  For reading; the functions below change it. */
typedef struct tsr_attribute {
    char *name;
    tsr_dtype dtype; /**< of the values; TSR_AUTO: a text */
    bool list;       /**< a list of values, however many; false: one value, or a text */
    int64_t count;   /**< values, or bytes of the text without its NUL */
    void *data;      /**< `count` values of the type, or the text with a NUL behind it */
} tsr_attribute;

/** Attributes by name.  `tsr_attributes a = {0};` has none; tsr_attributes_clear() ends it. */
typedef struct tsr_attributes {
    int count;
    tsr_attribute *item;
} tsr_attributes;

/**
 * Set an attribute, in the place of one of the same name: a number (`tsr_i64(7)`), a text (UTF-8),
 * or a list of numbers.  Values are copied.
 *
 * @return TSR_OK, or
 *   TSR_ERR_VALUE  a pointer is NULL, the name is empty, the count is negative, or the attribute
 *                  takes more than 60000 bytes, which HDF5 does not store,
 *   TSR_ERR_TYPE   no such element type,
 *   TSR_ERR_NOMEM.  The attributes are then as before.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_attributes_set(tsr_attributes *attributes, const char *name,
                                                     tsr_scalar value);
TSR_API TSR_MUST_CHECK tsr_status tsr_attributes_set_text(tsr_attributes *attributes,
                                                          const char *name, const char *text);
TSR_API TSR_MUST_CHECK tsr_status tsr_attributes_set_values(tsr_attributes *attributes,
                                                            const char *name, tsr_dtype dtype,
                                                            int64_t count, const void *values);
/** The attribute of this name, NULL when there is none.  Valid until the next change. */
TSR_API const tsr_attribute *tsr_attributes_find(const tsr_attributes *attributes,
                                                 const char *name);
/**
 * An attribute that is one number.
 * @return TSR_OK, TSR_ERR_VALUE (no such attribute, a NULL pointer), TSR_ERR_TYPE (a text or list).
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_attributes_get(const tsr_attributes *attributes,
                                                     const char *name, tsr_scalar *value);
/** An attribute that is a text, NULL when there is none of this name or it is no text. */
TSR_API const char *tsr_attributes_text(const tsr_attributes *attributes, const char *name);
/** Remove all attributes and free their memory.  Takes NULL. */
TSR_API void tsr_attributes_clear(tsr_attributes *attributes);

/* ---- saving ---------------------------------------------------------------------------------- */

/** An array and its name in a file: a path ("fields/rho") stands for groups. */
typedef struct tsr_named_array {
    const char *name;
    tsr_array *array;
} tsr_named_array;

/** The name of an axis, and the values along it. */
typedef struct tsr_axis_label {
    const char *name;     /**< NULL: none, and nothing else may be given */
    int64_t count;        /**< of the values; the length of the axis */
    const double *values; /**< coordinates; NULL: none, then count may be 0 */
    const char *units;    /**< of the values; NULL: none */
} tsr_axis_label;

/** What other programs show beside an array. */
typedef struct tsr_labels {
    int naxes; /**< number of axes, that of the array; 0: none are named */
    const tsr_axis_label *axes;
    const char *units;                /**< NULL: none */
    const tsr_attributes *attributes; /**< further attributes of the array, of names that HDF5 does
                                         not have for axes; NULL: none */
} tsr_labels;

/** How to write.  Zero means default, so NULL and {0} are valid.  Same on all ranks. */
typedef struct tsr_hdf5_options {
    /** Add to an existing file, in place, instead of replacing it; see tsr_save_hdf5_as(). */
    bool update;
    /** Compression, 1 (fast) to 9 (small); 0: none.  Compressed arrays are chunked. */
    int gzip;
    /** Lengths of a chunk along the axes of every array, cut to its shape; 0: as many as make about
     * a megabyte, the last axes first.  All 0 without compression: no chunks. */
    int64_t chunk[TSR_MAX_NDIM];
    /** One for each array, or NULL. */
    const tsr_labels *labels;
    /** Of tsr_append_hdf5(): the name of the time axis, NULL: "time"; and its units, NULL: none. */
    const char *time_name, *time_units;
} tsr_hdf5_options;

/**
 * Save arrays and attributes in a new HDF5 file: one dataset for each array, with the global shape
 * and without halo cells; the attributes are those of the root group.  The file is the same for
 * every number of ranks.  It is written beside the target and renamed when complete, so a failure
 * leaves an old file as it was; links and permissions are kept, as by tsr_save().
 *
 * @param path        the name as given; same on all ranks, on a file system that all ranks share
 * @param n           number of arrays, at least 1
 * @param arrays      of one communicator (layouts may differ); names are different, and none is a
 *                    group of another
 * @param attributes  NULL: none.  Same on all ranks.
 * @par Call
 *   Collective over the communicator of the first array; agrees.  Replicated arrays are written
 *   from rank 0's copy.
 * @return TSR_OK, or
 *   TSR_ERR_VALUE        no array, a NULL or empty path or name, a name twice, arrays of different
 *                        communicators, an impossible option or label,
 *   TSR_ERR_UNSUPPORTED  this build has no HDF5,
 *   TSR_ERR_IO           the text names the file and the reason,
 *   TSR_ERR_MISMATCH, TSR_ERR_STATE, TSR_ERR_OVERFLOW, TSR_ERR_NOMEM, TSR_ERR_MPI.
 * @par Cost
 *   Rank 0 makes the file's structure; every rank writes its own block.  Nothing global is built.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_save_hdf5(const char *path, int n,
                                                const tsr_named_array *arrays,
                                                const tsr_attributes *attributes);
/**
 * The same with options: compression, chunks, labels, and updates in place.
 *
 * Labelled axes become HDF5 dimension scales, as netCDF has them: xarray and ncdump show names,
 * coordinates and units.  Arrays in one group whose axes have one name share it: the lengths, and
 * the values where both have some, must be equal.
 *
 * With `update` the file must exist.  An array whose name is taken by a dataset of the same shape,
 * type and storage overwrites its values; another one replaces it (HDF5 does not give back the
 * space).  Everything else stays.  Nothing is renamed: a failure on the way, or the end of the
 * program, may leave some arrays new, some old and one half written, and at worst a file that
 * cannot be opened.
 *
 * @par Call
 *   Collective over the communicator of the first array; agrees.
 * @par Cost
 *   Chunked arrays are passed to rank 0, a few megabytes at a time, and written there.  Chunks that
 *   fit the blocks of ranks are faster than those that several ranks share.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_save_hdf5_as(const char *path, int n,
                                                   const tsr_named_array *arrays,
                                                   const tsr_attributes *attributes,
                                                   const tsr_hdf5_options *options);

/**
 * Append one record to a time series: each array becomes one more entry along axis 0 of its
 * dataset, which has one axis more than the array and grows; `time` becomes one more value of the
 * dataset of the time axis, at the top level.  What does not exist is made.
 *
 * The record counts when its time is written, last of all.  A record that failed before, or was
 * being written when the program ended, is overwritten by the next; a failure in that last step may
 * leave a record that counts.  Else the promises are those of an update in place.
 *
 * @param arrays   of the shapes and types that they had in earlier records
 * @param options  NULL for defaults; `update` means nothing here.  `gzip` and `chunk` (along the
 *                 axes of the array; a chunk is one record long) are for datasets that are made:
 *                 without them a record is one chunk.  `labels` are of the array's axes.
 * @par Call
 *   Collective over the communicator of the first array; agrees.
 * @return as tsr_save_hdf5(), and TSR_ERR_VALUE when a dataset has another shape or type.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_append_hdf5(const char *path, int n,
                                                  const tsr_named_array *arrays, double time,
                                                  const tsr_hdf5_options *options);

/* ---- loading --------------------------------------------------------------------------------- */

/**
 * Read arrays from an HDF5 file, whoever wrote it.  Types and shapes come from the file; each array
 * gets a layout of its own from the options, and each rank reads its own block.  Halo cells are 0.
 * Numbers in any byte order are read; half precision becomes f32.
 *
 * @param options     of the layouts; NULL: axis 0 split.  (Options that name an axis refuse arrays
 *                    that do not have it.)
 * @param n           number of arrays, at least 0
 * @param arrays      names, given; arrays, set: new ones, or all NULL on failure
 * @param attributes  those of the root group, numbers, lists of numbers and texts; others are left
 *                    out.  What it held before is cleared.  NULL: not asked for.
 * @par Call
 *   Collective over comm; agrees.
 * @return TSR_OK, or
 *   TSR_ERR_IO           the file is missing, cannot be read or is not HDF5; a name is missing or
 *                        no dataset; elements of a type that this library does not have; the file
 *                        was replaced or written to meanwhile,
 *   TSR_ERR_VALUE        a NULL or empty path or name, n < 0,
 *   TSR_ERR_UNSUPPORTED  this build has no HDF5; a dataset is virtual, or needs a filter that this
 *                        HDF5 does not have,
 *   and the errors of tsr_layout_create() and tsr_zeros().
 * @par Cost
 *   Rank 0 looks at the file, without a lock, and tells the others; every rank reads its own cells:
 *   with system calls where they lie in one run, through HDF5 where they are chunked, compressed or
 *   of another type.  Rank 0 reads for ranks that do not find the file.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load_hdf5(const char *path, tsr_comm comm,
                                                const tsr_layout_options *options, int n,
                                                tsr_named_array *arrays,
                                                tsr_attributes *attributes);
/**
 * Read all datasets at the top level of an HDF5 file, in alphabetical order; groups are skipped.
 *
 * @param n,arrays  what was there, to be given to tsr_named_arrays_destroy(); 0 and NULL on failure
 * @par Call
 *   Collective over comm; agrees.
 * @return as tsr_load_hdf5().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load_hdf5_all(const char *path, tsr_comm comm,
                                                    const tsr_layout_options *options, int *n,
                                                    tsr_named_array **arrays,
                                                    tsr_attributes *attributes);
/** Destroy what tsr_load_hdf5_all() made, and set both to 0 and NULL.  An array that was taken out
 * and set to NULL stays.  Local. */
TSR_API void tsr_named_arrays_destroy(int *n, tsr_named_array **arrays);

/**
 * Read one record of a time series, as tsr_append_hdf5() made it: each array is the entry of this
 * index along axis 0 of its dataset, without that axis.
 *
 * @param record   negative ones count from the end of the first array's: -1 is the last one.  Same
 *                 on all ranks.
 * @param options  of the layouts; NULL: axis 0 split
 * @param n        number of arrays, at least 1
 * @param arrays   names, given; arrays, set: new ones, or all NULL on failure
 * @param time     the record's time, NaN when the file does not say; NULL: not asked for
 * @par Call
 *   Collective over comm; agrees.
 * @return as tsr_load_hdf5(), and
 *   TSR_ERR_INDEX  there is no such record of some array; those being written do not count,
 *   TSR_ERR_VALUE  a dataset has no axes.
 * @par Cost
 *   That of tsr_load_hdf5() for the cells of one record.  How many there are is the length of the
 *   dataset of the time axis, which tsr_load_hdf5() reads.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load_hdf5_record(const char *path, tsr_comm comm,
                                                       int64_t record,
                                                       const tsr_layout_options *options, int n,
                                                       tsr_named_array *arrays, double *time);
/**
 * Read a part of a dataset: the cells from `start` on, `shape` of them along each axis.
 *
 * @param name   of the dataset
 * @param start  as many entries as the dataset has axes; same on all ranks
 * @param shape  likewise; the shape of the new array
 * @param options  of its layout; NULL: axis 0 split
 * @param array    the new array; NULL on failure
 * @par Call
 *   Collective over comm; agrees.
 * @return as tsr_load_hdf5(), TSR_ERR_VALUE (NULL, negative lengths), TSR_ERR_INDEX (beyond the
 *   dataset).
 * @par Cost
 *   Every rank reads its own block; of chunks, and of compressed ones, each that it overlaps.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_load_hdf5_slice(const char *path, tsr_comm comm,
                                                      const char *name, const int64_t *start,
                                                      const int64_t *shape,
                                                      const tsr_layout_options *options,
                                                      tsr_array **array);

/* ---- checkpoints ----------------------------------------------------------------------------- */

/**
 * Save the state of a program: tsr_save_hdf5(), in one step.  Until the new checkpoint is whole and
 * on the storage device, the last one stays under the name; whenever the program ends, one of both
 * can be loaded.
 *
 * @par Call
 *   Collective over the communicator of the first array; agrees.
 * @return as tsr_save_hdf5().
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_checkpoint_save(const char *path, int n,
                                                      const tsr_named_array *arrays,
                                                      const tsr_attributes *attributes);
/**
 * Whether there is a checkpoint of this name, as rank 0 sees it: what a program asks when it
 * begins.
 *
 * @par Call
 *   Collective over comm; agrees.
 * @return TSR_OK, TSR_ERR_VALUE (a NULL or empty path, a NULL pointer), TSR_ERR_IO (it cannot be
 *   told), TSR_ERR_UNSUPPORTED (this build has no HDF5), TSR_ERR_MISMATCH, TSR_ERR_STATE,
 *   TSR_ERR_MPI.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_checkpoint_exists(const char *path, tsr_comm comm,
                                                        bool *exists);
/**
 * Load the state of a program into arrays that it has made: their values become those of the file,
 * whatever ranks and layouts wrote them.  Halo cells stay as they are.  All arrays are loaded, or
 * after an error none.
 *
 * @param arrays      names and arrays of one communicator, of the shapes and types of the file
 * @param attributes  as in tsr_load_hdf5()
 * @par Call
 *   Collective over the communicator of the first array; agrees.
 * @return as tsr_load_hdf5(), and
 *   TSR_ERR_VALUE  no array, arrays of different communicators, or another shape,
 *   TSR_ERR_TYPE   another element type,
 *   TSR_ERR_STATE  an exchange of an array is pending.
 * @par Cost
 *   Memory for a second copy of the arrays during the call.
 */
TSR_API TSR_MUST_CHECK tsr_status tsr_checkpoint_load(const char *path, int n,
                                                      const tsr_named_array *arrays,
                                                      tsr_attributes *attributes);

TSR_END_DECLS
#endif
