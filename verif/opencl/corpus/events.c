/* SPDX-License-Identifier: Apache-2.0
 * User events, wait lists, callbacks, profiling, markers and barriers, an out-of-order queue. */
#include "corpus.h"
static const char src[] = "kernel void add(global int *a, int v) { a[get_global_id(0)] = "
                          "a[get_global_id(0)] * 2 + v; }\n";
static int called;
static void CL_CALLBACK note(cl_event e, cl_int status, void *data)
{
    (void)e;
    called += status == CL_COMPLETE ? *(int *)data : -100;
}
static cl_int status_of(cl_event e)
{
    cl_int s;
    must(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(s), &s, NULL), "status");
    return s;
}
int main(void)
{
    struct bench b =
        open_bench(src, NULL, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    int zero[64] = {0}, got[64], one = 1, three = 3, ten = 10;
    size_t n = 64;
    cl_int code;
    cl_ulong t[4];
    cl_mem m = buffer(&b, sizeof(zero), zero);
    cl_kernel k = kernel(&b, "add");
    cl_event user = clCreateUserEvent(b.context, &code), e[4];
    must(code, "clCreateUserEvent");
    arg(k, 0, sizeof(m), &m);
    arg(k, 1, sizeof(one), &one);
    must(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &n, NULL, 1, &user, &e[0]), "first");
    arg(k, 1, sizeof(three), &three); /* the first launch keeps its 1 */
    must(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &n, NULL, 1, &e[0], &e[1]), "second");
    must(clEnqueueReadBuffer(b.queue, m, CL_FALSE, 0, sizeof(got), got, 1, &e[1], &e[2]), "read");
    must(clSetEventCallback(e[2], CL_COMPLETE, note, &ten), "callback");
    must(clEnqueueMarkerWithWaitList(b.queue, 1, &e[2], &e[3]), "marker");
    must(clFlush(b.queue), "flush");
    printf("waiting %d %d\n", status_of(e[0]) > CL_COMPLETE, status_of(user) == CL_SUBMITTED);
    must(clSetUserEventStatus(user, CL_COMPLETE), "set");
    printf("again %d\n", clSetUserEventStatus(user, CL_COMPLETE) == CL_INVALID_OPERATION);
    must(clWaitForEvents(4, e), "wait");
    must(clFinish(b.queue), "finish");
    printf("%d %d %d\n", got[0], got[63], status_of(e[3]));
    for (int i = 0; i < 4; i++)
        must(
            clGetEventProfilingInfo(e[1], CL_PROFILING_COMMAND_QUEUED + (cl_uint)i, 8, &t[i], NULL),
            "profile");
    printf("ordered %d\n", t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]);
    cl_event bad = clCreateUserEvent(b.context, &code), after;
    must(clEnqueueReadBuffer(b.queue, m, CL_FALSE, 0, 4, got, 1, &bad, &after), "read");
    must(clSetUserEventStatus(bad, -7), "fail");
    printf("failed %d\n",
           clWaitForEvents(1, &after) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    printf("negative %d\n", status_of(after) < 0);
    must(clEnqueueBarrier(b.queue), "barrier");
    for (int i = 0; i < 4; i++)
        must(clReleaseEvent(e[i]), "release");
    printf("called %d\n", called);
    return 0;
}
