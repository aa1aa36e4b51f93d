/* SPDX-License-Identifier: Apache-2.0
 * Maps of all kinds: invalidating, overlapping, of sub-buffers, of host memory (same pointer),
 * several at once, counts, asynchronous with events; host-allocated buffers as rings. */
#include "corpus.h"
static const char src[] = "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    cl_int code;
    cl_event e, u;
    cl_kernel k = kernel(&b, "twice");
    cl_mem m =
        clCreateBuffer(b.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, 4096, NULL, &code);
    int *p = clEnqueueMapBuffer(b.queue, m, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4096, 0,
                                NULL, &e, &code);
    must(code, "map");
    must(clWaitForEvents(1, &e), "wait");
    for (int i = 0; i < 1024; i++)
        p[i] = i;
    must(clEnqueueUnmapMemObject(b.queue, m, p, 0, NULL, &u), "unmap");
    arg(k, 0, sizeof(m), &m);
    size_t n = 1024;
    must(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &n, NULL, 1, &u, NULL), "run");
    int *q = clEnqueueMapBuffer(b.queue, m, CL_TRUE, CL_MAP_READ, 400, 100, 0, NULL, NULL, &code);
    int *r = clEnqueueMapBuffer(b.queue, m, CL_TRUE, CL_MAP_READ, 404, 200, 0, NULL, NULL, &code);
    cl_uint count;
    clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL);
    printf("%d %d %d %u\n", q[0], q[24], r[0], count);
    clEnqueueUnmapMemObject(b.queue, m, q, 0, NULL, NULL);
    clEnqueueUnmapMemObject(b.queue, m, r, 0, NULL, NULL);
    clFinish(b.queue);
    clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL);
    printf("%u\n", count);
    static int host[1024] __attribute__((aligned(4096)));
    for (int i = 0; i < 1024; i++)
        host[i] = 3 * i;
    cl_mem h = clCreateBuffer(b.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(host),
                              host, &code);
    must(code, "host");
    arg(k, 0, sizeof(h), &h);
    run1(&b, k, 1024, 64);
    p = clEnqueueMapBuffer(b.queue, h, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 64, 64, 0, NULL, NULL,
                           &code);
    printf("%d %d %d\n", p == host + 16, p[0], host[17]);
    p[1] = -1;
    clEnqueueUnmapMemObject(b.queue, h, p, 0, NULL, NULL);
    run1(&b, k, 1024, 64);
    fetch(&b, h, sizeof(host), host);
    printf("%d %d %08x\n", host[17], host[1023], hash_of(host, sizeof(host)));
    cl_uint align;
    clGetDeviceInfo(b.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(align), &align, NULL);
    cl_buffer_region region = {align / 8, 256};
    cl_mem s =
        clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    must(code, "sub");
    p = clEnqueueMapBuffer(b.queue, s, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, NULL, NULL, &code);
    memset(p, 0, 256);
    clEnqueueUnmapMemObject(b.queue, s, p, 0, NULL, NULL);
    int *all = malloc(4096);
    fetch(&b, m, 4096, all);
    int zeros = 0;
    for (int i = 0; i < 1024; i++)
        zeros += all[i] == 0;
    printf("%d\n", zeros);
    clEnqueueMapBuffer(b.queue, m, CL_TRUE, CL_MAP_READ, 4000, 200, 0, NULL, NULL, &code);
    printf("%d\n", code);
    printf("%d\n", clEnqueueUnmapMemObject(b.queue, m, host, 0, NULL, NULL) != 0);
    return 0;
}
