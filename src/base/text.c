#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

tsri_text tsri_text_begin(size_t size, char *buffer)
{
    const tsri_text text = {.buffer = buffer, .size = buffer == NULL ? 0 : size};

    if (text.size > 0) buffer[0] = '\0';
    return text;
}

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
