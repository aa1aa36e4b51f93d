/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_spellings PTX - runs each kernel of a file of PTX through byway's CUDA driver and compares
 * what it writes.  A kernel k(out) follows a line "// k: THREADS STEP FIRST TITLE": thread i of
 * THREADS must write STEP * i + FIRST to out[i].  What precedes the first such line begins each
 * module; each kernel is a module of its own.  Prints "ok TITLE" or "not ok TITLE" and what was
 * wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

#define THREADS_MOST 1024
#define TITLE_ROOM 160

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text;
    long size;

    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        exit(1);
    rewind(file);
    text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size)
        exit(1);
    fclose(file);
    return text;
}

/* The first thread with a wrong value; -1: none, -2: the kernel did not run. */
static int run(const char *module_text, unsigned threads, int step, int first, unsigned *value)
{
    static unsigned out[THREADS_MOST];
    CUmodule module;
    CUfunction f;
    CUdeviceptr memory;
    void *args[] = {&memory};
    int wrong = -1;

    memset(out, 0xee, sizeof(out));
    if (cuModuleLoadData(&module, module_text) != 0)
        return -2;
    if (cuModuleGetFunction(&f, module, "k") != 0 || cuMemAlloc_v2(&memory, sizeof(out)) != 0 ||
        cuMemcpyHtoD_v2(memory, out, sizeof(out)) != 0 ||
        cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, args, NULL) != 0 ||
        cuMemcpyDtoH_v2(out, memory, sizeof(out)) != 0)
        wrong = -2;
    for (unsigned i = 0; i < threads && wrong == -1; i++)
        if (out[i] != (unsigned)step * i + (unsigned)first) {
            wrong = (int)i;
            *value = out[i];
        }
    cuModuleUnload(module);
    return wrong;
}

int main(int argc, char **argv)
{
    static const char mark[] = "\n// k: ";
    char *text = argc == 2 ? read_all(argv[1]) : NULL, *at, *next, title[TITLE_ROOM];
    size_t header;
    int bad = 0;

    if (text == NULL || cuInit(0) != 0 || (at = strstr(text, mark)) == NULL)
        return 1;
    header = (size_t)(at - text);
    for (; at != NULL; at = next) {
        unsigned threads = 0, value = 0;
        int step = 0, first = 0, wrong;
        size_t length;
        char *one;

        next = strstr(at + 1, mark);
        length = next == NULL ? strlen(at) : (size_t)(next - at);
        if (sscanf(at, "\n// k: %u %d %d %159[^\n]", &threads, &step, &first, title) != 4 ||
            threads > THREADS_MOST)
            return 1;
        one = calloc(header + length + 1, 1);
        if (one == NULL)
            return 1;
        memcpy(one, text, header);
        memcpy(one + header, at, length);
        wrong = run(one, threads, step, first, &value);
        free(one);
        bad += wrong != -1;
        printf("%s %s\n", wrong == -1 ? "ok" : "not ok", title);
        if (wrong >= 0)
            printf("  thread %d has %u\n", wrong, value);
        if (wrong == -2)
            printf("  did not run\n");
    }
    free(text);
    return bad != 0;
}
