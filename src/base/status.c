/* The names and texts of statuses; the version. */
#include <tessera/base.h>

#ifndef TSRI_VERSION
#define TSRI_VERSION "unknown"
#endif

#ifndef TSRI_FLAVOUR
#ifdef TSR_SERIAL
#define TSRI_FLAVOUR "serial"
#else
#define TSRI_FLAVOUR "mpi"
#endif
#endif

typedef struct status_row {
    const char *name, *text;
} status_row;

static const status_row table[TSR_STATUS_COUNT] = {
#define ROW(name, text) [name] = {#name, text},
    TSR_STATUS_LIST(ROW)
#undef ROW
};

static const status_row unknown = {"unknown status", "no status of this library"};

static const status_row *find(tsr_status status)
{
    return status >= 0 && status < TSR_STATUS_COUNT ? &table[status] : &unknown;
}

const char *tsr_status_name(tsr_status status)
{
    return find(status)->name;
}

const char *tsr_status_text(tsr_status status)
{
    return find(status)->text;
}

const char *tsr_version(void)
{
    return TSRI_VERSION;
}

const char *tsr_flavour(void)
{
    return TSRI_FLAVOUR;
}
