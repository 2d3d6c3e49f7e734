#define _GNU_SOURCE /* sync_file_range */
#define _FILE_OFFSET_BITS 64

#include "io/write_back.h"

#include <fcntl.h>

int tsri_write_back(int descriptor, int64_t offset, int64_t bytes)
{
    return sync_file_range(descriptor, offset, bytes, SYNC_FILE_RANGE_WRITE);
}
