/* SPDX-License-Identifier: Apache-2.0
 * What the host may do with an object that its flags protect, lists of properties, shared memory in
 * buffers, and the address space of a generic pointer.
 * Not for PoCL, whose answers differ: the expected output follows the specification. */
#define CORPUS_VERSION 300
#include "corpus.h"
static const char src[] =
    "kernel void where(global int *o, local int *l) {\n"
    "  int p = 0; int *g = o, *s = l, *q = &p;\n"
    "  o[0] = get_fence(g) == CLK_GLOBAL_MEM_FENCE; o[1] = get_fence(s) == CLK_LOCAL_MEM_FENCE;\n"
    "  o[2] = (get_fence(q) & CLK_LOCAL_MEM_FENCE) == 0; }\n";
static const size_t zero[3], all[3] = {4, 4, 1};
static struct bench b;
static void host(const char *name, cl_mem_flags flags)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    char data[64] = {0};
    size_t row;
    cl_int code[4];
    cl_mem m = clCreateBuffer(b.context, flags, 64, NULL, NULL);
    cl_mem i = clCreateImage(b.context, flags, &format, &desc, NULL, NULL);
    printf("%s: %d %d %d %d", name,
           clEnqueueReadBufferRect(b.queue, m, CL_TRUE, zero, zero, all, 4, 16, 4, 16, data, 0,
                                   NULL, NULL),
           clEnqueueWriteBufferRect(b.queue, m, CL_TRUE, zero, zero, all, 4, 16, 4, 16, data, 0,
                                    NULL, NULL),
           clEnqueueReadImage(b.queue, i, CL_TRUE, zero, all, 0, 0, data, 0, NULL, NULL),
           clEnqueueWriteImage(b.queue, i, CL_TRUE, zero, all, 0, 0, data, 0, NULL, NULL));
    for (int k = 0; k < 2; k++) {
        void *p = clEnqueueMapImage(b.queue, i, CL_TRUE, k == 0 ? CL_MAP_READ : CL_MAP_WRITE, zero,
                                    all, &row, NULL, 0, NULL, NULL, &code[k]);
        printf(" %d", code[k]);
        if (p != NULL)
            clEnqueueUnmapMemObject(b.queue, i, p, 0, NULL, NULL);
    }
    printf("\n");
}
/* An image in the program's memory, with rows of 20 bytes, is filled, mapped and unmapped. */
static void in_place(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = 4,
                                .image_height = 4,
                                .image_row_pitch = 20};
    static unsigned char own[80];
    const cl_uint color[4] = {7, 8, 9, 10};
    const size_t one[3] = {1, 1, 0}, inner[3] = {2, 2, 1};
    unsigned char texel[4], *p;
    size_t row = 0;
    cl_mem i;
    void *pointer = NULL;

    memset(own, 3, sizeof(own));
    i = clCreateImage(b.context, CL_MEM_USE_HOST_PTR, &format, &desc, own, NULL);
    clGetMemObjectInfo(i, CL_MEM_HOST_PTR, sizeof(pointer), &pointer, NULL);
    clEnqueueFillImage(b.queue, i, color, one, inner, 0, NULL, NULL);
    p = clEnqueueMapImage(b.queue, i, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, one, inner, &row, NULL,
                          0, NULL, NULL, NULL);
    printf("in place: %d %td %zu, %d %d %d %d", pointer == own, p - own, row, own[23], own[24],
           own[31], own[36]);
    p[row] = 42;
    printf(", %d", clEnqueueUnmapMemObject(b.queue, i, p, 0, NULL, NULL));
    clEnqueueReadImage(b.queue, i, CL_TRUE, (size_t[]){1, 2, 0}, (size_t[]){1, 1, 1}, 0, 0, texel,
                       0, NULL, NULL);
    printf(" %d %d\n", texel[0], texel[1]);
}
static void lists(void)
{
    const cl_mem_properties none = 0;
    const cl_queue_properties order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_sampler_properties nearest[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_queue_properties list[8] = {1, 1, 1};
    size_t size[4] = {9, 9, 9, 9};
    cl_mem with = clCreateBufferWithProperties(b.context, &none, 0, 64, NULL, NULL);
    cl_command_queue q = clCreateCommandQueueWithProperties(b.context, b.device, order, NULL);
    cl_sampler s = clCreateSamplerWithProperties(b.context, nearest, NULL);
    clGetMemObjectInfo(with, CL_MEM_PROPERTIES, 0, NULL, &size[0]);
    clGetMemObjectInfo(buffer(&b, 64, NULL), CL_MEM_PROPERTIES, 0, NULL, &size[1]);
    clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof(list), list, &size[2]);
    clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, 0, NULL, &size[3]);
    printf("lists: %zu %zu %zu %zu, %d\n", size[0], size[1], size[2], size[3],
           memcmp(list, order, sizeof(order)) == 0);
}
static void shared(void)
{
    char *p = clSVMAlloc(b.context, 0, 256, 0);
    const void *part = p + 64;
    size_t bytes = 192, more = 193;
    cl_mem m = clCreateBuffer(b.context, CL_MEM_USE_HOST_PTR, 256, p, NULL);
    cl_bool uses = 9, plain = 9;
    clGetMemObjectInfo(m, CL_MEM_USES_SVM_POINTER, sizeof(uses), &uses, NULL);
    clGetMemObjectInfo(buffer(&b, 64, NULL), CL_MEM_USES_SVM_POINTER, sizeof(plain), &plain, NULL);
    printf("shared: %u %u, %d %d %d\n", uses, plain,
           clEnqueueSVMMigrateMem(b.queue, 1, &part, &bytes, 0, 0, NULL, NULL),
           clEnqueueSVMMigrateMem(b.queue, 1, &part, &more, 0, 0, NULL, NULL),
           clSetKernelExecInfo(kernel(&b, "where"), CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
}
int main(void)
{
    cl_kernel k;
    cl_mem m;
    int o[3] = {0};
    b = open_bench(src, "-cl-std=CL2.0", 0);
    host("any", 0);
    host("read", CL_MEM_HOST_READ_ONLY);
    host("write", CL_MEM_HOST_WRITE_ONLY);
    host("none", CL_MEM_HOST_NO_ACCESS);
    in_place();
    lists();
    shared();
    k = kernel(&b, "where");
    m = buffer(&b, sizeof(o), NULL);
    arg(k, 0, sizeof(m), &m);
    arg(k, 1, 16, NULL);
    run1(&b, k, 1, 1);
    fetch(&b, m, sizeof(o), o);
    printf("spaces: %d %d %d\n", o[0], o[1], o[2]);
    return 0;
}
