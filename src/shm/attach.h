/* Mappings of other processes' chunks: the arena's other half. */
#ifndef TSRI_SHM_ATTACH_H
#define TSRI_SHM_ATTACH_H

#include "shm/arena.h"

/* A piece of this process at an address; NULL when it is another's. */
void *tsri_arena_own(const tsri_arena_address *address);
/* Unmap chunks that nobody uses, least recently used first, until at most `keep` are left. */
void tsri_attach_trim(int keep);

#endif
