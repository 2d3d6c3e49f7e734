/* ranks: 1 */
#include "io/npy_header.h"
#include "support/harness.h"

#include <stdio.h>

enum { FILE_BYTES = 4096 };

/* A file's first bytes: magic, version, length of the text, text. */
typedef struct sample {
    unsigned char bytes[FILE_BYTES];
    size_t count;
} sample;

static sample with_header(int major, const char *text)
{
    sample s = {.count = 0};
    const size_t length = strlen(text);
    const unsigned char start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)major, 0};

    memcpy(s.bytes, start, sizeof start);
    s.count = sizeof start;
    for (int k = 0; k < (major == 1 ? 2 : 4); ++k)
        s.bytes[s.count++] = (unsigned char)(length >> 8 * k);
    memcpy(s.bytes + s.count, text, length);
    s.count += length;
    return s;
}

static tsri_npy_header parse(int major, const char *text)
{
    const sample s = with_header(major, text);
    char reason[TSRI_NPY_REASON_BYTES] = "";
    tsri_npy_header header;
    int64_t offset;

    CHECK(tsri_npy_data_offset(s.bytes, TSRI_NPY_PREAMBLE_BYTES, &offset, reason));
    CHECK_INT(offset, s.count);
    if (!tsri_npy_parse(s.bytes, s.count, &header, reason))
        tsrt_fail(__FILE__, __LINE__, "%s: %s", text, reason);
    CHECK_INT(header.data_offset, s.count);
    return header;
}

/* ---- what is written ------------------------------------------------------------------------- */

static void check_written(tsr_dtype dtype, int ndim, const int64_t *shape, const char *text)
{
    char bytes[TSRI_NPY_WRITTEN_LIMIT];
    const size_t n = tsri_npy_format(dtype, ndim, shape, bytes);

    CHECK_INT(n, 128);
    CHECK(memcmp(bytes, "\x93NUMPY\x01\x00\x76\x00", 10) == 0);
    CHECK(strncmp(bytes + 10, text, strlen(text)) == 0);
    for (size_t k = 10 + strlen(text); k < n - 1; ++k)
        CHECK(bytes[k] == ' ');
    CHECK(bytes[n - 1] == '\n');
}

static void F_1_F_2_F_3_F_4_F_6_headers(void **state)
{
    (void)state;
    check_written(TSR_F64, 2, TSR_SHAPE(4, 3),
                  "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }");
    check_written(TSR_I32, 1, TSR_SHAPE(10),
                  "{'descr': '<i4', 'fortran_order': False, 'shape': (10,), }");
    check_written(TSR_BOOL, 2, TSR_SHAPE(5, 0),
                  "{'descr': '|b1', 'fortran_order': False, 'shape': (5, 0), }");
    check_written(TSR_U8, 1, TSR_SHAPE(7),
                  "{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }");
    check_written(TSR_F64, 0, NULL, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }");
}

/* The longest header there is still fits and comes back. */
static void written_headers_are_read_back(void **state)
{
    (void)state;
    char bytes[TSRI_NPY_WRITTEN_LIMIT], reason[TSRI_NPY_REASON_BYTES];
    int64_t shape[TSR_MAX_NDIM];
    tsri_npy_header header;

    for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
        for (int ndim = 0; ndim <= TSR_MAX_NDIM; ++ndim) {
            for (int a = 0; a < ndim; ++a)
                shape[a] = a == 0 ? 0 : INT64_MAX - a;
            const size_t n = tsri_npy_format(dtype, ndim, shape, bytes);
            CHECK_INT(n % 64, 0);
            CHECK(tsri_npy_parse((unsigned char *)bytes, n, &header, reason));
            CHECK_INT(header.dtype, dtype);
            CHECK_INT(header.ndim, ndim);
            CHECK(memcmp(header.shape, shape, (size_t)ndim * sizeof *shape) == 0);
            CHECK_INT(header.cells, ndim == 0 ? 1 : 0);
            CHECK(!header.swapped && !header.fortran);
        }
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void any_python_spelling_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }   \n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3)}",
        "{\"shape\":(4,3),\"descr\":\"<f8\",\"fortran_order\":False}\n",
        "  {'fortran_order' :False ,'shape': ( 4 , 3 , ) , 'descr':\t\"<f8\" , } \n\n",
        "{'descr': 'f8', 'shape': (4L, 3L), 'fortran_order': False}",
        "{'descr': '=f8', 'shape': (4, 3), 'fortran_order': False}",
        "{'descr': '|f8', 'shape': (4,3 ,), 'fortran_order': False}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        for (int major = 1; major <= 3; ++major) {
            const tsri_npy_header header = parse(major, texts[i]);
            CHECK_INT(header.dtype, TSR_F64);
            CHECK_INT(header.ndim, 2);
            CHECK_INT(header.shape[0], 4);
            CHECK_INT(header.shape[1], 3);
            CHECK_INT(header.cells, 12);
            CHECK(!header.swapped && !header.fortran);
        }
}

static void type_codes(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        tsr_dtype dtype;
        bool swapped;
    } cases[] = {{"|b1", TSR_BOOL, false}, {"?", TSR_BOOL, false},  {"|i1", TSR_I8, false},
                 {"<i1", TSR_I8, false},   {"|u1", TSR_U8, false},  {"<i2", TSR_I16, false},
                 {">i2", TSR_I16, true},   {"<i4", TSR_I32, false}, {"<i8", TSR_I64, false},
                 {"<u2", TSR_U16, false},  {">u4", TSR_U32, true},  {"=u8", TSR_U64, false},
                 {"<f4", TSR_F32, false},  {">f8", TSR_F64, true},  {"<c8", TSR_C64, false},
                 {"=f4", TSR_F32, false},  {">c16", TSR_C128, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[128];
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (), }",
                 cases[i].code);
        const tsri_npy_header header = parse(1, text);
        CHECK_INT(header.dtype, cases[i].dtype);
        CHECK_INT(header.swapped, cases[i].swapped);
        CHECK_INT(header.ndim, 0);
        CHECK_INT(header.cells, 1);
    }
}

/* The order of axes is a difference only when two of them are longer than 1. */
static void fortran_order_where_it_matters(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        bool fortran;
    } cases[] = {{"()", false},        {"(5,)", false},   {"(2, 3)", true},   {"(5, 1)", false},
                 {"(1, 4, 1)", false}, {"(2, 0)", false}, {"(2, 1, 2)", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[128];
        snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': True, 'shape': %s, }",
                 cases[i].shape);
        CHECK_INT(parse(1, text).fortran, cases[i].fortran);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_refused(const unsigned char *bytes, size_t count, const char *why)
{
    char reason[TSRI_NPY_REASON_BYTES] = "";
    tsri_npy_header header;

    if (tsri_npy_parse(bytes, count, &header, reason))
        tsrt_fail(__FILE__, __LINE__, "accepted, expected \"%s\"", why);
    if (strstr(reason, why) == NULL)
        tsrt_fail(__FILE__, __LINE__, "refused with \"%s\", expected \"%s\"", reason, why);
    CHECK_INT(header.dtype, TSR_AUTO);
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
#define REST ", 'fortran_order': False, 'shape': (4,), }"
#define SHAPED "{'descr': '<f8', 'fortran_order': False, 'shape': "
    static const char *const cases[][2] = {
        {"", "no dictionary"},
        {"   \n", "no dictionary"},
        {"['descr']", "no dictionary"},
        {"{", "named entries"},
        {"{}", "no 'descr'"},
        {"{'descr': '<f8', 'shape': (4,)}", "no 'fortran_order'"},
        {"{'descr': '<f8', 'fortran_order': False}", "no 'shape'"},
        {"{'descr': '<f8', 'descr': '<f8'" REST, "'descr' twice"},
        {"{'extra': 1, 'descr': '<f8'" REST, "unknown entry 'extra'"},
        {"{'descr': '<f8'" REST " x", "after its dictionary"},
        {"{'descr': '<f8' 'fortran_order': False, 'shape': (4,), }", "lacks a comma"},
        {"{,'descr': '<f8'" REST, "named entries"},
        {"{'descr' '<f8'" REST, "named entries"},
        {"{'descr': <f8" REST, "'descr' is no string"},
        {"{'descr': '<f8" REST, "is not supported"},
        {"{'descr': '|O'" REST, "object"},
        {"{'descr': 'O8'" REST, "object"},
        {"{'descr': [('x', '<f8')]" REST, "structured"},
        {"{'descr': ('<f8', (2,))" REST, "structured"},
        {"{'descr': '<f2'" REST, "'<f2' is not supported"},
        {"{'descr': '<f16'" REST, "'<f16' is not supported"},
        {"{'descr': '<U5'" REST, "'<U5' is not supported"},
        {"{'descr': '|S3'" REST, "'|S3' is not supported"},
        {"{'descr': '|V16'" REST, "'|V16' is not supported"},
        {"{'descr': '<M8[ns]'" REST, "'<M8[ns]' is not supported"},
        {"{'descr': '<f99999999999999999999'" REST, "is not supported"},
        {"{'descr': '<'" REST, "'<' is not supported"},
        {"{'descr': ''" REST, "'' is not supported"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (4,), }", "neither True nor False"},
        {"{'descr': '<f8', 'fortran_order': false, 'shape': (4,), }", "neither True nor False"},
        {SHAPED "4}", "no tuple"},
        {SHAPED "(4)}", "no tuple"},
        {SHAPED "[4]}", "no tuple"},
        {SHAPED "(,)}", "no number"},
        {SHAPED "(4,,)}", "no number"},
        {SHAPED "(4 3)}", "lacks a comma after length 0"},
        {SHAPED "(-4,)}", "length 0 of 'shape'"},
        {SHAPED "(4, -1)}", "length 1 of 'shape'"},
        {SHAPED "(4.0,)}", "lacks a comma"},
        {SHAPED "(0x4,)}", "lacks a comma"},
        {SHAPED "(9223372036854775808,)}", "no number"},
        {SHAPED "(4611686018427387904, 2)}", "more bytes than any file"},
        {SHAPED "(1152921504606846976,)}", "more bytes than any file"},
        {SHAPED "(4294967296, 4294967296)}", "more bytes than any file"},
        {SHAPED "(4,)", "lacks a comma"},
        {SHAPED "(4,", "no number"},
        {SHAPED "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", "more than 16"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int major = 1; major <= 3; ++major) {
            const sample s = with_header(major, cases[i][0]);
            check_refused(s.bytes, s.count, cases[i][1]);
        }
}

static void preambles(void **state)
{
    (void)state;
    const char *text = "{'descr': '<f8', 'fortran_order': False, 'shape': (), }\n";
    char reason[TSRI_NPY_REASON_BYTES];
    tsri_npy_header header;
    sample s = with_header(1, text);

    for (size_t n = 0; n < s.count; ++n)
        check_refused(s.bytes, n, n < 8 ? "not a .npy file" : "ends inside its header");
    /* Bytes after the header play no part. */
    CHECK(tsri_npy_parse(s.bytes, s.count + 50, &header, reason));

    s.bytes[0] = 'X';
    check_refused(s.bytes, s.count, "not a .npy file");
    for (int major = 0; major < 256; ++major) {
        s = with_header(1, text);
        s.bytes[6] = (unsigned char)major;
        if (major == 0 || major > 3) check_refused(s.bytes, s.count, "is unknown");
    }
    s = with_header(1, text);
    s.bytes[7] = 1;
    check_refused(s.bytes, s.count, "version 1.1 is unknown");

    s = with_header(2, text);
    memset(s.bytes + 8, 0xff, 4);
    check_refused(s.bytes, s.count, "a header of 4294967295 bytes");
    s = with_header(1, text);
    memset(s.bytes + 8, 0xff, 2);
    check_refused(s.bytes, s.count, "ends inside its header");
}

/* Any change of a byte is read or refused, and never more than that. */
static void changed_bytes_do_no_harm(void **state)
{
    (void)state;
    const char *text = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }   \n";
    const sample good = with_header(1, text);
    int read = 0, refused = 0;

    for (size_t at = 0; at < good.count; ++at)
        for (int value = 0; value < 256; ++value) {
            unsigned char *exact = malloc(good.count); /* so that tools see reads beyond the end */
            char reason[TSRI_NPY_REASON_BYTES];
            tsri_npy_header header;
            CHECK(exact != NULL);
            memcpy(exact, good.bytes, good.count);
            exact[at] = (unsigned char)value;
            if (tsri_npy_parse(exact, good.count, &header, reason)) {
                ++read;
                CHECK(header.ndim >= 0 && header.ndim <= TSR_MAX_NDIM && header.cells >= 0);
                CHECK(tsr_dtype_size(header.dtype) > 0);
            } else {
                ++refused;
            }
            free(exact);
        }
    CHECK(read > 0 && refused > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(F_1_F_2_F_3_F_4_F_6_headers),
        cmocka_unit_test(written_headers_are_read_back),
        cmocka_unit_test(any_python_spelling_is_read),
        cmocka_unit_test(type_codes),
        cmocka_unit_test(fortran_order_where_it_matters),
        cmocka_unit_test(malformed_texts_are_refused),
        cmocka_unit_test(preambles),
        cmocka_unit_test(changed_bytes_do_no_harm),
    };
    return TSRT_RUN(argc, argv, tests);
}
