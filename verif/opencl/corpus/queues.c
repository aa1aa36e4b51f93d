/* SPDX-License-Identifier: Apache-2.0
 * Two queues and a host thread each, ordered by events. */
#include "corpus.h"
#include <pthread.h>
static const char src[] =
    "kernel void step(global int *a, int k) { int i = get_global_id(0); a[i] = a[i] * 3 + k; }\n";
struct job {
    struct bench *b;
    cl_command_queue queue;
    cl_mem mem;
    cl_event gate;
    int k, got[64];
};
static void *work(void *data)
{
    struct job *j = (struct job *)data;
    cl_kernel k = kernel(j->b, "step");
    size_t n = 64;
    arg(k, 0, sizeof(j->mem), &j->mem);
    for (int i = 0; i < 10; i++) {
        int v = j->k + i;
        arg(k, 1, sizeof(v), &v);
        must(clEnqueueNDRangeKernel(j->queue, k, 1, NULL, &n, NULL, i == 0,
                                    i == 0 ? &j->gate : NULL, NULL),
             "launch");
    }
    must(clEnqueueReadBuffer(j->queue, j->mem, CL_TRUE, 0, sizeof(j->got), j->got, 0, NULL, NULL),
         "read");
    must(clReleaseKernel(k), "release");
    return NULL;
}
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    struct job jobs[2];
    pthread_t threads[2];
    int zero[64] = {0};
    cl_int code;
    cl_event gate = clCreateUserEvent(b.context, &code);
    for (int i = 0; i < 2; i++) {
        jobs[i] =
            (struct job){.b = &b, .mem = buffer(&b, sizeof(zero), zero), .gate = gate, .k = i + 1};
        jobs[i].queue = clCreateCommandQueue(b.context, b.device, 0, &code);
        must(code, "queue");
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    must(clSetUserEventStatus(gate, CL_COMPLETE), "open");
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        printf("%d %d\n", jobs[i].got[0], jobs[i].got[63]);
        must(clReleaseCommandQueue(jobs[i].queue), "release");
    }
    return 0;
}
