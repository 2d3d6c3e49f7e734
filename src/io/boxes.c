#include "io/boxes.h"

#include <string.h>

void tsri_boxes_start(tsri_boxes *boxes, int ndim, const int64_t *start, const int64_t *extent,
                      int64_t limit)
{
    tsri_box *whole = &boxes->whole;
    int64_t inner = 1;

    memset(boxes, 0, sizeof *boxes);
    whole->ndim = ndim;
    for (int a = 0; a < ndim; ++a) {
        whole->start[a] = start[a];
        whole->extent[a] = extent[a];
        boxes->done = boxes->done || extent[a] == 0;
    }
    if (boxes->done || ndim == 0) return;
    boxes->axis = ndim - 1;
    while (boxes->axis > 0 && extent[boxes->axis] <= limit / inner)
        inner *= extent[boxes->axis--];
    boxes->step = limit / inner < 1 ? 1 : limit / inner;
}

static void advance(tsri_boxes *boxes, int64_t taken)
{
    const int64_t *extent = boxes->whole.extent;
    int a = boxes->axis;

    boxes->index[a] += taken;
    while (a > 0 && boxes->index[a] == extent[a]) {
        boxes->index[a] = 0;
        ++boxes->index[--a];
    }
    boxes->done = boxes->index[0] == extent[0];
}

bool tsri_boxes_next(tsri_boxes *boxes, tsri_box *box)
{
    const int axis = boxes->axis;

    if (boxes->done) return false;
    *box = boxes->whole;
    box->cells = 1;
    boxes->done = box->ndim == 0;
    if (boxes->done) return true;
    for (int a = 0; a <= axis; ++a) {
        box->start[a] += boxes->index[a];
        box->extent[a] = 1;
    }
    const int64_t left = boxes->whole.extent[axis] - boxes->index[axis];
    box->extent[axis] = left < boxes->step ? left : boxes->step;
    for (int a = axis; a < box->ndim; ++a)
        box->cells *= box->extent[a];
    advance(boxes, box->extent[axis]);
    return true;
}
