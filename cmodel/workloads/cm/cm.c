/* SPDX-License-Identifier: Apache-2.0
 *
 * cm.c - composed model: convolution 5 x 5, pooling 3 x 3, fully connected, three launches.
 */
#include "byw_wl.h"
#include "byw_wl_layer.h"
#include "workloads/cm_cl.h"

enum { GROUP = 256, DENSE_GROUP = 64, COLORS = 3, SIDE = 32, HALF = SIDE / 2, OUTPUTS = 32 };

static const struct byw_wl_option options[] = {
    {"batch", "images", {2, 1, 64}, 1, 1024, 1},
    {"filters", "of the convolution", {5, 16, 32}, 1, 1024, 1},
};
static const struct byw_wl_about about = {
    "cm", "composed model: convolution, pooling, fully connected layer", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct model {
    int batch, filters, inputs; /* inputs of the fully connected layer */
    float *x, *weight, *bias, *dense_weight, *dense_bias, *want;
};

static void make_model(struct byw_wl *wl, struct model *m)
{
    size_t images = (size_t)m->batch, filters = (size_t)m->filters;
    m->inputs = m->filters * HALF * HALF;
    m->x = byw_wl_uniforms(wl, images * COLORS * SIDE * SIDE, -1.0f, 1.0f);
    m->weight = byw_wl_uniforms(wl, filters * COLORS * 25, -0.3f, 0.3f);
    m->bias = byw_wl_uniforms(wl, filters, -0.1f, 0.1f);
    m->dense_weight = byw_wl_uniforms(wl, (size_t)(m->inputs * OUTPUTS), -0.1f, 0.1f);
    m->dense_bias = byw_wl_uniforms(wl, OUTPUTS, -0.1f, 0.1f);
    m->want = byw_wl_floats(wl, images * OUTPUTS);
}

static void host_model(struct byw_wl *wl, const struct model *m)
{
    float *wide = byw_wl_floats(wl, (size_t)(m->filters * SIDE * SIDE));
    float *narrow = byw_wl_floats(wl, (size_t)m->inputs);
    struct byw_wl_window conv = {COLORS, SIDE, m->filters, SIDE, 5, 1, 2};
    struct byw_wl_window pool = {m->filters, SIDE, m->filters, HALF, 3, 2, 1};
    for (int i = 0; i < m->batch; i++) {
        byw_wl_host_conv(&conv, m->x + i * COLORS * SIDE * SIDE, m->weight, m->bias, false, wide);
        byw_wl_host_pool(&pool, wide, false, narrow);
        byw_wl_host_dense(narrow, m->dense_weight, m->dense_bias, m->inputs, OUTPUTS,
                          m->want + i * OUTPUTS);
    }
}

static cl_mem upload(struct byw_wl *wl, size_t values, const float *from)
{
    return byw_wl_buffer(wl, values * sizeof(float), from);
}

static void device_model(struct byw_wl *wl, const struct model *m, float *got)
{
    size_t images = (size_t)m->batch, filters = (size_t)m->filters, planes = images * filters;
    cl_mem x = upload(wl, images * COLORS * SIDE * SIDE, m->x);
    cl_mem weight = upload(wl, filters * COLORS * 25, m->weight);
    cl_mem bias = upload(wl, filters, m->bias);
    cl_mem wide = upload(wl, planes * SIDE * SIDE, NULL);
    cl_mem narrow = upload(wl, planes * HALF * HALF, NULL);
    cl_mem dense_weight = upload(wl, (size_t)(m->inputs * OUTPUTS), m->dense_weight);
    cl_mem dense_bias = upload(wl, OUTPUTS, m->dense_bias);
    cl_mem y = upload(wl, images * OUTPUTS, NULL);
    cl_kernel conv = byw_wl_kernel(wl, "cm_conv"), pool = byw_wl_kernel(wl, "cm_pool");
    cl_kernel dense = byw_wl_kernel(wl, "cm_dense");
    byw_wl_args(wl, conv, "mmmmiii", x, weight, bias, wide, COLORS, m->filters, SIDE);
    byw_wl_launch_2d(wl, conv, (size_t[2]){SIDE * SIDE / GROUP, planes}, (size_t[2]){GROUP, 1});
    byw_wl_args(wl, pool, "mmii", wide, narrow, SIDE, HALF);
    byw_wl_launch_2d(wl, pool, (size_t[2]){HALF * HALF / GROUP, planes}, (size_t[2]){GROUP, 1});
    byw_wl_args(wl, dense, "mmmmi", narrow, dense_weight, dense_bias, y, m->inputs);
    byw_wl_launch_2d(wl, dense, (size_t[2]){OUTPUTS, images}, (size_t[2]){DENSE_GROUP, 1});
    byw_wl_read(wl, y, images * OUTPUTS * sizeof(float), got);
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct model m = {.batch = byw_wl_get_int(&wl, "batch"),
                      .filters = byw_wl_get_int(&wl, "filters")};
    make_model(&wl, &m);
    size_t values = (size_t)m.batch * OUTPUTS;
    float *got = byw_wl_floats(&wl, values);
    host_model(&wl, &m);
    device_model(&wl, &m, got);
    byw_wl_check_f32(&wl, "y", got, m.want, values, 1e-4f, 1e-3f);
    return byw_wl_end(&wl);
}
