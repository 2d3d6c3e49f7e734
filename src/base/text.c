#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

void tsri_text_append(tsri_text *text, const char *format, ...)
{
    const bool fits = text->length < text->size;
    va_list arguments;

    va_start(arguments, format);
    const int n = vsnprintf(fits ? text->buffer + text->length : NULL,
                            fits ? text->size - text->length : 0, format, arguments);
    va_end(arguments);
    if (n > 0) text->length += (size_t)n;
}
