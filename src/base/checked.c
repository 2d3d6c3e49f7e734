#include "base/checked.h"

#include <string.h>

bool tsri_product_i64(int n, const int64_t *lengths, int64_t *out)
{
    bool fits = true;
    int64_t product = 1;
    for (int a = 0; a < n; ++a) {
        if (lengths[a] == 0) {
            *out = 0;
            return true;
        }
        fits = fits && tsri_mul_i64(product, lengths[a], &product);
    }
    if (fits) *out = product;
    return fits;
}

uint64_t tsri_hash(uint64_t hash, const void *data, size_t bytes)
{
    const uint64_t prime = UINT64_C(1099511628211);
    const unsigned char *byte = data;

    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), byte += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, byte, sizeof word);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 29;
    }
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ byte[i]) * prime;
    return hash;
}

uint64_t tsri_hash_text(uint64_t hash, const char *text)
{
    const unsigned char nothing = 0xff; /* in no text of UTF-8 */
    return text == NULL ? tsri_hash(hash, &nothing, 1) : tsri_hash(hash, text, strlen(text) + 1);
}
