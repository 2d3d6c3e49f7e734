/* Bytes on their way to the storage device. */
#ifndef TSRI_IO_WRITE_BACK_H
#define TSRI_IO_WRITE_BACK_H

#include <stdint.h>

/* Have the system begin to move what was written to the device; returns while it does.  0, or -1
 * with errno: what the device says, or EINVAL, ENOSYS or ESPIPE where there is nothing to begin. */
int tsri_write_back(int descriptor, int64_t offset, int64_t bytes);

#endif
