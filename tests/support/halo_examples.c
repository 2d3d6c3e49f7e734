#include "support/halo_examples.h"

/* What the examples share: 10 cells 1 ... 10 on 3 ranks, and 4 x 4 cells 1 ... 16 on 2 x 2. */
#define TEN(name, periodic_axes, boundary, number, ...)                                            \
    {                                                                                              \
        .id = name, .ranks = 3, .ndim = 1, .shape = {10}, .grid = {3}, .halo = {2}, .first = 1,    \
        .step = 1, .periodic = (periodic_axes), .kind = (boundary), .value = (number),             \
        .expected = {                                                                              \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define FOUR(name, periodic_axes, boundary, number, axis_set, halo_first, halo_more, ...)          \
    {                                                                                              \
        .id = name, .ranks = 4, .ndim = 2, .shape = {4, 4}, .grid = {2, 2}, .halo = {1, 1},        \
        .first = 1, .step = 1, .periodic = (periodic_axes), .kind = (boundary), .value = (number), \
        .axes = (axis_set), .halo0 = (halo_first), .halo_step = (halo_more), .expected = {         \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* H-14 is overridden by the design: the non-blocking form gives H-13's cells too.
 * H-24 is no error by the design: reflect reaches across blocks. */
const halo_example halo_examples[] = {
    TEN("H-1 leave", 0, TSR_LEAVE, 0, /**/
        0, 0, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, 0, 0),
    TEN("H-2 constant", 0, TSR_CONSTANT, -1, /**/
        -1, -1, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, -1, -1),
    TEN("H-3 edge", 0, TSR_EDGE, 0, /**/
        1, 1, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, 10, 10),
    TEN("H-4 symmetric", 0, TSR_SYMMETRIC, 0, /**/
        2, 1, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, 10, 9),
    TEN("H-5 reflect", 0, TSR_REFLECT, 0, /**/
        3, 2, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, 9, 8),
    TEN("H-6 periodic", TSR_AXES(0), TSR_LEAVE, 0, /**/
        9, 10, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, 1, 2),
    TEN("H-6 periodic, boundary without effect", TSR_AXES(0), TSR_CONSTANT, 77, /**/
        9, 10, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 9, 6, 7, 8, 9, 10, 1, 2),
    {.id = "H-7 blocks of their rank",
     .ranks = 4,
     .ndim = 1,
     .shape = {8},
     .grid = {4},
     .halo = {1},
     .periodic = TSR_AXES(0),
     .block = true,
     .expected = {4, 1, 1, 2, 1, 2, 2, 3, 2, 3, 3, 4, 3, 4, 4, 1}},
    {.id = "H-8 one rank",
     .ranks = 1,
     .ndim = 1,
     .shape = {6},
     .grid = {1},
     .halo = {1},
     .periodic = TSR_AXES(0),
     .step = 1,
     .expected = {5, 0, 1, 2, 3, 4, 5, 0}},
    {.id = "H-9 cuts",
     .ranks = 3,
     .ndim = 1,
     .shape = {10},
     .grid = {3},
     .halo = {2},
     .periodic = TSR_AXES(0),
     .step = 1,
     .cuts = {0, 2, 7, 10},
     .expected = {8, 9, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 9, 0, 1}},
    {.id = "H-10 constant",
     .ranks = 2,
     .ndim = 1,
     .shape = {7},
     .grid = {2},
     .halo = {3},
     .kind = TSR_CONSTANT,
     .value = 0.5,
     .first = 1,
     .step = 1,
     .expected = {.5, .5, .5, 1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7, .5, .5, .5}},
    {.id = "H-10 symmetric",
     .ranks = 2,
     .ndim = 1,
     .shape = {7},
     .grid = {2},
     .halo = {3},
     .kind = TSR_SYMMETRIC,
     .first = 1,
     .step = 1,
     .expected = {3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7, 7, 6, 5}},
    FOUR("H-11 edge", 0, TSR_EDGE, 0, 0, 0, 0,               /**/
         1, 1, 2, 3, 1, 1, 2, 3, 5, 5, 6, 7, 9, 9, 10, 11,   /* rank 0 */
         2, 3, 4, 4, 2, 3, 4, 4, 6, 7, 8, 8, 10, 11, 12, 12, /* rank 1 */
         5, 5, 6, 7, 9, 9, 10, 11, 13, 13, 14, 15, 13, 13, 14, 15, 6, 7, 8, 8, 10, 11, 12, 12, 14,
         15, 16, 16, 14, 15, 16, 16),
    FOUR("H-12 constant", 0, TSR_CONSTANT, 9, 0, 0, 0,        /**/
         9, 9, 9, 9, 9, 1, 2, 3, 9, 5, 6, 7, 9, 9, 10, 11,    /**/
         9, 9, 9, 9, 2, 3, 4, 9, 6, 7, 8, 9, 10, 11, 12, 9,   /**/
         9, 5, 6, 7, 9, 9, 10, 11, 9, 13, 14, 15, 9, 9, 9, 9, /**/
         6, 7, 8, 9, 10, 11, 12, 9, 14, 15, 16, 9, 9, 9, 9, 9),
    FOUR("H-13 leave (H-14 too)", 0, TSR_LEAVE, 0, 0, -1, -1,        /**/
         -1, -1, -1, -2, -1, 1, 2, 3, -1, 5, 6, 7, -3, 9, 10, 11,    /**/
         -1, -2, -2, -2, 2, 3, 4, -2, 6, 7, 8, -2, 10, 11, 12, -4,   /**/
         -1, 5, 6, 7, -3, 9, 10, 11, -3, 13, 14, 15, -3, -3, -3, -4, /**/
         6, 7, 8, -2, 10, 11, 12, -4, 14, 15, 16, -4, -3, -4, -4, -4),
    FOUR("H-15 leave, axis 0 periodic", TSR_AXES(0), TSR_LEAVE, 0, 0, 0, 0, /**/
         0, 13, 14, 15, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11,               /**/
         14, 15, 16, 0, 2, 3, 4, 0, 6, 7, 8, 0, 10, 11, 12, 0,              /**/
         0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 0, 1, 2, 3,               /**/
         6, 7, 8, 0, 10, 11, 12, 0, 14, 15, 16, 0, 2, 3, 4, 0),
    FOUR("H-16 edge, axis 0 periodic", TSR_AXES(0), TSR_EDGE, 0, 0, 0, 0, /**/
         13, 13, 14, 15, 1, 1, 2, 3, 5, 5, 6, 7, 9, 9, 10, 11,            /**/
         14, 15, 16, 16, 2, 3, 4, 4, 6, 7, 8, 8, 10, 11, 12, 12,          /**/
         5, 5, 6, 7, 9, 9, 10, 11, 13, 13, 14, 15, 1, 1, 2, 3,            /**/
         6, 7, 8, 8, 10, 11, 12, 12, 14, 15, 16, 16, 2, 3, 4, 4),
    FOUR("H-17 both periodic", TSR_AXES(0, 1), TSR_EDGE, 0, 0, 0, 0, /**/
         16, 13, 14, 15, 4, 1, 2, 3, 8, 5, 6, 7, 12, 9, 10, 11,      /**/
         14, 15, 16, 13, 2, 3, 4, 1, 6, 7, 8, 5, 10, 11, 12, 9,      /**/
         8, 5, 6, 7, 12, 9, 10, 11, 16, 13, 14, 15, 4, 1, 2, 3,      /**/
         6, 7, 8, 5, 10, 11, 12, 9, 14, 15, 16, 13, 2, 3, 4, 1),
    FOUR("H-18 edge, axis 1 only", 0, TSR_EDGE, 0, TSR_AXES(1), 0, 0, /**/
         0, 0, 0, 0, 1, 1, 2, 3, 5, 5, 6, 7, 0, 0, 0, 0,              /**/
         0, 0, 0, 0, 2, 3, 4, 4, 6, 7, 8, 8, 0, 0, 0, 0,              /**/
         0, 0, 0, 0, 9, 9, 10, 11, 13, 13, 14, 15, 0, 0, 0, 0,        /**/
         0, 0, 0, 0, 10, 11, 12, 12, 14, 15, 16, 16, 0, 0, 0, 0),
    {.id = "H-19 edge and periodic",
     .ranks = 2,
     .ndim = 2,
     .shape = {4, 5},
     .grid = {2, 1},
     .halo = {1, 2},
     .periodic = TSR_AXES(1),
     .kind = TSR_EDGE,
     .step = 1,
     .expected = {3,  4,  0,  1,  2,  3,  4,  0,  1,  3,  4,  0,  1,  2,  3,  4,  0,  1,
                  8,  9,  5,  6,  7,  8,  9,  5,  6,  13, 14, 10, 11, 12, 13, 14, 10, 11,
                  8,  9,  5,  6,  7,  8,  9,  5,  6,  13, 14, 10, 11, 12, 13, 14, 10, 11,
                  18, 19, 15, 16, 17, 18, 19, 15, 16, 18, 19, 15, 16, 17, 18, 19, 15, 16}},
    {.id = "H-20 symmetric, uneven blocks",
     .ranks = 4,
     .ndim = 2,
     .shape = {5, 3},
     .grid = {2, 2},
     .halo = {2, 1},
     .kind = TSR_SYMMETRIC,
     .step = 1,
     .expected = {3,  3,  4,  5, 0,  0,  1,  2,  0,  0,  1,  2,  3,  3,  4,  5,  6,  6,
                  7,  8,  9,  9, 10, 11, 12, 12, 13, 14, /**/
                  4,  5,  5,  1, 2,  2,  1,  2,  2,  4,  5,  5,  7,  8,  8,  10, 11, 11,
                  13, 14, 14, /**/
                  3,  3,  4,  5, 6,  6,  7,  8,  9,  9,  10, 11, 12, 12, 13, 14, 12, 12,
                  13, 14, 9,  9, 10, 11, /**/
                  4,  5,  5,  7, 8,  8,  10, 11, 11, 13, 14, 14, 13, 14, 14, 10, 11, 11}},
    {.id = "H-21 one rank, reflect",
     .ranks = 1,
     .ndim = 2,
     .shape = {2, 3},
     .grid = {1, 1},
     .halo = {1, 2},
     .periodic = TSR_AXES(0),
     .kind = TSR_REFLECT,
     .first = 1,
     .step = 1,
     .expected = {6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1,
                  6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1}},
    {.id = "H-21 replicated, reflect",
     .ranks = 2,
     .ndim = 2,
     .shape = {2, 3},
     .halo = {1, 2},
     .periodic = TSR_AXES(0),
     .kind = TSR_REFLECT,
     .first = 1,
     .step = 1,
     .expected = {6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1, 6, 5, 4, 5, 6,
                  5, 4, 3, 2, 1, 2, 3, 2, 1, 6, 5, 4, 5, 6, 5, 4, 3, 2, 1,
                  2, 3, 2, 1, 6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1}},
    {.id = "H-24 reflect over blocks narrower than it needs",
     .ranks = 4,
     .ndim = 1,
     .shape = {8},
     .grid = {4},
     .halo = {2},
     .kind = TSR_REFLECT,
     .first = 1,
     .step = 1,
     .expected = {3, 2, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 7, 6}},
    {.id = "H-25 no halo",
     .ranks = 3,
     .ndim = 1,
     .shape = {10},
     .grid = {3},
     .kind = TSR_EDGE,
     .first = 1,
     .step = 1,
     .expected = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
};
const int halo_example_count = sizeof halo_examples / sizeof halo_examples[0];

#define SIDES 10, 1, 1, 10, 1, 0, 0, 1, 1, 0, 0, 1, 10, 1, 1, 10
#define ONE_CORNER 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5
#define FOUR_ZEROS(name, periodic_axes, ...)                                                       \
    {                                                                                              \
        .id = name, .ranks = 4, .ndim = 2, .shape = {4, 4}, .grid = {2, 2}, .halo = {1, 1},        \
        .periodic = (periodic_axes), __VA_ARGS__                                                   \
    }
#define BLOCK(a, b, c, d) 0, 0, 0, 0, 0, a, b, 0, 0, c, d, 0, 0, 0, 0, 0

const accumulate_example accumulate_examples[] = {
    {.id = "H-28 periodic",
     .ranks = 3,
     .ndim = 1,
     .shape = {6},
     .grid = {3},
     .halo = {1},
     .periodic = TSR_AXES(0),
     .before = {1, 100, 101, 2, 11, 102, 103, 12, 21, 104, 105, 22},
     .expected = {0, 122, 112, 0, 0, 104, 124, 0, 0, 116, 106, 0}},
    {.id = "H-29 walls",
     .ranks = 3,
     .ndim = 1,
     .shape = {6},
     .grid = {3},
     .halo = {1},
     .before = {1, 100, 101, 2, 11, 102, 103, 12, 21, 104, 105, 22},
     .expected = {0, 100, 112, 0, 0, 104, 124, 0, 0, 116, 105, 0}},
    {.id = "H-30 cuts, periodic",
     .ranks = 3,
     .ndim = 1,
     .shape = {7},
     .grid = {3},
     .halo = {2},
     .periodic = TSR_AXES(0),
     .cuts = {0, 3, 5, 7},
     .before = {1, 2, 0, 0, 0, 3, 4, 10, 20, 0, 0, 30, 40, 100, 200, 0, 0, 300, 400},
     .expected = {0, 0, 300, 410, 20, 0, 0, 0, 0, 103, 204, 0, 0, 0, 0, 31, 42, 0, 0}},
    {.id = "H-31 cuts, walls",
     .ranks = 3,
     .ndim = 1,
     .shape = {7},
     .grid = {3},
     .halo = {2},
     .cuts = {0, 3, 5, 7},
     .before = {1, 2, 0, 0, 0, 3, 4, 10, 20, 0, 0, 30, 40, 100, 200, 0, 0, 300, 400},
     .expected = {0, 0, 0, 10, 20, 0, 0, 0, 0, 103, 204, 0, 0, 0, 0, 30, 40, 0, 0}},
    {.id = "H-32 one rank, periodic",
     .ranks = 1,
     .ndim = 1,
     .shape = {8},
     .grid = {1},
     .halo = {1},
     .periodic = TSR_AXES(0),
     .before = {1, 0, 0, 0, 0, 0, 0, 0, 0, 2},
     .expected = {0, 2, 0, 0, 0, 0, 0, 0, 1, 0}},
    {.id = "H-33 one rank, walls",
     .ranks = 1,
     .ndim = 1,
     .shape = {8},
     .grid = {1},
     .halo = {1},
     .before = {1, 0, 0, 0, 0, 0, 0, 0, 0, 2},
     .expected = {0}},
    FOUR_ZEROS("H-34 both periodic", TSR_AXES(0, 1), .before = {SIDES, SIDES, SIDES, SIDES},
               .expected = {BLOCK(12, 12, 12, 12), BLOCK(12, 12, 12, 12), BLOCK(12, 12, 12, 12),
                            BLOCK(12, 12, 12, 12)}),
    FOUR_ZEROS("H-35 walls", 0, .before = {SIDES, SIDES, SIDES, SIDES},
               .expected = {BLOCK(0, 1, 1, 12), BLOCK(1, 0, 12, 1), BLOCK(1, 12, 0, 1),
                            BLOCK(12, 1, 1, 0)}),
    FOUR_ZEROS("H-36 axis 0 periodic", TSR_AXES(0), .before = {SIDES, SIDES, SIDES, SIDES},
               .expected = {BLOCK(1, 12, 1, 12), BLOCK(12, 1, 12, 1), BLOCK(1, 12, 1, 12),
                            BLOCK(12, 1, 12, 1)}),
    FOUR_ZEROS("H-37 corner, both periodic", TSR_AXES(0, 1), .before = {ONE_CORNER},
               .expected = {[48] = BLOCK(5, 0, 0, 7)}),
    FOUR_ZEROS("H-37 corner, walls", 0, .before = {ONE_CORNER},
               .expected = {[48] = BLOCK(5, 0, 0, 0)}),
    FOUR_ZEROS("H-37 corner, axis 0 periodic", TSR_AXES(0), .before = {ONE_CORNER},
               .expected = {[48] = BLOCK(5, 0, 0, 0)}),
};
const int accumulate_example_count = sizeof accumulate_examples / sizeof accumulate_examples[0];
