/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_static: a program that contains functions named like the CUDA runtime's, as programs do that
 * nvcc links statically.  These functions all fail; in a capture, byway's are called in
 * their place. With an argument, the program calls the functions of the library with that
 * path.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

#ifndef FAILS
#define FAILS 999
#endif

/* Files that contain kernels have this section; only in such files does byway search for the
 * runtime by its code. */
__attribute__((section(".nv_fatbin"), used)) static const int kernels = 1;

int cudaGetDeviceProperties(void *properties, int device); /* makes it CUDA 13 */
int cudaGetDeviceProperties(void *properties, int device)
{
    return properties != NULL && device >= 0 ? FAILS : FAILS + 1;
}

int cudaMalloc(void **memory, size_t size);
int cudaMalloc(void **memory, size_t size)
{
    *memory = NULL;
    return size > 0 ? FAILS : FAILS + 1;
}

/* A function with a CUDA name that byway's runtime does not have is not replaced. */
int cudaOfMine(int value);
int cudaOfMine(int value)
{
    return value + 1 + (value > 1000 ? 1 : 0) * (value > 2000 ? 2 : 3);
}

int main(int argc, char **argv)
{
    int (*allocate)(void **, size_t) = cudaMalloc;
    void *memory = NULL, *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int error;

    if (library != NULL)
        allocate = (int (*)(void **, size_t))dlsym(library, "cudaMalloc");
    error = allocate(&memory, 100);
    printf("%d %s %d\n", error, memory != NULL ? "memory" : "none", cudaOfMine(41));
    return 0;
}
