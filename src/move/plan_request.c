/* How requests for plans are put together. */
#include "move/plan.h"

static tsri_axis axis_of(const tsri_geometry *geometry, int axis)
{
    return axis == TSRI_NO_AXIS ? tsri_axis_make(1, 1, NULL) : tsri_geometry_axis(geometry, axis);
}

void tsri_plan_request_add(tsri_plan_request *request, int from_axis, int to_axis,
                           tsri_affine affine)
{
    tsri_axis from = axis_of(request->from, from_axis);
    from.periodic = false;
    request->factor[request->nfactors++] =
        (tsri_factor){.from = from_axis,
                      .to = to_axis,
                      .map = {.kind = TSRI_MAP_AFFINE,
                              .from = from,
                              .to = axis_of(request->to, to_axis),
                              .affine = affine,
                              .wall = {TSRI_WALL_DROP, TSRI_WALL_DROP}}};
}

void tsri_plan_request_add_same(tsri_plan_request *request, int from_axis, int to_axis)
{
    const int64_t count = request->to->shape[to_axis];
    tsri_plan_request_add(request, from_axis, to_axis,
                          (tsri_affine){.count = count, .from_step = 1, .to_step = 1});
}
