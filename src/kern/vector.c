#include "kern/vector_rows.h"

/* ---- tables by level ------------------------------------------------------------------------- */

typedef struct level_tables {
    const tsri_vector_row *const *families; /* up to NULL */
    tsri_vector_conversion *const (*conversions)[TSR_DTYPE_END];
    const tsri_bin_kernels *bins;
    const tsri_reducers *reducers;
    const tsri_extreme_kernels *extremes;
} level_tables;

#define FAMILY(family, level) tsri_##family##_##level,
#define FAMILIES(level)                                                                            \
    static const tsri_vector_row *const families_##level[] = {TSRI_FAMILY_LIST(FAMILY, level) NULL};
#define TABLES(level)                                                                              \
    {                                                                                              \
        families_##level, tsri_conversions_##level, &tsri_bin_kernels_##level,                     \
            &tsri_reducers_##level, &tsri_extreme_kernels_##level                                  \
    }

FAMILIES(baseline)
#ifdef TSRI_HAVE_AVX2
FAMILIES(avx2)
#endif
#ifdef TSRI_HAVE_AVX512
FAMILIES(avx512)
#endif

static const level_tables tables[TSRI_LEVEL_END] = {
    [TSRI_BASELINE] = TABLES(baseline),
#ifdef TSRI_HAVE_AVX2
    [TSRI_AVX2] = TABLES(avx2),
#endif
#ifdef TSRI_HAVE_AVX512
    [TSRI_AVX512] = TABLES(avx512),
#endif
};

tsri_level tsri_vector_level(void)
{
    tsri_level best = tsri_machine_level();

    while (tables[best].families == NULL)
        --best;
    return best;
}

/* ---- lookup ---------------------------------------------------------------------------------- */

/* The tables of a level, or of the next lower one that has any. */
static const level_tables *tables_at(tsri_level level)
{
    int l = (int)level;

    while (tables[l].families == NULL)
        --l;
    return &tables[l];
}

static tsri_vector *find_in(const tsri_vector_row *const *families, tsri_vector_op op,
                            tsr_dtype dtype)
{
    for (; *families != NULL; ++families)
        for (const tsri_vector_row *row = *families; row->op != TSRI_VECTOR_END; ++row)
            if (row->op == op && row->of[dtype] != NULL) return row->of[dtype];
    return NULL;
}

tsri_vector *tsri_vector_find(tsri_level level, tsri_vector_op op, tsr_dtype dtype)
{
    tsri_vector *found = NULL;

    if (tsri_dtype_class(dtype) == 0) return NULL;
    for (int l = (int)level; l >= (int)TSRI_BASELINE && found == NULL; --l)
        if (tables[l].families != NULL) found = find_in(tables[l].families, op, dtype);
    return found;
}

tsri_vector_conversion *tsri_vector_convert(tsri_level level, tsr_dtype to, tsr_dtype from)
{
    return tables_at(level)->conversions[to][from];
}

const tsri_bin_kernels *tsri_bin_kernels_at(tsri_level level)
{
    return tables_at(level)->bins;
}

const tsri_reducers *tsri_reducers_get(void)
{
    return tables_at(tsri_vector_level())->reducers;
}

const tsri_extreme_kernels *tsri_extreme_kernels_get(void)
{
    return tables_at(tsri_vector_level())->extremes;
}

unsigned tsri_dtype_class(tsr_dtype dtype)
{
    static const unsigned char classes[TSR_DTYPE_END] = {
        [TSR_BOOL] = TSRI_B, [TSR_I8] = TSRI_I,  [TSR_I16] = TSRI_I, [TSR_I32] = TSRI_I,
        [TSR_I64] = TSRI_I,  [TSR_U8] = TSRI_U,  [TSR_U16] = TSRI_U, [TSR_U32] = TSRI_U,
        [TSR_U64] = TSRI_U,  [TSR_F32] = TSRI_F, [TSR_F64] = TSRI_F, [TSR_C64] = TSRI_C,
        [TSR_C128] = TSRI_C};

    return dtype > TSR_AUTO && dtype < TSR_DTYPE_END ? classes[dtype] : 0;
}
