/* Fuzz target of the .npy header parser, for the serial build with clang:
 *
 *     clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -DTSR_SERIAL -Iinclude -Isrc \
 *         tests/fuzz/fuzz_npy_header.c src/io/npy_header.c src/base/checked.c src/base/types.c \
 *         -o fuzz_npy_header
 *     ./fuzz_npy_header -max_total_time=60 -max_len=512
 *
 * Whatever is accepted must survive being written and read again. */
#include "io/npy_header.h"

#include <stdlib.h>
#include <string.h>

static void require(bool condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char reason[TSRI_NPY_REASON_BYTES] = "", written[TSRI_NPY_WRITTEN_LIMIT];
    tsri_npy_header header, again;
    int64_t offset;

    const bool started = tsri_npy_data_offset(data, size, &offset, reason);
    require(started || reason[0] != '\0');
    reason[0] = '\0';
    if (!tsri_npy_parse(data, size, &header, reason)) {
        require(reason[0] != '\0' && strlen(reason) < sizeof reason);
        return 0;
    }
    require(started && header.data_offset == offset && (uint64_t)offset <= size);
    require(header.ndim >= 0 && header.ndim <= TSR_MAX_NDIM && header.cells >= 0);
    require(tsr_dtype_size(header.dtype) > 0);

    const size_t bytes = tsri_npy_format(header.dtype, header.ndim, header.shape, written);
    require(tsri_npy_parse((const unsigned char *)written, bytes, &again, reason));
    require(again.dtype == header.dtype && again.ndim == header.ndim);
    require(memcmp(again.shape, header.shape, sizeof header.shape) == 0);
    require(again.cells == header.cells && !again.swapped && !again.fortran);
    return 0;
}
