#include "io/hdf5_attributes.h"

#include "io/hdf5_type.h"

#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

/* A text is one string of any length in UTF-8. */
static hid_t text_type(void)
{
    const hid_t type = H5Tcopy(H5T_C_S1);

    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    tsri_hdf5_drop(type);
    return H5I_INVALID_HID;
}

static hid_t make_space(const tsr_attribute *attribute)
{
    const hsize_t count = (hsize_t)attribute->count;
    return attribute->list ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
}

static tsr_status put_attribute(const char *owner, hid_t object, const tsr_attribute *attribute)
{
    static const char action[] = "write an attribute";
    const bool text = attribute->dtype == TSR_AUTO;
    const void *data = text ? (const void *)&attribute->data : attribute->data;
    hid_t type = H5I_INVALID_HID, space = type, id = type;
    htri_t there;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, owner, action, type = text ? text_type() : tsri_hdf5_type(attribute->dtype));
    TSRI_HDF5(done, owner, action, space = make_space(attribute));
    TSRI_HDF5(done, owner, action, there = H5Aexists(object, attribute->name));
    if (there > 0) TSRI_HDF5(done, owner, action, H5Adelete(object, attribute->name));
    TSRI_HDF5(done, owner, action,
              id = H5Acreate2(object, attribute->name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    if (attribute->count > 0 || text) TSRI_HDF5(done, owner, action, H5Awrite(id, type, data));
done:
    tsri_hdf5_drop(id);
    tsri_hdf5_drop(space);
    tsri_hdf5_drop(type);
    return st;
}

tsr_status tsri_hdf5_put_attributes(const char *owner, hid_t object,
                                    const tsr_attributes *attributes)
{
    tsr_status st = TSR_OK;

    for (int i = 0; attributes != NULL && i < attributes->count && st == TSR_OK; ++i)
        st = put_attribute(owner, object, &attributes->item[i]);
    return st;
}

tsr_status tsri_hdf5_put_text(const char *owner, hid_t object, const char *name, const char *text)
{
    return put_attribute(owner, object,
                         &(tsr_attribute){.name = (char *)name,
                                          .count = (int64_t)strlen(text),
                                          .data = (char *)text});
}

/* ---- reading --------------------------------------------------------------------------------- */

/* One string of any length: HDF5 makes the memory for it, and takes it back. */
static tsr_status get_long_text(const char *owner, hid_t id, hid_t type, const char *name,
                                tsr_attributes *attributes)
{
    char *text = NULL;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, owner, "read an attribute", H5Aread(id, type, &text));
    const char *shown = text == NULL ? "" : text;
    st = tsri_attributes_put(attributes, &(tsr_attribute){.name = (char *)name,
                                                          .count = (int64_t)strlen(shown),
                                                          .data = (char *)shown});
done:
    H5free_memory(text);
    return st;
}

/* One string of a fixed length, whatever fills its end. */
static tsr_status get_short_text(const char *owner, hid_t id, hid_t type, const char *name,
                                 tsr_attributes *attributes)
{
    const size_t size = H5Tget_size(type);
    hid_t memory = H5I_INVALID_HID;
    char *text = NULL;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, text, size + 1);
    TSRI_HDF5(done, owner, "read an attribute", memory = H5Tcopy(H5T_C_S1));
    TSRI_HDF5(done, owner, "read an attribute", H5Tset_size(memory, size + 1));
    TSRI_HDF5(done, owner, "read an attribute", H5Tset_cset(memory, H5Tget_cset(type)));
    TSRI_HDF5(done, owner, "read an attribute", H5Aread(id, memory, text));
    st = tsri_attributes_put(
        attributes,
        &(tsr_attribute){.name = (char *)name, .count = (int64_t)strlen(text), .data = text});
done:
    tsri_hdf5_drop(memory);
    tsri_free(text);
    return st;
}

static tsr_status get_values(const char *owner, hid_t id, tsr_attribute *attribute,
                             tsr_attributes *attributes)
{
    const size_t bytes = tsri_attribute_bytes(attribute);
    hid_t type = H5I_INVALID_HID;
    unsigned char *data = NULL;
    tsr_status st = TSR_OK;

    TSRI_ALLOC(done, data, bytes + 1);
    TSRI_HDF5(done, owner, "read an attribute", type = tsri_hdf5_type(attribute->dtype));
    if (bytes > 0) TSRI_HDF5(done, owner, "read an attribute", H5Aread(id, type, data));
    tsri_hdf5_settle(attribute->dtype, attribute->count, data);
    attribute->data = data;
    st = tsri_attributes_put(attributes, attribute);
done:
    tsri_hdf5_drop(type);
    tsri_free(data);
    return st;
}

/* Attributes that have no place among ours are left out. */
static tsr_status get(const char *owner, hid_t id, const char *name, tsr_attributes *attributes)
{
    hid_t type = H5I_INVALID_HID, space = type;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, owner, "read an attribute", type = H5Aget_type(id));
    TSRI_HDF5(done, owner, "read an attribute", space = H5Aget_space(id));
    const H5S_class_t kind = H5Sget_simple_extent_type(space);
    if (H5Tget_class(type) == H5T_STRING) {
        if (kind != H5S_SCALAR) goto done;
        st = H5Tis_variable_str(type) > 0 ? get_long_text(owner, id, type, name, attributes)
                                          : get_short_text(owner, id, type, name, attributes);
        goto done;
    }
    tsr_attribute attribute = {.name = (char *)name,
                               .dtype = tsri_hdf5_dtype(type),
                               .list = kind != H5S_SCALAR,
                               .count = H5Sget_simple_extent_npoints(space)};
    if (attribute.dtype != TSR_AUTO && kind != H5S_NULL)
        st = get_values(owner, id, &attribute, attributes);
done:
    tsri_hdf5_drop(space);
    tsri_hdf5_drop(type);
    return st;
}

static tsr_status get_by_place(const char *owner, hid_t object, hsize_t place,
                               tsr_attributes *attributes)
{
    hid_t id = H5I_INVALID_HID;
    char *name = NULL;
    ssize_t length;
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, owner, "read an attribute",
              id = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, place, H5P_DEFAULT,
                                  H5P_DEFAULT));
    TSRI_HDF5(done, owner, "read an attribute", length = H5Aget_name(id, 0, NULL));
    TSRI_ALLOC(done, name, length + 1);
    TSRI_HDF5(done, owner, "read an attribute", H5Aget_name(id, (size_t)length + 1, name));
    st = get(owner, id, name, attributes);
done:
    tsri_free(name);
    tsri_hdf5_drop(id);
    return st;
}

tsr_status tsri_hdf5_get_attributes(const char *owner, hid_t object, tsr_attributes *attributes)
{
    H5O_info_t info = {.num_attrs = 0};
    tsr_status st = TSR_OK;

    TSRI_HDF5(done, owner, "count attributes", H5Oget_info(object, &info));
    for (hsize_t i = 0; i < info.num_attrs && st == TSR_OK; ++i)
        st = get_by_place(owner, object, i, attributes);
done:
    return st;
}
