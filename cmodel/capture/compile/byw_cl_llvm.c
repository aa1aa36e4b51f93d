/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;

static void load(void)
{
    library = dlopen(byw_cl_llvm_library, RTLD_NOW | RTLD_LOCAL);
}

void *byw_cl_llvm_find(uint32_t number, void **slots)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    void *function = NULL;

    pthread_once(&once, load);
    if (library != NULL)
        function = dlsym(library, byw_cl_llvm_names[number]);
    if (function == NULL) {
        fprintf(stderr,
                "byway: cannot compile kernels: %s; install LLVM's library again, or build "
                "byway anew\n",
                dlerror());
        abort();
    }
    __atomic_store_n(&slots[number], function, __ATOMIC_RELEASE);
    return function;
}
