#include "layout/weighted.h"
#include "base/checked.h"
#include "base/gate.h"
#include "base/memory.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>

static bool is_weight(double value)
{
    return value >= 0 && value <= DBL_MAX;
}

/* ---- profiles -------------------------------------------------------------------------------- */

tsr_status tsri_profiles_make(const tsr_layout *layout, tsri_profiles *profiles)
{
    const tsri_geometry *g = &layout->geometry;
    tsr_status st = TSR_OK;
    double *memory = NULL;

    *profiles = (tsri_profiles){.ndim = g->ndim};
    for (int a = 0; a < g->ndim; ++a) {
        profiles->length[a] = g->shape[a];
        TSRI_CHECK(done, tsri_add_i64(profiles->total, g->shape[a], &profiles->total),
                   TSR_ERR_OVERFLOW, "the axes have more than %" PRId64 " cells", INT64_MAX);
    }
    if (g->ndim == 0) return TSR_OK;
    TSRI_ALLOC(done, memory, profiles->total);
    for (int a = 0; a < g->ndim; ++a) {
        profiles->weight[a] = memory;
        memory += g->shape[a];
    }
done:
    return st;
}

void tsri_profiles_free(tsri_profiles *profiles)
{
    tsri_free(profiles->weight[0]);
    *profiles = (tsri_profiles){0};
}

uint64_t tsri_profiles_hash(uint64_t hash, const tsri_profiles *profiles)
{
    return tsri_hash(hash, profiles->weight[0], (size_t)profiles->total * sizeof(double));
}

static tsr_status refuse_weight(const char *call, int ndim, const int64_t *cell, int64_t along,
                                double weight)
{
    char place[TSR_MAX_NDIM * 24] = "";
    size_t length = 0;
    for (int a = 0; a < ndim; ++a)
        length += (size_t)snprintf(place + length, sizeof place - length, "%s%" PRId64,
                                   a > 0 ? ", " : "", cell[a] + (a == ndim - 1 ? along : 0));
    return TSRI_FAIL_IN(call, TSR_ERR_VALUE,
                        "the weight of cell (%s) is %g, must be finite and >= 0", place, weight);
}

tsr_status tsri_profiles_add(const char *call, tsri_profiles *profiles, const int64_t *cell,
                             int64_t count, const double *weights)
{
    const int last = profiles->ndim - 1;
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
        if (!is_weight(weights[i])) return refuse_weight(call, profiles->ndim, cell, i, weights[i]);
        if (last >= 0) profiles->weight[last][cell[last] + i] += weights[i];
        sum += weights[i];
    }
    for (int a = 0; a < last; ++a)
        profiles->weight[a][cell[a]] += sum;
    return TSR_OK;
}

/* ---- from all weights ------------------------------------------------------------------------ */

static tsr_status add_all(const char *call, const tsri_geometry *g, const double *weights,
                          tsri_profiles *profiles)
{
    const int last = g->ndim - 1;
    const int64_t count = last >= 0 ? g->shape[last] : 1;
    int64_t cell[TSR_MAX_NDIM] = {0};
    tsr_status st = TSR_OK;

    TSRI_CHECK_IN(call, done, weights != NULL || g->cells == 0, TSR_ERR_VALUE,
                  "weights is NULL, must have %" PRId64 " weight%s", g->cells, TSRI_S(g->cells));
    for (int64_t done = 0; done < g->cells; done += count) {
        TSRI_TRY(done, tsri_profiles_add(call, profiles, cell, count, weights + done));
        for (int a = last - 1; a >= 0 && ++cell[a] == g->shape[a]; --a)
            cell[a] = 0;
    }
done:
    return st;
}

tsr_status tsr_layout_create_weighted(tsr_comm comm, int ndim, const int64_t *shape,
                                      const double *weights, const tsr_layout_options *options,
                                      tsr_layout **layout)
{
    tsr_status st = TSR_OK;
    tsri_context *context = NULL;
    tsr_layout *made = NULL;
    tsri_profiles profiles = {0};
    uint64_t arguments = 0;

    if (layout != NULL) *layout = NULL;
    if (options == NULL) options = &tsri_layout_defaults;
    TSRI_TRY(fail, tsri_context_enter(comm, __func__, &context));

    TSRI_CHECK(agree, layout != NULL, TSR_ERR_VALUE,
               "layout is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_layout_make_even(__func__, context, ndim, shape, options, &made));
    TSRI_TRY(agree, tsri_profiles_make(made, &profiles));
    TSRI_TRY(agree, add_all(__func__, &made->geometry, weights, &profiles));
    TSRI_TRY(agree, tsri_layout_weigh(__func__, context, (const double *const *)profiles.weight,
                                      options, &made));
    arguments = tsri_profiles_hash(tsri_layout_fingerprint(__func__, made, options), &profiles);
agree:
    st = tsri_layout_finish(context, st, arguments, options, made, layout);
fail:
    tsri_profiles_free(&profiles);
    return st;
}

/* ---- from profiles --------------------------------------------------------------------------- */

static tsr_status check_profile(const char *call, int axis, int64_t length,
                                const tsr_profile *profile)
{
    tsr_status st = TSR_OK;
    if (profile->weights == NULL && profile->length == 0) return TSR_OK;
    TSRI_CHECK_IN(call, done, profile->length == length, TSR_ERR_VALUE,
                  "profiles[%d] has %" PRId64 " weight%s, must have %" PRId64
                  ", the length of axis %d",
                  axis, profile->length, TSRI_S(profile->length), length, axis);
    TSRI_CHECK_IN(call, done, profile->weights != NULL, TSR_ERR_VALUE,
                  "profiles[%d].weights is NULL but its length is %" PRId64 ", must be 0", axis,
                  profile->length);
    for (int64_t i = 0; i < length; ++i)
        TSRI_CHECK_IN(call, done, is_weight(profile->weights[i]), TSR_ERR_VALUE,
                      "profiles[%d].weights[%" PRId64 "] is %g, must be finite and >= 0", axis, i,
                      profile->weights[i]);
done:
    return st;
}

/* The weights of all axes, and their hash. */
static tsr_status read_profiles(const char *call, const tsri_geometry *g,
                                const tsr_profile *profiles, const double **weight, uint64_t *hash)
{
    tsr_status st = TSR_OK;
    TSRI_CHECK_IN(call, done, profiles != NULL || g->ndim == 0, TSR_ERR_VALUE,
                  "profiles is NULL, must have %d profile%s", g->ndim, TSRI_S(g->ndim));
    for (int a = 0; a < g->ndim; ++a) {
        TSRI_TRY(done, check_profile(call, a, g->shape[a], &profiles[a]));
        const size_t bytes = (size_t)profiles[a].length * sizeof(double);
        weight[a] = profiles[a].weights;
        *hash = tsri_hash(*hash, &bytes, sizeof bytes);
        *hash = tsri_hash(*hash, weight[a], bytes);
    }
done:
    return st;
}

tsr_status tsr_layout_create_profiled(tsr_comm comm, int ndim, const int64_t *shape,
                                      const tsr_profile *profiles,
                                      const tsr_layout_options *options, tsr_layout **layout)
{
    tsr_status st = TSR_OK;
    tsri_context *context = NULL;
    tsr_layout *made = NULL;
    const double *weight[TSR_MAX_NDIM] = {NULL};
    uint64_t arguments = TSRI_HASH_START;

    if (layout != NULL) *layout = NULL;
    if (options == NULL) options = &tsri_layout_defaults;
    TSRI_TRY(fail, tsri_context_enter(comm, __func__, &context));

    TSRI_CHECK(agree, layout != NULL, TSR_ERR_VALUE,
               "layout is NULL, must point to where the handle goes");
    TSRI_TRY(agree, tsri_layout_make_even(__func__, context, ndim, shape, options, &made));
    TSRI_TRY(agree, read_profiles(__func__, &made->geometry, profiles, weight, &arguments));
    TSRI_TRY(agree, tsri_layout_weigh(__func__, context, weight, options, &made));
    arguments ^= tsri_layout_fingerprint(__func__, made, options);
agree:
    st = tsri_layout_finish(context, st, arguments, options, made, layout);
fail:
    return st;
}
