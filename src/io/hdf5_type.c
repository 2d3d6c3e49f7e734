#include "io/hdf5_type.h"

#include <string.h>

/* ---- ours as theirs -------------------------------------------------------------------------- */

static hid_t make_bool(void)
{
    const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    const int8_t no = 0, yes = 1;

    if (type >= 0 && H5Tenum_insert(type, "FALSE", &no) >= 0 &&
        H5Tenum_insert(type, "TRUE", &yes) >= 0)
        return type;
    tsri_hdf5_drop(type);
    return H5I_INVALID_HID;
}

static hid_t make_complex(hid_t part, size_t size)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);

    if (type >= 0 && H5Tinsert(type, "r", 0, part) >= 0 && H5Tinsert(type, "i", size, part) >= 0)
        return type;
    tsri_hdf5_drop(type);
    return H5I_INVALID_HID;
}

hid_t tsri_hdf5_type(tsr_dtype dtype)
{
    switch (dtype) {
    case TSR_BOOL:
        return make_bool();
    case TSR_I8:
        return H5Tcopy(H5T_NATIVE_INT8);
    case TSR_I16:
        return H5Tcopy(H5T_NATIVE_INT16);
    case TSR_I32:
        return H5Tcopy(H5T_NATIVE_INT32);
    case TSR_I64:
        return H5Tcopy(H5T_NATIVE_INT64);
    case TSR_U8:
        return H5Tcopy(H5T_NATIVE_UINT8);
    case TSR_U16:
        return H5Tcopy(H5T_NATIVE_UINT16);
    case TSR_U32:
        return H5Tcopy(H5T_NATIVE_UINT32);
    case TSR_U64:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case TSR_F32:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case TSR_F64:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case TSR_C64:
        return make_complex(H5T_NATIVE_FLOAT, sizeof(float));
    case TSR_C128:
        return make_complex(H5T_NATIVE_DOUBLE, sizeof(double));
    default:
        return H5I_INVALID_HID;
    }
}

/* ---- theirs as ours -------------------------------------------------------------------------- */

static tsr_dtype integer(hid_t type)
{
    const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;

    switch (H5Tget_size(type)) {
    case 1:
        return is_signed ? TSR_I8 : TSR_U8;
    case 2:
        return is_signed ? TSR_I16 : TSR_U16;
    case 4:
        return is_signed ? TSR_I32 : TSR_U32;
    case 8:
        return is_signed ? TSR_I64 : TSR_U64;
    default:
        return TSR_AUTO;
    }
}

/* Half precision fits a float. */
static tsr_dtype real(hid_t type)
{
    switch (H5Tget_size(type)) {
    case 2:
    case 4:
        return TSR_F32;
    case 8:
        return TSR_F64;
    default:
        return TSR_AUTO;
    }
}

/* Whether member i has this name; for a compound or an enumeration. */
static bool is_named(hid_t type, unsigned i, const char *name)
{
    char *member = H5Tget_member_name(type, i);
    const bool same = member != NULL && strcmp(member, name) == 0;

    H5free_memory(member);
    return same;
}

static tsr_dtype truth(hid_t type)
{
    char no = 1, yes = 0;

    if (H5Tget_nmembers(type) == 2 && H5Tget_size(type) == 1 && is_named(type, 0, "FALSE") &&
        is_named(type, 1, "TRUE") && H5Tget_member_value(type, 0, &no) >= 0 &&
        H5Tget_member_value(type, 1, &yes) >= 0 && no == 0 && yes == 1)
        return TSR_BOOL;
    return TSR_AUTO;
}

static tsr_dtype complex_of(hid_t type)
{
    tsr_dtype part[2] = {TSR_AUTO, TSR_AUTO};

    if (H5Tget_nmembers(type) != 2 || !is_named(type, 0, "r") || !is_named(type, 1, "i"))
        return TSR_AUTO;
    for (unsigned i = 0; i < 2; ++i) {
        const hid_t member = H5Tget_member_type(type, i);
        if (H5Tget_class(member) == H5T_FLOAT) part[i] = real(member);
        tsri_hdf5_drop(member);
    }
    if (part[0] != part[1] || part[0] == TSR_AUTO) return TSR_AUTO;
    return part[0] == TSR_F32 ? TSR_C64 : TSR_C128;
}

tsr_dtype tsri_hdf5_dtype(hid_t type)
{
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return integer(type);
    case H5T_FLOAT:
        return real(type);
    case H5T_ENUM:
        return truth(type);
    case H5T_COMPOUND:
        return complex_of(type);
    default:
        return TSR_AUTO;
    }
}

void tsri_hdf5_settle(tsr_dtype dtype, int64_t count, void *elements)
{
    unsigned char *byte = elements;

    if (dtype != TSR_BOOL) return;
    for (int64_t i = 0; i < count; ++i)
        byte[i] = byte[i] != 0;
}
