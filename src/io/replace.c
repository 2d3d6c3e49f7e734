#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "io/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LINK_LIMIT = 40, /* symbolic links followed, as Linux does */
    NAME_TRIES = 100,
};

/* The folder of a path, with its slash: how many bytes. */
static size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash + 1 - path);
}

/* Join the folder of `path` and the target of a link in it. */
static bool join(char path[TSRI_PATH_BYTES], const char *link)
{
    const size_t folder = link[0] == '/' ? 0 : folder_bytes(path);

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

/* What the old file is, if there is one.  Only one that could be overwritten may be replaced. */
static tsr_status check_target(const char *target, struct stat *old, bool *exists)
{
    *exists = TSRI_FILE_CALL(stat(target, old)) == 0;
    if (!*exists) return errno == ENOENT ? TSR_OK : TSRI_FILE_FAIL("write", target);
    if (S_ISDIR(old->st_mode)) errno = EISDIR;
    if (S_ISDIR(old->st_mode) || access(target, W_OK) != 0) return TSRI_FILE_FAIL("write", target);
    if (!S_ISREG(old->st_mode))
        return TSRI_FAIL(TSR_ERR_IO, TSRI_PATH " is a device or a pipe, not a regular file",
                         target);
    return TSR_OK;
}

/* Give the new file the permissions of the old one, and its owner and group as far as this user
 * may: where a group shares a file, whoever replaces it keeps it shared. */
static tsr_status take_over(const tsri_file *file, const struct stat *old)
{
    struct stat new;

    if (fstat(file->descriptor, &new) == 0 &&
        (new.st_uid != old->st_uid || new.st_gid != old->st_gid) &&
        fchown(file->descriptor, old->st_uid, old->st_gid) != 0)
        (void)!fchown(file->descriptor, (uid_t)-1, old->st_gid);
    if (TSRI_FILE_CALL(fchmod(file->descriptor, old->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO))) != 0)
        return TSRI_FILE_FAIL("set the permissions of", file->name);
    return TSR_OK;
}

/* A name beside the target's that nobody has: it contains the time and the process, so that
 * leftovers of a crash are in nobody's way.  A long name is cut, between characters of UTF-8. */
static bool name_beside(tsri_replacement *r)
{
    struct timespec now = {0};
    char suffix[64];

    clock_gettime(CLOCK_REALTIME, &now);
    const size_t added =
        (size_t)snprintf(suffix, sizeof suffix, ".%lx%08lx%lx.tmp", (unsigned long)now.tv_sec,
                         (unsigned long)now.tv_nsec, (unsigned long)getpid());
    const size_t folder = folder_bytes(r->target);
    size_t kept = strlen(r->target) - folder;
    if (kept + added > NAME_MAX) {
        kept = NAME_MAX - added;
        while (kept > 0 && (r->target[folder + kept] & 0xc0) == 0x80)
            --kept;
    }
    if (folder + kept + added >= sizeof r->temporary) return false;
    memcpy(r->temporary, r->target, folder + kept);
    memcpy(r->temporary + folder + kept, suffix, added + 1);
    return true;
}

static tsr_status create_beside(tsri_replacement *r, const tsri_context *context, const char *name,
                                tsri_file *file)
{
    for (int i = 0;; ++i) {
        if (!name_beside(r)) {
            errno = ENAMETOOLONG;
            return TSRI_FILE_FAIL("create", name);
        }
        const tsr_status st = tsri_file_open(file, context, r->temporary, name, TSRI_FILE_CREATE);
        if (st == TSR_OK || errno != EEXIST || i == NAME_TRIES) return st;
    }
}

tsr_status tsri_replace_begin(tsri_replacement *replacement, const tsri_context *context,
                              const char *path, tsri_file *file)
{
    struct stat old;
    bool exists = false;

    *file = (tsri_file){.descriptor = -1, .name = path};
    tsr_status st = follow_links(path, replacement->target);
    if (st == TSR_OK) st = check_target(replacement->target, &old, &exists);
    if (st == TSR_OK) st = create_beside(replacement, context, path, file);
    if (st != TSR_OK && errno == EACCES && exists) /* the old one alone could be written */
        return TSRI_FILE_FAIL("create a file in the folder of", path);
    if (st != TSR_OK) return st;
    replacement->made = true;
    if (exists) st = take_over(file, &old);
    return st == TSR_OK ? st : tsri_file_close(file, st);
}

/* Ask that the folder's new entry survives a crash.  Nothing follows from a failure: the new file
 * is in place, and to report one would say that the old one is. */
static void sync_folder(const char *target)
{
    char folder[TSRI_PATH_BYTES];
    const size_t bytes = folder_bytes(target);

    snprintf(folder, sizeof folder, "%.*s", (int)bytes, bytes == 0 ? "" : target);
    const int descriptor = open(bytes == 0 ? "." : folder, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    close(descriptor);
}

tsr_status tsri_replace_commit(tsri_replacement *replacement)
{
    if (!replacement->made) return TSR_OK;
    if (TSRI_FILE_CALL(rename(replacement->temporary, replacement->target)) != 0)
        return TSRI_FILE_FAIL("replace", replacement->target);
    replacement->made = false;
    sync_folder(replacement->target);
    return TSR_OK;
}

void tsri_replace_abandon(tsri_replacement *replacement)
{
    if (replacement->made) unlink(replacement->temporary);
    replacement->made = false;
}
