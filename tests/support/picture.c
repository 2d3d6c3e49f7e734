#include "support/picture.h"

#include "io/png_write.h"

#include <stdio.h>

void need_png(void)
{
    if (!tsri_png_available()) tsrt_skip("this build has no libpng");
}

picture picture_read(const char *name)
{
    picture p = {0, 0, NULL};
    char command[256], target[64];

    snprintf(target, sizeof target, "%s.ppm", name);
    snprintf(command, sizeof command, "png.py %s %s", name, target);
    run_python(command);
    if (tsrt_rank() == 0) {
        FILE *file = fopen(file_path(target), "rb");
        CHECK(file != NULL);
        CHECK(fscanf(file, "P6 %d %d 255", &p.width, &p.height) == 2);
        CHECK(fgetc(file) == '\n');
        const size_t bytes = 3 * (size_t)p.width * (size_t)p.height;
        p.rgb = malloc(bytes);
        CHECK(p.rgb != NULL && fread(p.rgb, 1, bytes, file) == bytes);
        fclose(file);
    }
    return p;
}

const unsigned char *picture_pixel(const picture *p, int x, int y)
{
    return p->rgb + 3 * (y * p->width + x);
}

int picture_place(const picture *p, tsr_color_map map, int x, int y)
{
    static unsigned char palette[TSR_MAP_GREY + 1][TSRI_PALETTE][3];
    static bool known[TSR_MAP_GREY + 1];

    if (!known[map]) tsri_colormap(map, palette[map]);
    known[map] = true;
    for (int k = 0; k < TSRI_COLORS; ++k)
        if (memcmp(picture_pixel(p, x, y), palette[map][k], 3) == 0) return k;
    return -1;
}

bool picture_is(const picture *p, int x, int y, int red, int green, int blue)
{
    const unsigned char *rgb = picture_pixel(p, x, y);
    return rgb[0] == red && rgb[1] == green && rgb[2] == blue;
}

tsr_array *picture_array(tsr_dtype dtype, int ndim, const int64_t *shape,
                         tsr_layout_options options, const double *values)
{
    tsr_layout *layout = NULL;
    tsr_array *a = NULL, *b = NULL;

    options.allow_empty = options.split != TSR_WHOLE;
    CHECK_OK(tsr_layout_create(TSR_COMM_WORLD, ndim, shape, &options, &layout));
    CHECK_OK(tsr_from_global(layout, TSR_F64, values, NULL, &a));
    CHECK_OK(tsr_astype(a, dtype, &b));
    CHECK_OK(tsr_array_destroy(&a));
    CHECK_OK(tsr_layout_destroy(&layout));
    return b;
}
