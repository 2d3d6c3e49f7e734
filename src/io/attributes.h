/* Attributes: named values beside arrays. */
#ifndef TSRI_IO_ATTRIBUTES_H
#define TSRI_IO_ATTRIBUTES_H

#include "base/context.h"

#include <tessera/hdf5.h>

/* Put an attribute with a copy of the data there, in the place of one of the same name.  Checked by
 * the caller. */
tsr_status tsri_attributes_put(tsr_attributes *attributes, const tsr_attribute *attribute);
/* That a program that filled the list itself left nothing out: TSR_ERR_VALUE, TSR_ERR_TYPE.  Takes
 * NULL. */
tsr_status tsri_attributes_check(const tsr_attributes *attributes);
/* Continue the fingerprint of a call, with what passed the check; takes NULL. */
uint64_t tsri_attributes_hash(uint64_t hash, const tsr_attributes *attributes);
/* Bytes of an attribute's data, without the NUL of a text. */
size_t tsri_attribute_bytes(const tsr_attribute *attribute);

#endif
