#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "io/file.h"

#include "base/checked.h"
#include "base/net.h"
#include "io/write_back.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What is written at once and as long as this is worth a call that has the device begin with it. */
enum { SYNC_BYTES = 1 << 20 };

tsr_status tsri_file_fail(const char *action, const char *name, const char *func, const char *file,
                          int line)
{
    char reason[128];

    if (strerror_r(errno, reason, sizeof reason) != 0) strcpy(reason, "unknown reason");
    return tsri_fail(TSR_ERR_IO, func, file, line, "cannot %s " TSRI_PATH ": %s", action, name,
                     reason);
}

static tsr_status check_regular(const tsri_file *file)
{
    struct stat info;

    if (TSRI_FILE_CALL(fstat(file->descriptor, &info)) != 0)
        return TSRI_FILE_FAIL("look at", file->name);
    if (S_ISREG(info.st_mode)) return TSR_OK;
    return TSRI_FAIL(TSR_ERR_IO, TSRI_PATH " is %s, not a regular file", file->name,
                     S_ISDIR(info.st_mode) ? "a directory" : "a device or a pipe");
}

bool tsri_file_is_stream(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 &&
           (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode) || S_ISBLK(info.st_mode));
}

tsr_status tsri_file_open(tsri_file *file, const tsri_context *context, const char *path,
                          const char *name, tsri_file_mode mode)
{
    /* Non-blocking: opening a pipe must not wait for its other end. */
    static const int flags[] = {[TSRI_FILE_READ] = O_RDONLY | O_NONBLOCK,
                                [TSRI_FILE_WRITE] = O_WRONLY | O_NONBLOCK,
                                [TSRI_FILE_CHANGE] = O_RDWR | O_NONBLOCK,
                                [TSRI_FILE_CREATE] = O_WRONLY | O_CREAT | O_EXCL,
                                [TSRI_FILE_STREAM] = O_WRONLY | O_NONBLOCK};
    const int64_t limit = tsri_context_settings(context)->message_limit;

    *file = (tsri_file){.descriptor = -1,
                        .stream = mode == TSRI_FILE_STREAM,
                        .name = name,
                        .limit = TSRI_LARGEST_MESSAGE};
    if (limit > 0 && (uint64_t)limit < file->limit) file->limit = (size_t)limit;
    do
        file->descriptor = TSRI_FILE_CALL(open(path, flags[mode] | O_CLOEXEC, 0666));
    while (file->descriptor < 0 && errno == EINTR);
    file->missing = file->descriptor < 0 && (errno == ENOENT || errno == ESTALE);
    if (file->descriptor < 0)
        return TSRI_FILE_FAIL(mode == TSRI_FILE_CREATE ? "create" : "open", name);

    tsr_status st = TSR_OK;
    if (mode != TSRI_FILE_CREATE && mode != TSRI_FILE_STREAM) st = check_regular(file);
    if (mode == TSRI_FILE_STREAM && fcntl(file->descriptor, F_SETFL, O_WRONLY) != 0)
        st = TSRI_FILE_FAIL("open", name);
    if (st != TSR_OK) {
        close(file->descriptor);
        file->descriptor = -1;
    }
    return st;
}

bool tsri_file_is_at(const tsri_file *file, const char *path)
{
    struct stat this, there;

    return fstat(file->descriptor, &this) == 0 && stat(path, &there) == 0 &&
           this.st_dev == there.st_dev && this.st_ino == there.st_ino;
}

tsr_status tsri_file_mark_of(const tsri_file *file, tsri_file_mark *mark)
{
    struct stat info;

    *mark = (tsri_file_mark){0};
    if (TSRI_FILE_CALL(fstat(file->descriptor, &info)) != 0)
        return TSRI_FILE_FAIL("look at", file->name);
    *mark = (tsri_file_mark){(uint64_t)info.st_dev, (uint64_t)info.st_ino, info.st_mtim.tv_sec,
                             info.st_mtim.tv_nsec};
    return TSR_OK;
}

tsr_status tsri_file_size(const tsri_file *file, int64_t *bytes)
{
    struct stat info;

    *bytes = 0;
    if (TSRI_FILE_CALL(fstat(file->descriptor, &info)) != 0)
        return TSRI_FILE_FAIL("look at", file->name);
    *bytes = info.st_size;
    return TSR_OK;
}

tsr_status tsri_file_resize(const tsri_file *file, int64_t bytes)
{
    int result;

    if (file->stream) return TSR_OK;
    do
        result = TSRI_FILE_CALL(ftruncate(file->descriptor, bytes));
    while (result != 0 && errno == EINTR);
    return result == 0 ? TSR_OK : TSRI_FILE_FAIL("resize", file->name);
}

tsr_status tsri_file_read(const tsri_file *file, void *data, size_t bytes, int64_t offset)
{
    char *at = data;

    while (bytes > 0) {
        const size_t part = bytes < file->limit ? bytes : file->limit;
        const ssize_t done = TSRI_FILE_CALL(pread(file->descriptor, at, part, offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return TSRI_FILE_FAIL("read", file->name);
        if (done == 0) return TSRI_FAIL(TSR_ERR_IO, TSRI_PATH " ends too early", file->name);
        at += done;
        bytes -= (size_t)done;
        offset += done;
    }
    return TSR_OK;
}

/* Write to a pipe without the signal that ends programs when its reader is gone: the error says it.
 */
static ssize_t write_stream(int descriptor, const void *data, size_t bytes)
{
    const struct timespec at_once = {0};
    sigset_t broken, pending, before;

    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t done = write(descriptor, data, bytes);
    const int reason = errno;
    /* some bytes may have been written before the reader left */
    if (sigismember(&pending, SIGPIPE) == 0) (void)sigtimedwait(&broken, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return done;
}

/* Some file systems have nothing to wait for. */
static bool has_no_device(int reason)
{
    return reason == EINVAL || reason == ENOSYS || reason == ESPIPE;
}

/* The device begins with these bytes while the next ones are made, so that the sync has less to
 * wait for.  What it says of them may be said only once. */
static tsr_status begin_sync(const tsri_file *file, int64_t offset, int64_t bytes)
{
    if (TSRI_FILE_CALL(tsri_write_back(file->descriptor, offset, bytes)) == 0 || errno == EINTR ||
        has_no_device(errno))
        return TSR_OK;
    return TSRI_FILE_FAIL("write", file->name);
}

tsr_status tsri_file_write(const tsri_file *file, const void *data, size_t bytes, int64_t offset)
{
    const char *at = data;
    const bool early = bytes >= SYNC_BYTES && !file->stream;

    for (size_t left = bytes; left > 0;) {
        const size_t part = left < file->limit ? left : file->limit;
        const ssize_t done = TSRI_FILE_CALL(
            file->stream ? write_stream(file->descriptor, at, part)
                         : pwrite(file->descriptor, at, part, offset + (int64_t)(bytes - left)));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return TSRI_FILE_FAIL("write", file->name);
        at += done;
        left -= (size_t)done;
    }
    return early ? begin_sync(file, offset, (int64_t)bytes) : TSR_OK;
}

tsr_status tsri_file_sync(const tsri_file *file)
{
    int result;

    do
        result = TSRI_FILE_CALL(fsync(file->descriptor));
    while (result != 0 && errno == EINTR);
    if (result == 0 || has_no_device(errno)) return TSR_OK;
    return TSRI_FILE_FAIL("write", file->name);
}

tsr_status tsri_file_close(tsri_file *file, tsr_status st)
{
    if (file->descriptor < 0) return st;
    /* The descriptor is gone whatever close says, also when it was interrupted. */
    const bool closed = close(file->descriptor) == 0 || errno == EINTR;
    const bool failed = !closed || TSRI_FILE_CALL(0) != 0;
    file->descriptor = -1;
    if (st == TSR_OK && failed) st = TSRI_FILE_FAIL("close", file->name);
    return st;
}

tsr_status tsri_path_check(const char *path)
{
    if (path == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "path is NULL");
    if (path[0] == '\0') return TSRI_FAIL(TSR_ERR_VALUE, "path is empty");
    return TSR_OK;
}

uint64_t tsri_path_hash(uint64_t hash, const char *path)
{
    return path == NULL ? tsri_hash(hash, "", 1) : tsri_hash(hash, path, strlen(path));
}
