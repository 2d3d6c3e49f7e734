/* Text that goes into a buffer as far as it fits, and is counted as a whole, as snprintf does. */
#ifndef TSRI_BASE_TEXT_H
#define TSRI_BASE_TEXT_H

#include <stddef.h>

typedef struct tsri_text {
    char *buffer;
    size_t size, length;
} tsri_text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tsri_text_append(tsri_text *text, const char *format, ...);

#endif
