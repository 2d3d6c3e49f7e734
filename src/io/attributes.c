#include "io/attributes.h"

#include "base/checked.h"
#include "kern/kern.h"

#include <inttypes.h>
#include <string.h>

/* HDF5 keeps an attribute in one object header, of at most 64 KiB. */
enum { MOST_BYTES = 60000 };

size_t tsri_attribute_bytes(const tsr_attribute *attribute)
{
    const size_t size = attribute->dtype == TSR_AUTO ? 1 : tsr_dtype_size(attribute->dtype);
    return (size_t)attribute->count * size;
}

static int find(const tsr_attributes *attributes, const char *name)
{
    for (int i = 0; i < attributes->count; ++i)
        if (strcmp(attributes->item[i].name, name) == 0) return i;
    return -1;
}

static void drop(tsr_attribute *attribute)
{
    tsri_free(attribute->name);
    tsri_free(attribute->data);
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Memory for one more.  The list is made anew: it is short, and changes are rare. */
static tsr_status append(tsr_attributes *attributes, const tsr_attribute *attribute)
{
    tsr_attribute *item = NULL;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, item, attributes->count + 1);
    if (attributes->count > 0)
        memcpy(item, attributes->item, (size_t)attributes->count * sizeof *item);
    item[attributes->count++] = *attribute;
    tsri_free(attributes->item);
    attributes->item = item;
done:
    return st;
}

tsr_status tsri_attributes_put(tsr_attributes *attributes, const tsr_attribute *attribute)
{
    const size_t bytes = tsri_attribute_bytes(attribute), length = strlen(attribute->name);
    const int place = find(attributes, attribute->name);
    tsr_attribute copy = *attribute;
    tsr_status st = TSR_OK;

    copy.name = NULL;
    copy.data = NULL;
    TSRI_ALLOC(fail, copy.name, length + 1);
    copy.data = tsri_alloc(bytes + 1, 1);
    TSRI_CHECK(fail, copy.data != NULL, TSR_ERR_NOMEM, "no memory for an attribute of %zu bytes",
               bytes);
    memcpy(copy.name, attribute->name, length);
    if (bytes > 0) memcpy(copy.data, attribute->data, bytes);
    if (place < 0) {
        TSRI_TRY(fail, append(attributes, &copy));
        return TSR_OK;
    }
    drop(&attributes->item[place]);
    attributes->item[place] = copy;
    return TSR_OK;

fail:
    drop(&copy);
    return st;
}

static tsr_status check(const tsr_attribute *attribute)
{
    const char *name = attribute->name;
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, name != NULL && name[0] != '\0', TSR_ERR_VALUE, "name is NULL or empty");
    TSRI_CHECK(done, attribute->dtype == TSR_AUTO || tsr_dtype_size(attribute->dtype) > 0,
               TSR_ERR_TYPE, "%d is no element type", (int)attribute->dtype);
    TSRI_CHECK(done, attribute->count >= 0, TSR_ERR_VALUE, "count is %" PRId64 ", must be >= 0",
               attribute->count);
    TSRI_CHECK(done, attribute->data != NULL || attribute->count == 0, TSR_ERR_VALUE,
               "the attribute '%.100s' has %" PRId64 " value%s, but they are NULL", name,
               attribute->count, TSRI_S(attribute->count));
    TSRI_CHECK(done,
               attribute->count <= MOST_BYTES && strlen(name) <= MOST_BYTES &&
                   tsri_attribute_bytes(attribute) + strlen(name) <= MOST_BYTES,
               TSR_ERR_VALUE, "the attribute '%.100s' takes more than %d bytes", name, MOST_BYTES);
done:
    return st;
}

static tsr_status set(const char *call, tsr_attributes *attributes, const tsr_attribute *attribute)
{
    tsr_status st = TSR_OK;

    tsri_error_enter(call);
    TSRI_CHECK(done, attributes != NULL, TSR_ERR_VALUE, "attributes is NULL");
    TSRI_TRY(done, check(attribute));
    TSRI_TRY(done, tsri_attributes_put(attributes, attribute));
done:
    return st;
}

tsr_status tsr_attributes_set(tsr_attributes *attributes, const char *name, tsr_scalar value)
{
    _Alignas(16) unsigned char element[16];
    const bool valid = tsr_dtype_size(value.dtype) > 0;

    if (valid) tsri_scalar_store(value, value.dtype, element);
    return set(__func__, attributes,
               &(tsr_attribute){.name = (char *)name,
                                .dtype = valid ? value.dtype : TSR_DTYPE_END,
                                .count = 1,
                                .data = element});
}

tsr_status tsr_attributes_set_text(tsr_attributes *attributes, const char *name, const char *text)
{
    if (text == NULL) return TSRI_FAIL(TSR_ERR_VALUE, "text is NULL");
    return set(__func__, attributes,
               &(tsr_attribute){
                   .name = (char *)name, .count = (int64_t)strlen(text), .data = (char *)text});
}

tsr_status tsr_attributes_set_values(tsr_attributes *attributes, const char *name, tsr_dtype dtype,
                                     int64_t count, const void *values)
{
    return set(__func__, attributes,
               &(tsr_attribute){.name = (char *)name,
                                .dtype = dtype == TSR_AUTO ? TSR_DTYPE_END : dtype,
                                .list = true,
                                .count = count,
                                .data = (void *)values});
}

void tsr_attributes_clear(tsr_attributes *attributes)
{
    if (attributes == NULL) return;
    for (int i = 0; i < attributes->count; ++i)
        drop(&attributes->item[i]);
    tsri_free(attributes->item);
    *attributes = (tsr_attributes){0};
}

/* ---- reading --------------------------------------------------------------------------------- */

const tsr_attribute *tsr_attributes_find(const tsr_attributes *attributes, const char *name)
{
    const int place = attributes == NULL || name == NULL ? -1 : find(attributes, name);
    return place < 0 ? NULL : &attributes->item[place];
}

tsr_status tsr_attributes_get(const tsr_attributes *attributes, const char *name, tsr_scalar *value)
{
    const tsr_attribute *attribute = tsr_attributes_find(attributes, name);
    tsr_status st = TSR_OK;

    TSRI_CHECK(done, attributes != NULL && name != NULL && value != NULL, TSR_ERR_VALUE,
               "attributes, name or value is NULL");
    TSRI_CHECK(done, attribute != NULL, TSR_ERR_VALUE, "there is no attribute '%.100s'", name);
    TSRI_CHECK(done, attribute->dtype != TSR_AUTO && !attribute->list, TSR_ERR_TYPE,
               "the attribute '%.100s' is a %s, not one number", name,
               attribute->dtype == TSR_AUTO ? "text" : "list");
    *value = tsri_scalar_load(attribute->dtype, attribute->data);
done:
    return st;
}

const char *tsr_attributes_text(const tsr_attributes *attributes, const char *name)
{
    const tsr_attribute *attribute = tsr_attributes_find(attributes, name);
    return attribute == NULL || attribute->dtype != TSR_AUTO ? NULL : attribute->data;
}

tsr_status tsri_attributes_check(const tsr_attributes *attributes)
{
    tsr_status st = TSR_OK;

    if (attributes == NULL) return TSR_OK;
    TSRI_CHECK(done, attributes->count == 0 || (attributes->count > 0 && attributes->item != NULL),
               TSR_ERR_VALUE, "%d attributes given, must be >= 0, and the list not NULL",
               attributes->count);
    for (int i = 0; i < attributes->count; ++i)
        TSRI_TRY(done, check(&attributes->item[i]));
done:
    return st;
}

uint64_t tsri_attributes_hash(uint64_t hash, const tsr_attributes *attributes)
{
    const int count = attributes == NULL ? 0 : attributes->count;

    hash = tsri_hash(hash, &count, sizeof count);
    for (int i = 0; i < count; ++i) {
        const tsr_attribute *a = &attributes->item[i];
        hash = tsri_hash(hash, a->name, strlen(a->name) + 1);
        hash = tsri_hash(hash, &a->dtype, sizeof a->dtype);
        hash = tsri_hash(hash, &a->list, sizeof a->list);
        hash = tsri_hash(hash, &a->count, sizeof a->count);
        hash = tsri_hash(hash, a->data, tsri_attribute_bytes(a));
    }
    return hash;
}
