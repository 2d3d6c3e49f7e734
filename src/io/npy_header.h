/* The header of a .npy file: text that describes the data after it.  Pure functions over bytes; no
 * file is touched, nothing in it is evaluated. */
#ifndef TSRI_IO_NPY_HEADER_H
#define TSRI_IO_NPY_HEADER_H

#include <tessera/types.h>

enum {
    TSRI_NPY_PREAMBLE_BYTES = 12,     /* enough to know where the data start */
    TSRI_NPY_HEADER_LIMIT = 1 << 20,  /* longest header that is read */
    TSRI_NPY_WRITTEN_LIMIT = 1 << 10, /* longest header that is written */
    TSRI_NPY_REASON_BYTES = 160,
};

typedef struct tsri_npy_header {
    tsr_dtype dtype;
    bool swapped; /* numbers are in the byte order that this machine does not use */
    bool fortran; /* first axis fastest, and that differs from C order */
    int ndim;
    int64_t shape[TSR_MAX_NDIM];
    int64_t cells;
    int64_t data_offset; /* bytes before the data */
} tsri_npy_header;

/* From the first bytes of a file (at most TSRI_NPY_PREAMBLE_BYTES of them are looked at), the
 * number of bytes before the data.  False, with the reason, when this is no .npy file, its version
 * is unknown or its header is longer than the limit. */
bool tsri_npy_data_offset(const unsigned char *bytes, size_t count, int64_t *offset,
                          char reason[TSRI_NPY_REASON_BYTES]);
/* Parse the bytes before the data.  False, with the reason, when they are malformed or describe
 * data that this library does not hold.  The size of the whole file fits 63 bits when true. */
bool tsri_npy_parse(const unsigned char *bytes, size_t count, tsri_npy_header *header,
                    char reason[TSRI_NPY_REASON_BYTES]);
/* Write the bytes before the data, as NumPy does; returns their number. */
size_t tsri_npy_format(tsr_dtype dtype, int ndim, const int64_t *shape,
                       char bytes[TSRI_NPY_WRITTEN_LIMIT]);

#endif
