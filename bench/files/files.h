/* One array of doubles, whose rows are split over the ranks, in files: the ways to save it and to
 * load it. */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include "../common.h"

#include <tessera.h>

enum { FILES_COLUMNS = 1024, FILES_PATH = 1024 };

typedef struct files_problem {
    tsr_array *array;
    tsr_layout_options options;
    int64_t rows;
    int rank;
    char plain[FILES_PATH], npy[FILES_PATH], hdf5[FILES_PATH];
    const char *operations; /* what is measured, with commas; NULL: all */
    bench_python *python;   /* of rank 0; NULL: NumPy and h5py are not measured */
    bool has_python;        /* on all ranks */
} files_problem;

/* A way to save, with what loads it, or a way to load, with what saves it. */
typedef struct files_way {
    const char *name;
    bench_role role;
    void (*save)(files_problem *p);
    void (*load)(files_problem *p);
    enum { FILES_IN_ARRAY, FILES_IN_PYTHON, FILES_NOWHERE } result; /* of the load */
} files_way;

/* What every run finds before it is timed, whoever it is of: none of the files, and as much memory
 * that is free and at hand as the array has.  (A virtual machine gives memory that is free for some
 * seconds back to its host; whoever asks for it next waits several times as long as for writing.)
 */
void files_clear(const files_problem *p);
void files_have_memory(const files_problem *p);

/* The floor: every rank writes or reads its share of the bytes with system calls.  Into memory that
 * is there, or, as loading must, into new memory, whose pages the system clears. */
void files_plain_save(files_problem *p);
void files_plain_load(files_problem *p);
void files_plain_load_new(files_problem *p);
/* One process moves them all: dd. */
void files_dd_save(files_problem *p);
void files_dd_load(files_problem *p);

/* Collective calls of parallel HDF5, as a program (or h5py, built with it) makes them. */
bool files_has_parallel_hdf5(void);
void files_hand_hdf5_save(files_problem *p);
void files_hand_hdf5_load(files_problem *p);

/* NumPy and h5py in one process, which has the whole array. */
void files_numpy_save(files_problem *p);
void files_numpy_load(files_problem *p);
void files_h5py_save(files_problem *p);
void files_h5py_load(files_problem *p);
bool files_python_is_right(const files_problem *p); /* what was loaded last; rank 0 */

/* Wait until a file is on its device. */
void files_sync(const files_problem *p, const char *path);

#endif
