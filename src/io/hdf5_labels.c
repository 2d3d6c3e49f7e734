#include "io/hdf5_labels.h"

#include "base/checked.h"
#include "io/attributes.h"

#include <inttypes.h>
#include <string.h>

size_t tsri_hdf5_group_bytes(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash == NULL ? 0 : (size_t)(slash + 1 - name);
}

const tsr_axis_label *tsri_hdf5_label(const tsri_hdf5_request *request, int i, int axis)
{
    const tsr_labels *labels = request->options->labels;

    if (labels == NULL || axis >= labels[i].naxes || labels[i].axes[axis].name == NULL) return NULL;
    return &labels[i].axes[axis];
}

/* The attributes by which HDF5 and netCDF keep what labels say. */
static bool is_reserved(const char *name)
{
    static const char *const names[] = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST",
                                        "DIMENSION_LABELS"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static tsr_status check_attributes(int i, const tsr_attributes *attributes)
{
    tsr_status st = tsri_attributes_check(attributes);

    for (int k = 0; st == TSR_OK && attributes != NULL && k < attributes->count; ++k)
        if (is_reserved(attributes->item[k].name))
            st = TSRI_FAIL(TSR_ERR_VALUE,
                           "an attribute of array %d is named '%s', as one that HDF5 has for axes",
                           i, attributes->item[k].name);
    return st;
}

/* ---- one array ------------------------------------------------------------------------------- */

static tsr_status check_axis(int i, int axis, const tsr_axis_label *label, int64_t length)
{
    tsr_status st = TSR_OK;

    if (label->name == NULL) {
        TSRI_CHECK(done, label->count == 0 && label->values == NULL && label->units == NULL,
                   TSR_ERR_VALUE, "axis %d of array %d has values or units, but no name", axis, i);
        return TSR_OK;
    }
    TSRI_CHECK(done,
               label->name[0] != '\0' && strcmp(label->name, ".") != 0 &&
                   strchr(label->name, '/') == NULL,
               TSR_ERR_VALUE, "axis %d of array %d is named '%.100s', a name has no slash", axis, i,
               label->name);
    TSRI_CHECK(
        done, label->count == length || (label->values == NULL && label->count == 0), TSR_ERR_VALUE,
        "axis %d of array %d has %" PRId64 " coordinate%s, must have as many as cells, %" PRId64,
        axis, i, label->count, TSRI_S(label->count), length);
done:
    return st;
}

static tsr_status check_array(const tsri_hdf5_request *request, int i)
{
    const tsri_geometry *geometry = &request->arrays[i].array->layout->geometry;
    const tsr_labels *labels = &request->options->labels[i];
    const char *time = request->options->time_name;
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, labels->naxes == 0 || labels->naxes == geometry->ndim, TSR_ERR_VALUE,
               "the labels of array %d name %d ax%cs, it has %d", i, labels->naxes,
               TSRI_ES(labels->naxes), geometry->ndim);
    TSRI_CHECK(done, labels->naxes == 0 || labels->axes != NULL, TSR_ERR_VALUE,
               "the labels of array %d name %d ax%cs, but axes is NULL", i, labels->naxes,
               TSRI_ES(labels->naxes));
    TSRI_TRY(done, check_attributes(i, labels->attributes));
    for (int a = 0; a < labels->naxes; ++a) {
        const tsr_axis_label *label = &labels->axes[a];
        TSRI_TRY(done, check_axis(i, a, label, geometry->shape[a]));
        if (label->name == NULL) continue;
        TSRI_CHECK(done, !request->append || strcmp(label->name, time == NULL ? "time" : time) != 0,
                   TSR_ERR_VALUE, "axis %d of array %d has the name of the time axis", a, i);
        for (int b = 0; b < a; ++b)
            TSRI_CHECK(done,
                       labels->axes[b].name == NULL ||
                           strcmp(label->name, labels->axes[b].name) != 0,
                       TSR_ERR_VALUE, "axes %d and %d of array %d are both named '%.100s'", b, a, i,
                       label->name);
    }
done:
    return st;
}

/* ---- all arrays ------------------------------------------------------------------------------ */

static bool same_group(const char *a, const char *b)
{
    const size_t bytes = tsri_hdf5_group_bytes(a);
    return bytes == tsri_hdf5_group_bytes(b) && strncmp(a, b, bytes) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL || strcmp(a, b) == 0;
}

/* Two axes of one name in one group are one axis. */
static tsr_status check_shared(const tsri_hdf5_request *request, int i, int axis, int j, int other)
{
    const tsr_axis_label *one = tsri_hdf5_label(request, i, axis);
    const tsr_axis_label *two = tsri_hdf5_label(request, j, other);
    const int64_t length = request->arrays[i].array->layout->geometry.shape[axis];
    tsr_status st = TSR_OK;

    if (one == NULL || two == NULL || strcmp(one->name, two->name) != 0) return TSR_OK;
    TSRI_CHECK(done, length == request->arrays[j].array->layout->geometry.shape[other],
               TSR_ERR_VALUE, "the axis '%.100s' has different lengths in arrays %d and %d",
               one->name, j, i);
    TSRI_CHECK(done,
               one->values == NULL || two->values == NULL || one->values == two->values ||
                   memcmp(one->values, two->values, (size_t)length * sizeof(double)) == 0,
               TSR_ERR_VALUE, "the axis '%.100s' has different coordinates in arrays %d and %d",
               one->name, j, i);
    TSRI_CHECK(done, same_text(one->units, two->units), TSR_ERR_VALUE,
               "the axis '%.100s' has different units in arrays %d and %d", one->name, j, i);
done:
    return st;
}

tsr_status tsri_hdf5_check_labels(const tsri_hdf5_request *request)
{
    const tsr_labels *labels = request->options->labels;
    tsr_status st = TSR_OK;

    if (labels == NULL) return TSR_OK;
    for (int i = 0; i < request->n; ++i)
        TSRI_TRY(done, check_array(request, i));
    for (int i = 0; i < request->n; ++i)
        for (int j = 0; j < i; ++j) {
            if (!same_group(tsri_hdf5_plain_name(request->arrays[i].name),
                            tsri_hdf5_plain_name(request->arrays[j].name)))
                continue;
            for (int a = 0; a < labels[i].naxes; ++a)
                for (int b = 0; b < labels[j].naxes; ++b)
                    TSRI_TRY(done, check_shared(request, i, a, j, b));
        }
done:
    return st;
}

uint64_t tsri_hdf5_labels_hash(uint64_t hash, const tsri_hdf5_request *request)
{
    const tsr_labels *labels = request->options->labels;

    for (int i = 0; i < request->n && labels != NULL; ++i) {
        hash = tsri_hash_text(hash, labels[i].units);
        hash = tsri_attributes_hash(hash, labels[i].attributes);
        for (int a = 0; a < labels[i].naxes; ++a) {
            const tsr_axis_label *label = &labels[i].axes[a];
            hash = tsri_hash_text(tsri_hash_text(hash, label->name), label->units);
            if (label->values != NULL)
                hash = tsri_hash(hash, label->values, (size_t)label->count * sizeof(double));
        }
    }
    return hash;
}
