/* Copies between operands that have their cells in different orders. */
#ifndef TSRI_KERN_TILES_H
#define TSRI_KERN_TILES_H

#include "kern/walk.h"

/* Copy cells of `size` bytes whose neighbours in the source are others than in the destination;
 * false, and nothing done, when they are the same or none.  `past`: write past the caches, to be
 * fenced. */
bool tsri_copy_tiles(tsri_walk *walk, size_t size, void *dst, const void *src, bool past);

#endif
