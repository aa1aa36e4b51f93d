/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_ends.c - an OpenCL program that ends, forks or shares objects in the way named by its
 * argument.
 *
 *     cl_ends MODE
 *
 * See modes[] below. Exit status 0 unless the mode says otherwise, 3 on an OpenCL error.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 256
#define ROUNDS 20

struct device {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
};

static const char source[] = "kernel void add(global int *a, int n)\n"
                             "{ int i = get_global_id(0), s = a[i];\n"
                             "  for (int k = 0; k < n; k++) s = s * 1103515245 + 12345 + k;\n"
                             "  a[i] = n == 1 ? a[i] + 1 : s; }\n";

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "cl_ends: %s: error %d\n", call, code);
    exit(3);
}

static void open_queue(struct device *d)
{
    cl_device_id id;
    cl_int code;

    check(clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
    d->queue = clCreateCommandQueue(d->context, id, 0, &code);
    check(code, "clCreateCommandQueue");
}

static void open_device(struct device *d)
{
    const char *text = source;
    cl_platform_id platform;
    cl_device_id id;
    cl_int code;
    int zero[ITEMS] = {0};

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
    d->context = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    check(code, "clCreateContext");
    open_queue(d);
    d->program = clCreateProgramWithSource(d->context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(d->program, 1, &id, "", NULL, NULL), "clBuildProgram");
    d->kernel = clCreateKernel(d->program, "add", &code);
    check(code, "clCreateKernel");
    d->buffer = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, sizeof(zero), zero, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(d->kernel, 0, sizeof(d->buffer), &d->buffer), "clSetKernelArg");
}

static cl_int launch(struct device *d, int n)
{
    size_t items = ITEMS;

    check(clSetKernelArg(d->kernel, 1, sizeof(n), &n), "clSetKernelArg");
    return clEnqueueNDRangeKernel(d->queue, d->kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
}

static void expect(struct device *d, int value)
{
    int got[ITEMS];

    check(clEnqueueReadBuffer(d->queue, d->buffer, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < ITEMS; i++)
        if (got[i] != value) {
            fprintf(stderr, "cl_ends: item %d is %d, expected %d\n", i, got[i], value);
            exit(4);
        }
}

static void *run_rounds(void *argument)
{
    struct device *d = argument;

    for (int r = 0; r < ROUNDS; r++)
        check(launch(d, 1), "clEnqueueNDRangeKernel");
    expect(d, ROUNDS);
    return NULL;
}

static void *run_long(void *argument)
{
    check(launch(argument, 1 << 14), "clEnqueueNDRangeKernel");
    return NULL;
}

static int fork_idle(struct device *d)
{
    pid_t child;
    int status;

    check(launch(d, 1), "clEnqueueNDRangeKernel");
    child = fork();
    if (child == 0)
        exit(0); /* flushes its output and runs the handlers that the parent registered */
    waitpid(child, &status, 0);
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    expect(d, 2);
    return status;
}

static int fork_and_launch(struct device *d)
{
    pid_t child;
    int status;

    check(launch(d, 1), "clEnqueueNDRangeKernel");
    child = fork();
    if (child == 0)
        exit(launch(d, 1) == CL_SUCCESS);
    waitpid(child, &status, 0);
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    return status;
}

static int two_threads(struct device *d)
{
    struct device other;
    pthread_t thread[2];

    open_device(&other);
    pthread_create(&thread[0], NULL, run_rounds, d);
    pthread_create(&thread[1], NULL, run_rounds, &other);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}

static int three_contexts(struct device *d)
{
    struct device more[2];

    open_device(&more[0]);
    open_device(&more[1]);
    for (int r = 0; r < ROUNDS; r++) {
        check(launch(d, 1), "clEnqueueNDRangeKernel");
        check(launch(&more[r % 2], 1), "clEnqueueNDRangeKernel");
    }
    expect(d, ROUNDS);
    expect(&more[0], ROUNDS / 2);
    clReleaseContext(more[0].context);
    return 0;
}

/* 64 groups each: too short to be worth waking a second thread. */
static int many_small(struct device *d)
{
    const size_t items = ITEMS, group = 4;
    struct rusage before, after;
    int n = 1;

    check(clSetKernelArg(d->kernel, 1, sizeof(n), &n), "clSetKernelArg");
    getrusage(RUSAGE_SELF, &before);
    for (int r = 0; r < 20 * ROUNDS; r++)
        check(clEnqueueNDRangeKernel(d->queue, d->kernel, 1, NULL, &items, &group, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
    getrusage(RUSAGE_SELF, &after);
    expect(d, 20 * ROUNDS);
    if (after.ru_nvcsw - before.ru_nvcsw < 10 * ROUNDS)
        return 0;
    fprintf(stderr, "cl_ends: waited %ld times in %d launches\n", after.ru_nvcsw - before.ru_nvcsw,
            20 * ROUNDS);
    return 4;
}

static int leave(struct device *d)
{
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    exit(0);
}

static int leave_quickly(struct device *d)
{
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    quick_exit(0);
}

static int leave_while_running(struct device *d)
{
    pthread_t thread;

    check(launch(d, 1), "clEnqueueNDRangeKernel");
    pthread_create(&thread, NULL, run_long, d);
    usleep(200000);
    exit(0);
}

static int leave_at_once(struct device *d)
{
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    _exit(0);
}

static int end_by_abort(struct device *d)
{
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    abort();
}

static void on_alarm(int signal)
{
    (void)signal;
    exit(0);
}

static int exit_in_kernel(struct device *d)
{
    signal(SIGALRM, on_alarm);
    alarm(1);
    check(launch(d, 1 << 28), "clEnqueueNDRangeKernel"); /* runs for minutes, so that the signal
                                                            arrives during the launch */
    return 0;
}

/* Says "ready" and waits for a signal, for t_killed.sh. */
static int sleep_on(struct device *d)
{
    check(launch(d, 1), "clEnqueueNDRangeKernel");
    puts("ready");
    fflush(stdout);
    sleep(30);
    return 0;
}

static const struct mode {
    const char *name;
    int (*run)(struct device *);
} modes[] = {
    {"leave", leave}, /* exit() without releasing anything */
    {"fork", fork_idle}, /* a child that only exits, between two launches */
    /* a child that launches: an error in the child, 2 launches in the parent */
    {"fork-launch", fork_and_launch},
    {"threads", two_threads}, /* two threads, contexts and queues: 2 x ROUNDS launches */
    {"small", many_small}, /* 20 x ROUNDS launches, most of which need not wait */
    {"contexts", three_contexts}, /* three contexts in turn: 2 x ROUNDS launches */
    {"quick", leave_quickly}, /* quick_exit() */
    {"running", leave_while_running}, /* exit() after a launch, while another thread's runs */
    {"handler", exit_in_kernel}, /* exit() from a signal handler, in a kernel */
    {"_exit", leave_at_once}, /* exit handlers do not run */
    {"abort", end_by_abort},
    {"sleep", sleep_on}, /* says "ready", then waits for a signal */
};

int main(int argc, char **argv)
{
    struct device d;

    if (argc == 2 && strcmp(argv[1], "children") == 0) { /* two processes of one program */
        for (int c = 0; c < 2; c++)
            if (fork() == 0) {
                open_device(&d);
                return launch(&d, 1) != CL_SUCCESS;
            }
        while (wait(NULL) > 0)
            continue;
        return 0;
    }
    for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++)
        if (strcmp(modes[i].name, argv[1]) == 0) {
            open_device(&d);
            return modes[i].run(&d);
        }
    fputs("cl_ends: no such mode\n", stderr);
    return 2;
}
