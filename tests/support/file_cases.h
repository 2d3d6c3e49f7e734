/* What the tests of files share: arrays whose elements are known from their cell number, as in
 * tests/oracle/npy.py, and runs of that script. */
#ifndef TSRT_SUPPORT_FILE_CASES_H
#define TSRT_SUPPORT_FILE_CASES_H

#include "support/harness.h"

#include <stdio.h>

enum { PATH_BYTES = 4096 };

/* FOLDER/name, in one of a few buffers that are used in turn. */
const char *file_path(const char *name);

/* Write the element of a cell: any bits, also such that are NaN; true or false for bool. */
void file_element(tsr_dtype dtype, int64_t cell, void *element);
/* Set this rank's block, and nothing else. */
void file_fill(tsr_array *array);
/* This rank's block has the elements of file_fill(), and its halo cells are zero. */
void file_check(const tsr_array *array);

/* A layout of this shape; layout number `which` of FILE_LAYOUTS kinds. */
enum { FILE_LAYOUTS = 5 };
tsr_layout_options file_options(int ndim, int which);
tsr_array *file_array(tsr_dtype dtype, int ndim, const int64_t *shape, int which);
tsr_dtype dtype_named(const char *name);

/* One line of a list that npy.py wrote: a file and what is in it.  False at the end. */
typedef struct file_entry {
    char name[128];
    tsr_dtype dtype;
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
} file_entry;
bool file_next_entry(FILE *list, file_entry *e);

/* Bytes of a file, from rank 0's point of view but known to all; -1 when there is none. */
int64_t file_bytes(const char *path);
/* Names of a folder that end in .tmp, counted on rank 0 but known to all. */
int temporaries(void);
/* Make a file on rank 0; returns on all ranks when it is there. */
void make_file(const char *path, const void *bytes, size_t count);

/* Run a command of the shell on rank 0, in this test's folder; stops the test when it fails. */
void run_in_folder(const char *command);
/* The same with `SCRIPT ARGUMENTS` of tests/oracle and Python. */
void run_python(const char *script_and_arguments);

#endif
