/* Text that goes into a buffer as far as it fits, and is counted as a whole, as snprintf does. */
#ifndef TSRI_BASE_TEXT_H
#define TSRI_BASE_TEXT_H

#include <stddef.h>

typedef struct tsri_text {
    char *buffer;
    size_t size, length;
} tsri_text;

/* A text that is empty so far; buffer may be NULL, whatever the size. */
tsri_text tsri_text_begin(size_t size, char *buffer);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tsri_text_append(tsri_text *text, const char *format, ...);

#endif
