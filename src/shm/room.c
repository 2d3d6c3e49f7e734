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

/* The choice in force is the one in brackets. */
static bool is_chosen(const char *file, const char *choice)
{
    char text[128];
    read_text(file, text, sizeof text);
    return strstr(text, choice) != NULL;
}

bool tsri_huge_pages_are_private(void)
{
    static const char private_file[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    static const char shared_file[] = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
    return (is_chosen(private_file, "[always]") || is_chosen(private_file, "[madvise]")) &&
           (is_chosen(shared_file, "[never]") || is_chosen(shared_file, "[deny]"));
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
