/* SPDX-License-Identifier: Apache-2.0
 * Images that a kernel reads and writes (OpenCL C 2.0): of 1 to 3 dimensions and arrays, floats,
 * integers and halves, each texel by the work-item that has just written it.
 * Not for PoCL, which has no such images here: the host works the results out. */
#define CORPUS_VERSION 300
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" TEXT(
    kernel void twice(read_write image2d_t m) {
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        write_imagef(m, at, read_imagef(m, at) + (float4)(1, 2, 3, 4));
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
        write_imagef(m, at, read_imagef(m, at) * 2.0f + (float)get_image_width(m));
    } kernel void layers(read_write image2d_array_t m, read_write image1d_t line) {
        int x = get_global_id(0);
        int4 at = (int4)(x, x % 3, x % get_image_array_size(m), 0);
        write_imageui(m, at, read_imageui(m, at) + read_imageui(line, x));
        write_imageui(line, x, (uint4)(x));
    } kernel void halves(read_write image2d_t m) {
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        write_imageh(m, at, read_imageh(m, at) + (half4)(0.5h));
    });
enum { W = 8, H = 4, L = 2 };
static cl_mem image(struct bench *b, cl_image_desc desc, cl_channel_type type, void *data)
{
    const cl_image_format format = {CL_RGBA, type};
    cl_int code;
    cl_mem m = clCreateImage(b->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc,
                             data, &code);
    must(code, "clCreateImage");
    return m;
}
static void get(struct bench *b, cl_mem m, size_t w, size_t h, size_t d, void *data)
{
    const size_t from[3] = {0, 0, 0}, region[3] = {w, h, d};
    must(clEnqueueReadImage(b->queue, m, CL_TRUE, from, region, 0, 0, data, 0, NULL, NULL), "read");
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL3.0", 0);
    size_t global[2] = {W, H};
    static float f[W * H * 4];
    static cl_uint u[L * H * W * 4], line[W * 4];
    int wrong = 0;
    cl_kernel k = kernel(&b, "twice");
    cl_mem m, n;
    for (int i = 0; i < W * H * 4; i++)
        f[i] = (float)i;
    m = image(
        &b,
        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H},
        CL_FLOAT, f);
    arg(k, 0, sizeof(m), &m);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, NULL, 0, NULL, NULL), "launch");
    get(&b, m, W, H, 1, f);
    for (int i = 0; i < W * H * 4; i++)
        wrong += f[i] != (float)((i + 1 + i % 4) * 2 + W);
    k = kernel(&b, "halves");
    arg(k, 0, sizeof(m), &m);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, NULL, 0, NULL, NULL), "launch");
    get(&b, m, W, H, 1, f);
    for (int i = 0; i < W * H * 4; i++)
        wrong += f[i] != (float)((i + 1 + i % 4) * 2 + W) + 0.5f;
    printf("2d: %d wrong\n", wrong);
    for (int i = 0; i < L * H * W * 4; i++)
        u[i] = (cl_uint)i;
    for (int i = 0; i < W * 4; i++)
        line[i] = (cl_uint)(1000 * i);
    m = image(&b,
              (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                              .image_width = W,
                              .image_height = H,
                              .image_array_size = L},
              CL_UNSIGNED_INT32, u);
    n = image(&b, (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = W},
              CL_UNSIGNED_INT32, line);
    k = kernel(&b, "layers");
    arg(k, 0, sizeof(m), &m);
    arg(k, 1, sizeof(n), &n);
    run1(&b, k, W, W);
    get(&b, m, W, H, L, u);
    get(&b, n, W, 1, 1, line);
    wrong = 0;
    for (int i = 0; i < L * H * W * 4; i++) {
        int x = i / 4 % W, y = i / 4 / W % H, z = i / 4 / W / H;
        cl_uint add = y == x % 3 && z == x % L ? (cl_uint)(1000 * (x * 4 + i % 4)) : 0;
        wrong += u[i] != (cl_uint)i + add;
    }
    for (int i = 0; i < W * 4; i++)
        wrong += line[i] != (cl_uint)(i / 4);
    printf("layers: %d wrong\n", wrong);
    return 0;
}
