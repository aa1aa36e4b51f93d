/* SPDX-License-Identifier: Apache-2.0
 * Callbacks: of builds, of events at each status, of memory objects in reverse order; a chain of
 * commands behind user events, one of which fails. */
#include "corpus.h"
#include <unistd.h>
static volatile int seen[8];
static char order[8];
static int last;
static void CL_CALLBACK built(cl_program p, void *data)
{
    seen[0] = *(int *)data;
}
static void CL_CALLBACK done(cl_event e, cl_int status, void *data)
{
    __sync_fetch_and_add(&seen[(size_t)data], status == CL_COMPLETE ? 1 : status < 0 ? 100 : 1);
}
static void CL_CALLBACK gone(cl_mem m, void *data)
{
    order[last++] = *(char *)data;
}
static void CL_CALLBACK trouble(const char *text, const void *p, size_t n, void *data)
{
}
int main(void)
{
    struct bench b = open_bench(NULL, NULL, 0);
    cl_int code;
    int nine = 9;
    const char *src = "kernel void f(global int *a) { a[0]++; }";
    cl_context c = clCreateContext(NULL, 1, &b.device, trouble, &nine, &code);
    must(code, "context");
    cl_program p = clCreateProgramWithSource(b.context, 1, &src, NULL, &code);
    must(clBuildProgram(p, 1, &b.device, NULL, built, &nine), "build");
    for (int i = 0; i < 1000 && seen[0] == 0; i++)
        usleep(1000);
    printf("built %d\n", seen[0]);
    b.program = p;
    cl_mem m = buffer(&b, 4, "\0\0\0");
    clSetMemObjectDestructorCallback(m, gone, "a");
    clSetMemObjectDestructorCallback(m, gone, "b");
    clSetMemObjectDestructorCallback(m, gone, "c");
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(m), &m);
    cl_event user = clCreateUserEvent(b.context, &code), e[4];
    size_t one = 1;
    must(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &one, NULL, 1, &user, &e[0]), "first");
    must(clSetEventCallback(e[0], CL_COMPLETE, done, (void *)1), "callback");
    must(clSetEventCallback(e[0], CL_COMPLETE, done, (void *)1), "again");
    must(clSetEventCallback(user, CL_COMPLETE, done, (void *)2), "user");
    must(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &one, NULL, 1, &e[0], &e[1]), "second");
    cl_int status;
    clGetEventInfo(e[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
    printf("%d %d %d\n", status > CL_COMPLETE, seen[1], seen[2]);
    must(clSetUserEventStatus(user, CL_COMPLETE), "set");
    printf("%d\n", clSetUserEventStatus(user, CL_COMPLETE));
    must(clFinish(b.queue), "finish");
    for (int i = 0; i < 1000 && (seen[1] != 2 || seen[2] != 1); i++)
        usleep(1000);
    int v;
    fetch(&b, m, 4, &v);
    printf("%d %d %d\n", seen[1], seen[2], v);
    cl_command_type type;
    clGetEventInfo(e[0], CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
    printf("%d\n", type == CL_COMMAND_NDRANGE_KERNEL);
    clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
    printf("%d\n", type == CL_COMMAND_USER);
    clReleaseEvent(user), clReleaseEvent(e[0]), clReleaseEvent(e[1]);
    clReleaseKernel(k);
    clReleaseMemObject(m);
    close_bench(&b);
    printf("%s\n", order);
    clReleaseContext(c);
    return 0;
}
