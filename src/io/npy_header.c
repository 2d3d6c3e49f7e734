#include "io/npy_header.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

enum {
    MAGIC_BYTES = sizeof magic,
    ALIGNMENT = 64,     /* of the data */
    GROWTH_DIGITS = 21, /* the first length may grow to this many digits in place */
    NAME_LIMIT = 64,    /* longest text quoted from a file */
};

/* ---- element types --------------------------------------------------------------------------- */

/* The letter of each type's kind, as in NumPy's array interface. */
static char kind_of(tsr_dtype dtype)
{
    if (dtype == TSR_BOOL) return 'b';
    if (dtype <= TSR_I64) return 'i';
    if (dtype <= TSR_U64) return 'u';
    return dtype <= TSR_F64 ? 'f' : 'c';
}

static bool machine_is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static tsr_dtype dtype_of(char kind, int64_t size)
{
    for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
        if (kind_of(dtype) == kind && (int64_t)tsr_dtype_size(dtype) == size) return dtype;
    return TSR_AUTO;
}

/* ---- a small parser of Python literals ------------------------------------------------------- */

typedef struct text {
    const char *at, *end;
} text;

typedef struct parser {
    text rest;
    tsri_npy_header header;
    char *reason;
} parser;

/* Say why the bytes are refused; returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
refuse(parser *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->reason, TSRI_NPY_REASON_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_space(text *t)
{
    while (t->at < t->end && *t->at != '\0' && strchr(" \t\r\n\f\v", *t->at) != NULL)
        ++t->at;
}

/* Skip space, then take this character if it comes next. */
static bool take(text *t, char c)
{
    skip_space(t);
    if (t->at == t->end || *t->at != c) return false;
    ++t->at;
    return true;
}

static bool take_word(text *t, const char *word)
{
    const size_t length = strlen(word);

    skip_space(t);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0) return false;
    t->at += length;
    return true;
}

/* A quoted string without escapes; `inside` is what is between the quotes. */
static bool take_string(text *t, text *inside)
{
    skip_space(t);
    if (t->at == t->end || (*t->at != '\'' && *t->at != '"')) return false;
    const char quote = *t->at;
    const char *p = t->at + 1;
    while (p < t->end && *p != quote && *p != '\\' && *p != '\n')
        ++p;
    if (p == t->end || *p != quote) return false;
    *inside = (text){t->at + 1, p};
    t->at = p + 1;
    return true;
}

static bool take_digits(text *t, int64_t *number)
{
    const char *start = t->at;
    *number = 0;
    for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; ++t->at)
        if (!tsri_mul_i64(*number, 10, number) || !tsri_add_i64(*number, *t->at - '0', number))
            return false;
    return t->at > start;
}

/* Python 2 wrote long numbers with an L. */
static bool take_length(text *t, int64_t *length)
{
    skip_space(t);
    if (!take_digits(t, length)) return false;
    if (t->at < t->end && *t->at == 'L') ++t->at;
    return true;
}

static bool equals(text t, const char *word)
{
    return (size_t)(t.end - t.at) == strlen(word) && memcmp(t.at, word, strlen(word)) == 0;
}

/* What a sentence quotes from a file: printable ASCII, cut short. */
static const char *quoted(text t, char name[NAME_LIMIT])
{
    size_t n = 0;
    for (const char *p = t.at; p < t.end && n < NAME_LIMIT - 1; ++p)
        name[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    name[n] = '\0';
    return name;
}

/* ---- the three entries ----------------------------------------------------------------------- */

static bool parse_type(parser *p, text code)
{
    char name[NAME_LIMIT], order = '=';
    text t = code;
    int64_t size = 1;

    if (t.at < t.end && *t.at != '\0' && strchr("<>=|", *t.at) != NULL) order = *t.at++;
    const char kind = t.at < t.end ? *t.at++ : '\0';
    if (kind == 'O') return refuse(p, "elements of type object are never read");
    const bool bare_bool = kind == '?' && t.at == t.end;
    if (!bare_bool && (!take_digits(&t, &size) || t.at != t.end))
        return refuse(p, "element type '%s' is not supported", quoted(code, name));
    p->header.dtype = dtype_of(bare_bool ? 'b' : kind, size);
    if (p->header.dtype == TSR_AUTO)
        return refuse(p, "element type '%s' is not supported", quoted(code, name));
    p->header.swapped = order == (machine_is_big_endian() ? '<' : '>');
    return true;
}

static bool parse_descr(parser *p)
{
    text *t = &p->rest, code;

    skip_space(t);
    if (t->at < t->end && (*t->at == '[' || *t->at == '('))
        return refuse(p, "structured element types are not supported");
    if (!take_string(t, &code)) return refuse(p, "'descr' is no string");
    return parse_type(p, code);
}

static bool parse_order(parser *p)
{
    p->header.fortran = take_word(&p->rest, "True");
    if (!p->header.fortran && !take_word(&p->rest, "False"))
        return refuse(p, "'fortran_order' is neither True nor False");
    return true;
}

static bool parse_shape(parser *p)
{
    tsri_npy_header *header = &p->header;
    bool comma = true;

    if (!take(&p->rest, '(')) return refuse(p, "'shape' is no tuple");
    while (!take(&p->rest, ')')) {
        int64_t length;
        if (!comma) return refuse(p, "'shape' lacks a comma after length %d", header->ndim - 1);
        if (!take_length(&p->rest, &length))
            return refuse(p, "length %d of 'shape' is no number from 0 to %" PRId64, header->ndim,
                          INT64_MAX);
        if (header->ndim == TSR_MAX_NDIM)
            return refuse(p, "'shape' has more than %d lengths", TSR_MAX_NDIM);
        header->shape[header->ndim++] = length;
        comma = take(&p->rest, ',');
    }
    if (header->ndim == 1 && !comma) return refuse(p, "'shape' is no tuple");
    return true;
}

typedef struct entry {
    const char *key;
    bool (*parse)(parser *p);
} entry;
static const entry entries[] = {
    {"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static bool parse_entry(parser *p, bool seen[ENTRIES])
{
    char name[NAME_LIMIT];
    text key;

    if (!take_string(&p->rest, &key) || !take(&p->rest, ':'))
        return refuse(p, "the header is no dictionary of named entries");
    for (int k = 0; k < ENTRIES; ++k) {
        if (!equals(key, entries[k].key)) continue;
        if (seen[k]) return refuse(p, "the header has '%s' twice", entries[k].key);
        seen[k] = true;
        return entries[k].parse(p);
    }
    return refuse(p, "the header has an unknown entry '%s'", quoted(key, name));
}

static bool parse_dictionary(parser *p)
{
    bool seen[ENTRIES] = {false}, comma = true;

    if (!take(&p->rest, '{')) return refuse(p, "the header is no dictionary");
    while (!take(&p->rest, '}')) {
        if (!comma) return refuse(p, "the header lacks a comma between its entries");
        if (!parse_entry(p, seen)) return false;
        comma = take(&p->rest, ',');
    }
    skip_space(&p->rest);
    if (p->rest.at != p->rest.end) return refuse(p, "the header has text after its dictionary");
    for (int k = 0; k < ENTRIES; ++k)
        if (!seen[k]) return refuse(p, "the header has no '%s'", entries[k].key);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Where the text starts, and where it ends and the data start. */
static bool parse_preamble(parser *p, const unsigned char *bytes, size_t count, size_t *start,
                           size_t *end)
{
    *start = *end = 0;
    if (count < MAGIC_BYTES + 2 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return refuse(p, "not a .npy file");
    const int major = bytes[MAGIC_BYTES], minor = bytes[MAGIC_BYTES + 1];
    if (major < 1 || major > 3 || minor != 0)
        return refuse(p, "format version %d.%d is unknown, 1.0, 2.0 and 3.0 are read", major,
                      minor);
    *start = MAGIC_BYTES + 2 + (major == 1 ? 2 : 4);
    if (count < *start) return refuse(p, "the file ends inside its header");

    size_t length = 0;
    for (size_t k = *start; k > MAGIC_BYTES + 2; --k)
        length = length << 8 | bytes[k - 1];
    if (length > TSRI_NPY_HEADER_LIMIT)
        return refuse(p, "a header of %zu bytes, at most %d are read", length,
                      TSRI_NPY_HEADER_LIMIT);
    *end = *start + length;
    return true;
}

bool tsri_npy_data_offset(const unsigned char *bytes, size_t count, int64_t *offset,
                          char reason[TSRI_NPY_REASON_BYTES])
{
    parser p = {.reason = reason};
    size_t start, end;

    *offset = 0;
    if (!parse_preamble(&p, bytes, count, &start, &end)) return false;
    *offset = (int64_t)end;
    return true;
}

/* The order of axes matters when two of them are longer than 1. */
static bool order_matters(const tsri_npy_header *header)
{
    int longer = 0;
    for (int a = 0; a < header->ndim; ++a)
        longer += header->shape[a] > 1;
    return longer > 1 && header->cells > 0;
}

bool tsri_npy_parse(const unsigned char *bytes, size_t count, tsri_npy_header *header,
                    char reason[TSRI_NPY_REASON_BYTES])
{
    parser p = {.reason = reason};
    tsri_npy_header *const h = &p.header;
    size_t start, end;
    int64_t file_bytes;

    *header = (tsri_npy_header){.dtype = TSR_AUTO};
    if (!parse_preamble(&p, bytes, count, &start, &end)) return false;
    if (count < end) return refuse(&p, "the file ends inside its header");
    p.rest = (text){(const char *)bytes + start, (const char *)bytes + end};
    h->data_offset = (int64_t)end;
    if (!parse_dictionary(&p)) return false;
    if (!tsri_product_i64(h->ndim, h->shape, &h->cells) ||
        !tsri_mul_i64(h->cells, (int64_t)tsr_dtype_size(h->dtype), &file_bytes) ||
        !tsri_add_i64(file_bytes, h->data_offset, &file_bytes))
        return refuse(&p, "'shape' stands for more bytes than any file has");
    h->fortran = h->fortran && order_matters(h);
    *header = *h;
    return true;
}

size_t tsri_npy_format(tsr_dtype dtype, int ndim, const int64_t *shape,
                       char bytes[TSRI_NPY_WRITTEN_LIMIT])
{
    const size_t start = MAGIC_BYTES + 4, size = tsr_dtype_size(dtype);
    const char order = size == 1 ? '|' : machine_is_big_endian() ? '>' : '<';
    char *const text_start = bytes + start;
    const size_t room = TSRI_NPY_WRITTEN_LIMIT - start;
    size_t n = 0;

    n += (size_t)snprintf(text_start, room, "{'descr': '%c%c%zu', 'fortran_order': False, ", order,
                          kind_of(dtype), size);
    n += (size_t)snprintf(text_start + n, room - n, "'shape': (");
    int first_digits = GROWTH_DIGITS;
    for (int a = 0; a < ndim; ++a) {
        const int digits = snprintf(text_start + n, room - n, "%" PRId64, shape[a]);
        if (a == 0) first_digits = digits;
        n += (size_t)digits;
        const char *separator = ndim == 1 ? "," : a < ndim - 1 ? ", " : "";
        n += (size_t)snprintf(text_start + n, room - n, "%s", separator);
    }
    n += (size_t)snprintf(text_start + n, room - n, "), }%*s", GROWTH_DIGITS - first_digits, "");

    const size_t padding = ALIGNMENT - (start + n + 1) % ALIGNMENT;
    memset(text_start + n, ' ', padding);
    n += padding;
    text_start[n++] = '\n';
    memcpy(bytes, magic, MAGIC_BYTES);
    bytes[MAGIC_BYTES] = 1;
    bytes[MAGIC_BYTES + 1] = 0;
    bytes[MAGIC_BYTES + 2] = (char)(n & 0xff);
    bytes[MAGIC_BYTES + 3] = (char)(n >> 8);
    return start + n;
}
