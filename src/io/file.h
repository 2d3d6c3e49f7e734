/* Files by plain system calls.  All local.  Failures are TSR_ERR_IO with the file's name and the
 * system's reason; every call is a place where a fault can be injected. */
#ifndef TSRI_IO_FILE_H
#define TSRI_IO_FILE_H

#include "base/context.h"

typedef struct tsri_file {
    int descriptor;   /* -1: not open */
    bool stream;      /* written in order: offsets do not count */
    bool missing;     /* not open, since this rank finds no such file */
    const char *name; /* as sentences name it */
    size_t limit;     /* most bytes read or written by one system call */
} tsri_file;

typedef enum tsri_file_mode {
    TSRI_FILE_READ,
    TSRI_FILE_WRITE,  /* an existing one */
    TSRI_FILE_CHANGE, /* an existing one, which is read too */
    TSRI_FILE_CREATE, /* a new one; it is an error when the name is taken */
    TSRI_FILE_STREAM  /* a device or a pipe, which is written from its begin to its end; opening a
                         pipe that nobody reads fails */
} tsri_file_mode;

/* Whether a path leads to a device or a pipe. */
bool tsri_file_is_stream(const char *path);
/* Open a regular file, or a stream.  Sentences call it `name`, the path that the user gave, which
 * is borrowed until it is closed. */
tsr_status tsri_file_open(tsri_file *file, const tsri_context *context, const char *path,
                          const char *name, tsri_file_mode mode);
/* Whether a path still leads to this file, and to no other that has been put in its place. */
bool tsri_file_is_at(const tsri_file *file, const char *path);
tsr_status tsri_file_size(const tsri_file *file, int64_t *bytes);
/* What a rank tells a file by from another one, and from what the same one holds later. */
typedef struct tsri_file_mark {
    uint64_t device, number;
    int64_t seconds, nanoseconds; /* when it was last written to */
} tsri_file_mark;
tsr_status tsri_file_mark_of(const tsri_file *file, tsri_file_mark *mark);
tsr_status tsri_file_resize(const tsri_file *file, int64_t bytes);
/* Read or write all of the bytes. */
tsr_status tsri_file_read(const tsri_file *file, void *data, size_t bytes, int64_t offset);
tsr_status tsri_file_write(const tsri_file *file, const void *data, size_t bytes, int64_t offset);
/* Wait until all that was written is on the storage device. */
tsr_status tsri_file_sync(const tsri_file *file);
/* Close; takes a file that is not open.  Returns `st`, what failed before, or else the outcome. */
tsr_status tsri_file_close(tsri_file *file, tsr_status st);

/* How a path appears in a sentence: cut, so that the reason after it still fits. */
#define TSRI_PATH "'%.300s'"
/* Keep "cannot <action> '<name>': <reason of errno>" as the last failure; returns TSR_ERR_IO. */
#define TSRI_FILE_FAIL(action, name) tsri_file_fail((action), (name), __func__, __FILE__, __LINE__)
tsr_status tsri_file_fail(const char *action, const char *name, const char *func, const char *file,
                          int line);
/* A system call's result, or -1 with errno set when a fault is injected instead of the call.
 * Nobody waits for a file call, so it need not happen. */
#define TSRI_FILE_CALL(...) (tsri_fault() ? (errno = EIO, -1) : (__VA_ARGS__))

/* TSR_OK for a path that is neither NULL nor empty, and a hash of it for the agreement. */
tsr_status tsri_path_check(const char *path);
uint64_t tsri_path_hash(uint64_t hash, const char *path);

#endif
