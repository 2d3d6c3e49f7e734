#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "io/replace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LINK_LIMIT = 40, /* symbolic links followed, as Linux does */
    NAME_TRIES = 100,
};

/* Join the folder of `path` and the target of a link in it. */
static bool join(char path[TSRI_PATH_BYTES], const char *link)
{
    const char *slash = link[0] == '/' ? NULL : strrchr(path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash + 1 - path);

    if (folder + strlen(link) >= TSRI_PATH_BYTES) return false;
    strcpy(path + folder, link);
    return true;
}

static tsr_status follow_links(const char *path, char target[TSRI_PATH_BYTES])
{
    char link[TSRI_PATH_BYTES];

    if (strlen(path) >= TSRI_PATH_BYTES) {
        errno = ENAMETOOLONG;
        return TSRI_FILE_FAIL("create", path);
    }
    strcpy(target, path);
    for (int links = 0; links < LINK_LIMIT; ++links) {
        const ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) return TSR_OK; /* no link, or nothing there */
        link[length] = '\0';
        if (!join(target, link)) {
            errno = ENAMETOOLONG;
            return TSRI_FILE_FAIL("create", path);
        }
    }
    errno = ELOOP;
    return TSRI_FILE_FAIL("create", path);
}

/* The permissions that the new file shall have; 0: the default.  Only a file that could be
 * overwritten may be replaced. */
static tsr_status check_target(const char *target, mode_t *mode)
{
    struct stat info;

    *mode = 0;
    if (TSRI_FILE_CALL(stat(target, &info)) != 0)
        return errno == ENOENT ? TSR_OK : TSRI_FILE_FAIL("write", target);
    if (S_ISDIR(info.st_mode)) errno = EISDIR;
    if (S_ISDIR(info.st_mode) || access(target, W_OK) != 0) return TSRI_FILE_FAIL("write", target);
    if (!S_ISREG(info.st_mode))
        return TSRI_FAIL(TSR_ERR_IO, TSRI_PATH " is a device or a pipe, not a regular file",
                         target);
    *mode = info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    return TSR_OK;
}

/* Names contain the time and the process, so that leftovers of a crash are in nobody's way. */
static tsr_status create_beside(tsri_replacement *r, const tsri_context *context, tsri_file *file)
{
    for (int i = 0;; ++i) {
        struct timespec now = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        const int length = snprintf(r->temporary, sizeof r->temporary, "%s.%lx%08lx%lx.tmp",
                                    r->target, (unsigned long)now.tv_sec,
                                    (unsigned long)now.tv_nsec, (unsigned long)getpid());
        if (length < 0 || (size_t)length >= sizeof r->temporary) {
            errno = ENAMETOOLONG;
            return TSRI_FILE_FAIL("create", r->target);
        }
        const tsr_status st = tsri_file_open(file, context, r->temporary, TSRI_FILE_CREATE);
        if (st == TSR_OK || errno != EEXIST || i == NAME_TRIES) return st;
    }
}

tsr_status tsri_replace_begin(tsri_replacement *replacement, const tsri_context *context,
                              const char *path, tsri_file *file)
{
    mode_t mode;

    *file = (tsri_file){.descriptor = -1, .path = path};
    tsr_status st = follow_links(path, replacement->target);
    if (st == TSR_OK) st = check_target(replacement->target, &mode);
    if (st == TSR_OK) st = create_beside(replacement, context, file);
    if (st != TSR_OK) return st;
    replacement->made = true;
    if (mode != 0 && TSRI_FILE_CALL(fchmod(file->descriptor, mode)) != 0) {
        st = TSRI_FILE_FAIL("set the permissions of", replacement->temporary);
        return tsri_file_close(file, st);
    }
    return st;
}

tsr_status tsri_replace_commit(tsri_replacement *replacement)
{
    if (TSRI_FILE_CALL(rename(replacement->temporary, replacement->target)) != 0)
        return TSRI_FILE_FAIL("replace", replacement->target);
    replacement->made = false;
    return TSR_OK;
}

void tsri_replace_abandon(tsri_replacement *replacement)
{
    if (replacement->made) unlink(replacement->temporary);
    replacement->made = false;
}
