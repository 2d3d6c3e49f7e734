/* What AddressSanitizer cannot know: which bytes of the library's own heaps may be used. */
#ifndef TSRI_SHM_SANITIZE_H
#define TSRI_SHM_SANITIZE_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TSRI_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TSRI_SANITIZED
#endif

#ifdef TSRI_SANITIZED
#include <sanitizer/asan_interface.h>
#define TSRI_FORBID(address, bytes) ASAN_POISON_MEMORY_REGION((address), (bytes))
#define TSRI_ALLOW(address, bytes) ASAN_UNPOISON_MEMORY_REGION((address), (bytes))
enum { TSRI_REDZONE = 64 };
#else
#define TSRI_FORBID(address, bytes) ((void)(address), (void)(bytes))
#define TSRI_ALLOW(address, bytes) ((void)(address), (void)(bytes))
enum { TSRI_REDZONE = 0 };
#endif

#endif
