/* SPDX-License-Identifier: Apache-2.0
 * Native kernels, tasks, markers and barriers with lists, migration, reference counts. */
#include "corpus.h"
struct job {
    int *data;
    int n, add;
};
static void CL_CALLBACK host_part(void *args)
{
    struct job *j = args;
    for (int i = 0; i < j->n; i++)
        j->data[i] += j->add;
}
static const char src[] =
    "kernel void one(global int *a, int n) { for (int i = 0; i < n; i++) a[i] = i * i; }\n"
    "kernel void each(global int *a) { a[get_global_id(0)] *= 2; }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem m = buffer(&b, 64, NULL);
    cl_kernel one = kernel(&b, "one"), each = kernel(&b, "each");
    cl_event e[5];
    int n = 16, v[16];
    size_t sixteen = 16;
    cl_device_exec_capabilities can = 0;
    clGetDeviceInfo(b.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(can), &can, NULL);
    arg(one, 0, sizeof(m), &m);
    arg(one, 1, 4, &n);
    arg(each, 0, sizeof(m), &m);
    must(clEnqueueTask(b.queue, one, 0, NULL, &e[0]), "task");
    must(clEnqueueMarkerWithWaitList(b.queue, 1, &e[0], &e[1]), "marker");
    must(clEnqueueNDRangeKernel(b.queue, each, 1, NULL, &sixteen, NULL, 1, &e[1], &e[2]), "each");
    must(clEnqueueBarrierWithWaitList(b.queue, 1, &e[2], &e[3]), "barrier");
    if (can & CL_EXEC_NATIVE_KERNEL) {
        struct job j = {NULL, 16, 1000};
        const void *place = &j.data;
        must(clEnqueueNativeKernel(b.queue, host_part, &j, sizeof(j), 1, &m, &place, 1, &e[3],
                                   &e[4]),
             "native");
    } else {
        e[4] = e[3];
        clRetainEvent(e[4]);
    }
    must(clWaitForEvents(1, &e[4]), "wait");
    fetch(&b, m, 64, v);
    if (!(can & CL_EXEC_NATIVE_KERNEL))
        for (int i = 0; i < 16; i++)
            v[i] += 1000;
    print_ints("v", v, 16);
    printf("%d\n",
           clEnqueueNativeKernel(b.queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL) != 0);
    must(clEnqueueMigrateMemObjects(b.queue, 1, &m, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL),
         "migrate");
    must(clFinish(b.queue), "finish");
    cl_uint count;
    clRetainKernel(each);
    clGetKernelInfo(each, CL_KERNEL_REFERENCE_COUNT, sizeof(count), &count, NULL);
    printf("%u\n", count);
    clReleaseKernel(each);
    clReleaseKernel(each);
    clReleaseKernel(one);
    for (int i = 0; i < 5; i++)
        clReleaseEvent(e[i]);
    clReleaseMemObject(m);
    close_bench(&b);
    return 0;
}
