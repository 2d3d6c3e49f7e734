/* Attributes of an object in an HDF5 file.  Local. */
#ifndef TSRI_IO_HDF5_ATTRIBUTES_H
#define TSRI_IO_HDF5_ATTRIBUTES_H

#include "io/attributes.h"
#include "io/hdf5_file.h"

/* Write attributes (NULL: none), or one text, to an object; those there of the same names are
 * replaced.  Sentences name the `owner`, a file. */
tsr_status tsri_hdf5_put_attributes(const char *owner, hid_t object,
                                    const tsr_attributes *attributes);
tsr_status tsri_hdf5_put_text(const char *owner, hid_t object, const char *name, const char *text);
/* Add those of an object, in the order of their names, that are numbers, lists of numbers or texts.
 */
tsr_status tsri_hdf5_get_attributes(const char *owner, hid_t object, tsr_attributes *attributes);

#endif
