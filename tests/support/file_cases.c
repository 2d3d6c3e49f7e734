#define _POSIX_C_SOURCE 200809L

#include "support/file_cases.h"

#include <dirent.h>
#include <sys/stat.h>

const char *file_path(const char *name)
{
    static char paths[4][PATH_BYTES];
    static unsigned next = 0;
    char *path = paths[next++ % 4];
    snprintf(path, PATH_BYTES, "%s/%s", tsrt_folder(), name);
    return path;
}

/* ---- elements -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void low_bytes(uint64_t bits, size_t size, void *number)
{
    const uint8_t b1 = (uint8_t)bits;
    const uint16_t b2 = (uint16_t)bits;
    const uint32_t b4 = (uint32_t)bits;
    memcpy(number,
           size == 1   ? (const void *)&b1
           : size == 2 ? (const void *)&b2
           : size == 4 ? (const void *)&b4
                       : (const void *)&bits,
           size);
}

void file_element(tsr_dtype dtype, int64_t cell, void *element)
{
    const int parts = dtype == TSR_C64 || dtype == TSR_C128 ? 2 : 1;
    const size_t size = tsr_dtype_size(dtype) / (size_t)parts;

    if (dtype == TSR_BOOL) {
        *(bool *)element = mix((uint64_t)(2 * cell)) % 3 == 0;
        return;
    }
    for (int part = 0; part < parts; ++part)
        low_bytes(mix((uint64_t)(2 * cell + part)), size, (char *)element + (size_t)part * size);
}

typedef void (*cell_visitor)(tsr_dtype dtype, int64_t cell, bool owned, void *element);

/* Visit every cell of the storage; `cell` counts for owned ones. */
static void each_cell(const tsr_array *array, cell_visitor visit)
{
    const tsr_view v = tsr_local(array);
    const int64_t *shape = tsr_array_shape(array);
    int64_t index[TSR_MAX_NDIM];

    if (v.data == NULL) return;
    for (int a = 0; a < v.ndim; ++a)
        index[a] = -v.halo_lo[a];
    for (;;) {
        int64_t cell = 0, offset = 0;
        bool owned = true;
        for (int a = 0; a < v.ndim; ++a) {
            cell = cell * shape[a] + v.start[a] + index[a];
            offset += index[a] * v.stride[a];
            owned = owned && index[a] >= 0 && index[a] < v.extent[a];
        }
        visit(v.dtype, cell, owned, (char *)v.data + offset * (int64_t)tsr_dtype_size(v.dtype));
        int a = v.ndim - 1;
        while (a >= 0 && ++index[a] == v.extent[a] + v.halo_hi[a]) {
            index[a] = -v.halo_lo[a];
            --a;
        }
        if (a < 0) return;
    }
}

static void fill_cell(tsr_dtype dtype, int64_t cell, bool owned, void *element)
{
    if (owned) file_element(dtype, cell, element);
}

void file_fill(tsr_array *array)
{
    each_cell(array, fill_cell);
}

static void check_cell(tsr_dtype dtype, int64_t cell, bool owned, void *element)
{
    unsigned char expected[16] = {0};
    if (owned) file_element(dtype, cell, expected);
    if (memcmp(element, expected, tsr_dtype_size(dtype)) != 0)
        tsrt_fail(__FILE__, __LINE__, "%s cell %lld (%s) has other bytes than expected",
                  tsr_dtype_name(dtype), (long long)cell, owned ? "owned" : "halo");
}

void file_check(const tsr_array *array)
{
    each_cell(array, check_cell);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

tsr_layout_options file_options(int ndim, int which)
{
    tsr_layout_options options = {.allow_empty = true};

    for (int a = 0; a < ndim && which != 0; ++a) {
        options.halo_lo[a] = (a + which) % 3;
        options.halo_hi[a] = (a + which + 1) % 2;
    }
    if (ndim == 0 || which == 4) {
        options.split = TSR_WHOLE;
        options.allow_empty = false;
    } else if (which == 2) {
        options.split = TSR_AXIS(ndim - 1);
    } else if (which == 3) {
        for (int a = 0; a < ndim; ++a)
            options.split |= TSR_AXIS(a);
    }
    return options;
}

tsr_array *file_array(tsr_dtype dtype, int ndim, const int64_t *shape, int which)
{
    const tsr_layout_options options = file_options(ndim, which);
    tsr_layout *layout = NULL;
    tsr_array *array = NULL;

    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    CHECK_OK(tsr_zeros(layout, dtype, &array));
    CHECK_OK(tsr_layout_destroy(&layout));
    file_fill(array);
    return array;
}

tsr_dtype dtype_named(const char *name)
{
    for (tsr_dtype dtype = TSR_BOOL; dtype < TSR_DTYPE_END; ++dtype)
        if (strcmp(tsr_dtype_name(dtype), name) == 0) return dtype;
    tsrt_fail(__FILE__, __LINE__, "no element type \"%s\"", name);
}

bool file_next_entry(FILE *list, file_entry *e)
{
    char line[512];
    if (fgets(line, sizeof line, list) == NULL) return false;
    const char *name = strtok(line, " \n"), *dtype = strtok(NULL, " \n");
    CHECK(name != NULL && dtype != NULL);
    snprintf(e->name, sizeof e->name, "%s", name);
    e->dtype = dtype_named(dtype);
    e->ndim = 0;
    for (const char *length; (length = strtok(NULL, " \n")) != NULL;)
        e->shape[e->ndim++] = strtoll(length, NULL, 10);
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

int64_t file_bytes(const char *path)
{
    struct stat info;
    int64_t bytes = -1;
    tsrt_barrier();
    if (tsrt_rank() == 0 && stat(path, &info) == 0) bytes = info.st_size;
    tsrt_bcast(&bytes, sizeof bytes, 0);
    return bytes;
}

int temporaries(void)
{
    int count = 0;
    tsrt_barrier();
    if (tsrt_rank() == 0) {
        DIR *folder = opendir(tsrt_folder());
        CHECK(folder != NULL);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            const size_t n = strlen(entry->d_name);
            count += n > 4 && strcmp(entry->d_name + n - 4, ".tmp") == 0;
        }
        closedir(folder);
    }
    tsrt_bcast(&count, sizeof count, 0);
    return count;
}

void make_file(const char *path, const void *bytes, size_t count)
{
    if (tsrt_rank() == 0) {
        FILE *file = fopen(path, "wb");
        CHECK(file != NULL);
        CHECK(fwrite(bytes, 1, count, file) == count);
        CHECK(fclose(file) == 0);
    }
    tsrt_barrier();
}

void run_in_folder(const char *command)
{
    char line[6 * PATH_BYTES];

    tsrt_barrier();
    if (tsrt_rank() == 0) {
        snprintf(line, sizeof line, "cd '%s' && %s", tsrt_folder(), command);
        if (system(line) != 0) tsrt_fail(__FILE__, __LINE__, "failed: %s", line);
    }
    tsrt_barrier();
}

void run_python(const char *script_and_arguments)
{
    const char *python = getenv("TSRT_PYTHON"), *scripts = getenv("TSRT_ORACLE");
    char command[4 * PATH_BYTES];

    if (python == NULL || scripts == NULL)
        tsrt_fail(__FILE__, __LINE__,
                  "TSRT_PYTHON (a python3 with NumPy 2) and TSRT_ORACLE (the folder tests/oracle) "
                  "are not set");
    snprintf(command, sizeof command, "'%s' '%s'/%s", python, scripts, script_and_arguments);
    run_in_folder(command);
}
