/* How much memory is left, and who gets huge pages. */
#ifndef TSRI_SHM_ROOM_H
#define TSRI_SHM_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that programs could still use on this machine without its swapping or killing one;
 * SIZE_MAX where the system does not say. */
size_t tsri_room(void);
/* Whether only private memory can have huge pages, which is how most systems are set up. */
bool tsri_huge_pages_are_private(void);

#endif
