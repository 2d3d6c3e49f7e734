#define _POSIX_C_SOURCE 200809L

#include "shm/room.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The beginning of a file as a string, empty when it cannot be read. */
static void read_text(const char *path, char *text, size_t room)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, room - 1);
    text[got > 0 ? got : 0] = '\0';
    if (file >= 0) close(file);
}

size_t tsri_room(void)
{
    static const char key[] = "MemAvailable:";
    char text[1024];

    read_text("/proc/meminfo", text, sizeof text);
    const char *line = strstr(text, key);
    if (line == NULL) return SIZE_MAX;
    const unsigned long long kib = strtoull(line + sizeof key - 1, NULL, 10);
    return kib > SIZE_MAX / 1024 ? SIZE_MAX : (size_t)kib * 1024;
}
