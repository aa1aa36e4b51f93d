/* SPDX-License-Identifier: Apache-2.0
 * Host threads, each with its own context, queue, program and buffers; then all with one context.
 */
#include "corpus.h"
#include <pthread.h>
static const char src[] = "kernel void f(global int *a, int k) { int i = get_global_id(0); for "
                          "(int j = 0; j < 10; j++) a[i] = a[i] * k + j; }\n";
static struct bench shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void work(struct bench *b, int id, int *v)
{
    cl_mem m = buffer(b, 256, v);
    pthread_mutex_lock(&lock);
    cl_kernel k = kernel(b, "f");
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 4; i++) {
        arg(k, 0, sizeof(m), &m);
        arg(k, 1, 4, &id);
        run1(b, k, 64, 16);
    }
    fetch(b, m, 256, v);
    clReleaseMemObject(m);
    clReleaseKernel(k);
}
static int values[8][64];
static void *own(void *p)
{
    int id = *(int *)p;
    struct bench b = open_bench(src, "", 0);
    work(&b, id, values[id]);
    close_bench(&b);
    return NULL;
}
static void *common(void *p)
{
    struct bench b = shared;
    cl_int code;
    int id = *(int *)p;
    b.queue = clCreateCommandQueue(b.context, b.device, 0, &code);
    work(&b, id, values[id]);
    clReleaseCommandQueue(b.queue);
    return NULL;
}
int main(void)
{
    struct bench first = open_bench(
        src, "", 0); /* some implementations fail if two threads make the first call at once */
    pthread_t t[8];
    int id[8];
    for (int i = 0; i < 8; i++)
        id[i] = i;
    for (int i = 0; i < 8; i++)
        pthread_create(&t[i], NULL, own, &id[i]);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
    shared = first;
    for (int i = 0; i < 8; i++)
        pthread_create(&t[i], NULL, common, &id[i]);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 8; i++)
        printf("%d %08x\n", values[i][5], hash_of(values[i], 256));
    return 0;
}
