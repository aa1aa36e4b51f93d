/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.c - maximum pooling layer, forward or backward, one launch.
 */
#include "byw_wl.h"
#include "workloads/pool_cl.h"

enum { GROUP = 256, WINDOW = 3, TILE = 8, EACH = 2 };

static const struct byw_wl_option options[] = {
    {"backward", "0: y from x, 1: dx from dy and the windows' choices", {0, 0, 0}, 0, 1, 1},
    {"batch", "images", {2, 1, 256}, 1, 1000, 1},
    {"channels", "of an image", {3, 3, 3}, 1, 1024, 1},
    {"side", "of an image, values", {22, 224, 256}, 4, 1024, 2},
    {"tiled", "backward: 1: two by two inputs per work-item", {0, 0, 1}, 0, 1, 1},
};
static const struct byw_wl_about about = {"pool", "maximum pooling layer, 3 x 3 windows",
                                          byw_wl_source, options,
                                          sizeof options / sizeof options[0]};

struct layer {
    int planes, in_side, out_side;
    float *x, *y, *dx, *dy;
    cl_uchar *choice;
};

/* The forward result, and the gradients returned to the cells that the windows chose. */
static void host_window(const struct layer *l, int plane, int out_y, int out_x)
{
    size_t out = (size_t)((plane * l->out_side + out_y) * l->out_side + out_x), best = 0;
    for (int cell = 0, found = 0; cell < WINDOW * WINDOW; cell++) {
        int row = 2 * out_y - 1 + cell / WINDOW, column = 2 * out_x - 1 + cell % WINDOW;
        if (row < 0 || row >= l->in_side || column < 0 || column >= l->in_side)
            continue;
        size_t at = (size_t)((plane * l->in_side + row) * l->in_side + column);
        if (!found || l->x[at] > l->x[best]) {
            best = at;
            l->choice[out] = (cl_uchar)cell;
        }
        found = 1;
    }
    l->y[out] = l->x[best];
    l->dx[best] += l->dy[out];
}

static void forward(struct byw_wl *wl, const struct layer *l, size_t inputs, size_t outputs)
{
    float *got = byw_wl_floats(wl, outputs);
    cl_mem x = byw_wl_buffer(wl, inputs * sizeof(float), l->x);
    cl_mem y = byw_wl_buffer(wl, outputs * sizeof(float), NULL);
    cl_kernel kernel = byw_wl_kernel(wl, "pool_forward");
    size_t plane = (size_t)(l->out_side * l->out_side);
    byw_wl_args(wl, kernel, "mmii", x, y, l->in_side, l->out_side);
    byw_wl_launch_2d(wl, kernel, (size_t[2]){byw_wl_groups(plane, GROUP), (size_t)l->planes},
                     (size_t[2]){GROUP, 1});
    byw_wl_read(wl, y, outputs * sizeof(float), got);
    byw_wl_check_f32(wl, "y", got, l->y, outputs, 0.0f, 0.0f);
}

static void backward(struct byw_wl *wl, const struct layer *l, size_t inputs, size_t outputs)
{
    float *got = byw_wl_floats(wl, inputs);
    cl_mem dy = byw_wl_buffer(wl, outputs * sizeof(float), l->dy);
    cl_mem choice = byw_wl_buffer(wl, outputs, l->choice);
    cl_mem dx = byw_wl_buffer(wl, inputs * sizeof(float), NULL);
    bool tiled = byw_wl_get(wl, "tiled") != 0;
    cl_kernel kernel = byw_wl_kernel(wl, tiled ? "pool_backward_tiled" : "pool_backward");
    size_t plane = (size_t)(l->in_side * l->in_side), planes = (size_t)l->planes;
    size_t tiles = byw_wl_groups((size_t)l->in_side, TILE * EACH);
    byw_wl_args(wl, kernel, "mmmii", dy, choice, dx, l->in_side, l->out_side);
    if (tiled)
        byw_wl_launch_2d(wl, kernel, (size_t[2]){tiles, tiles * planes}, (size_t[2]){TILE, TILE});
    else
        byw_wl_launch_2d(wl, kernel, (size_t[2]){byw_wl_groups(plane, GROUP), planes},
                         (size_t[2]){GROUP, 1});
    byw_wl_read(wl, dx, inputs * sizeof(float), got);
    byw_wl_check_f32(wl, "dx", got, l->dx, inputs, 1e-5f, 1e-6f);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct layer l = {.planes = byw_wl_get_int(&wl, "batch") * byw_wl_get_int(&wl, "channels"),
                      .in_side = byw_wl_get_int(&wl, "side")};
    l.out_side = l.in_side / 2;
    size_t inputs = (size_t)(l.planes * l.in_side * l.in_side);
    size_t outputs = (size_t)(l.planes * l.out_side * l.out_side);
    l.x = byw_wl_uniforms(&wl, inputs, -1.0f, 1.0f);
    l.dy = byw_wl_uniforms(&wl, outputs, -1.0f, 1.0f);
    l.y = byw_wl_floats(&wl, outputs);
    l.dx = byw_wl_floats(&wl, inputs);
    l.choice = byw_wl_alloc(&wl, outputs, 1);
    for (int p = 0; p < l.planes; p++)
        for (int y = 0; y < l.out_side; y++)
            for (int x = 0; x < l.out_side; x++)
                host_window(&l, p, y, x);
    if (byw_wl_get(&wl, "backward"))
        backward(&wl, &l, inputs, outputs);
    else
        forward(&wl, &l, inputs, outputs);
    return byw_wl_end(&wl);
}
