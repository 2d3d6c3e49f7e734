#include "io/png_write.h"

#ifdef TSRI_HAVE_PNG

#include <png.h>

enum { CHUNK_BYTES = 1 << 16 };

/* What libpng's callbacks need; `st` is the first failure. */
typedef struct writer {
    const tsri_png *picture;
    const tsri_file *file;
    int64_t offset;
    unsigned char *pixels;
    tsr_status st;
} writer;

static void on_error(png_structp png, png_const_charp message)
{
    writer *w = png_get_error_ptr(png);
    if (w->st == TSR_OK)
        w->st = TSRI_FAIL(TSR_ERR_IO, TSRI_PATH ": libpng: %s", w->file->name, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    writer *w = png_get_mem_ptr(png);
    void *memory = tsri_alloc(1, bytes);
    if (memory == NULL && w->st == TSR_OK)
        w->st = TSRI_FAIL(TSR_ERR_NOMEM, "no memory for %zu bytes", (size_t)bytes);
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    tsri_free(memory);
}

static void put(png_structp png, png_bytep bytes, size_t count)
{
    writer *w = png_get_io_ptr(png);
    w->st = tsri_file_write(w->file, bytes, count, w->offset);
    if (w->st != TSR_OK) png_error(png, "write error");
    w->offset += (int64_t)count;
}

static void flush(png_structp png)
{
    (void)png;
}

/* Leaves through on_error() when something fails. */
static void encode(png_structp png, png_infop info, writer *w)
{
    const tsri_png *picture = w->picture;
    png_color palette[PNG_MAX_PALETTE_LENGTH];

    for (int k = 0; k < picture->colors; ++k)
        palette[k] =
            (png_color){picture->palette[k][0], picture->palette[k][1], picture->palette[k][2]};
    png_set_write_fn(png, w, put, flush);
    png_set_compression_buffer_size(png, CHUNK_BYTES);
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, picture->colors);
    png_write_info(png, info);
    for (int64_t y = 0; y < picture->height; ++y) {
        picture->row(y, w->pixels, picture->ctx);
        png_write_row(png, w->pixels);
    }
    png_write_end(png, info);
}

static void encode_guarded(png_structp png, png_infop info, writer *w)
{
    if (setjmp(png_jmpbuf(png)) == 0) encode(png, info, w);
}

bool tsri_png_available(void)
{
    return true;
}

tsr_status tsri_png_write(const tsri_png *picture, const tsri_file *file)
{
    tsr_status st = TSR_OK;
    writer w = {.picture = picture, .file = file};
    png_structp png = NULL;
    png_infop info = NULL;

    TSRI_ALLOC(done, w.pixels, picture->width);
    png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning, &w, allocate,
                                    release);
    if (png != NULL) info = png_create_info_struct(png);
    if (info != NULL) encode_guarded(png, info, &w);
    st = w.st;
    if (st == TSR_OK && info == NULL)
        st = TSRI_FAIL(TSR_ERR_NOMEM, "no memory for libpng to start");

done:
    png_destroy_write_struct(&png, &info);
    tsri_free(w.pixels);
    return st;
}

#else

bool tsri_png_available(void)
{
    return false;
}

tsr_status tsri_png_write(const tsri_png *picture, const tsri_file *file)
{
    (void)picture, (void)file;
    return TSRI_FAIL(TSR_ERR_UNSUPPORTED, "this build has no libpng");
}

#endif
