/* Huge pages for memory that processes share. */
#ifndef TSRI_SHM_HUGE_H
#define TSRI_SHM_HUGE_H

#include <stddef.h>
#include <stdint.h>

enum { TSRI_HUGE_PAGE = 2 << 20 };

typedef enum tsri_huge_pages {
    TSRI_HUGE_AS_PRIVATE, /* shared memory has them where private memory has */
    TSRI_HUGE_ON_REQUEST, /* each has to be asked for */
    TSRI_HUGE_PRIVATE     /* only private memory has them */
} tsri_huge_pages;

/* What this system does.  Found out once, so not to be called by two threads at a time. */
tsri_huge_pages tsri_huge_pages_of_shared(void);

/* An address for `bytes` bytes, aligned to a huge page when that is no waste.  Only the address is
 * reserved, to be mapped over; MAP_FAILED when there is none. */
void *tsri_huge_reserve(size_t bytes);

/* Give new places of a file, whole huge pages, one each, as far as the system has some. */
void tsri_huge_request(int file, uint64_t place, size_t bytes);

#endif
