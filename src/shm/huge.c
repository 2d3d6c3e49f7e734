#define _GNU_SOURCE /* memfd_create, fallocate */

#include "shm/huge.h"

#include "shm/room.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Since Linux 6.1: the small pages behind these addresses are made huge ones, also where the system
 * is set up to give none unasked. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

void *tsri_huge_reserve(size_t bytes)
{
    const size_t slack = bytes >= TSRI_HUGE_PAGE ? TSRI_HUGE_PAGE : 0;
    unsigned char *start =
        mmap(NULL, bytes + slack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED || slack == 0) return start;
    const size_t skip = (size_t)(-(uintptr_t)start % TSRI_HUGE_PAGE);
    if (skip > 0) munmap(start, skip);
    if (skip < slack) munmap(start + skip + bytes, slack - skip);
    return start + skip;
}

/* Only what has a page is collapsed; one small page for each huge one is the least work. */
static int collapse(int file, uint64_t place, size_t bytes)
{
    void *at = tsri_huge_reserve(bytes);
    if (at == MAP_FAILED) return -1;
    int rc = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)place) ==
                     MAP_FAILED
                 ? -1
                 : 0;
    for (size_t page = 0; rc == 0 && page < bytes; page += TSRI_HUGE_PAGE)
        rc = fallocate(file, 0, (off_t)(place + page), 1);
    if (rc == 0) rc = madvise(at, bytes, MADV_COLLAPSE);
    munmap(at, bytes);
    return rc;
}

static bool try_to_collapse(void)
{
    const int file = memfd_create("tessera-page", MFD_CLOEXEC);
    if (file < 0) return false;
    const bool can = collapse(file, 0, TSRI_HUGE_PAGE) == 0;
    close(file);
    return can;
}

tsri_huge_pages tsri_huge_pages_of_shared(void)
{
    static int found = -1;
    if (found >= 0) return (tsri_huge_pages)found;
    found = TSRI_HUGE_AS_PRIVATE;
    if (tsri_huge_pages_are_private())
        found = try_to_collapse() ? TSRI_HUGE_ON_REQUEST : TSRI_HUGE_PRIVATE;
    return (tsri_huge_pages)found;
}

void tsri_huge_request(int file, uint64_t place, size_t bytes)
{
    if (bytes % TSRI_HUGE_PAGE == 0 && tsri_huge_pages_of_shared() == TSRI_HUGE_ON_REQUEST)
        (void)collapse(file, place, bytes); /* what fails leaves small pages */
}
