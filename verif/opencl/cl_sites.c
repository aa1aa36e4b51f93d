/* SPDX-License-Identifier: Apache-2.0
 *
 * cl_sites.c - counts the accesses to private arrays in compiled kernels.
 *
 *     cl_sites OBJECT.so ...
 *
 * Objects are those of BYWAY_CACHE. Prints a line "KERNEL COUNT" for each kernel, launched or not;
 * COUNT: instructions of class local_load and local_store.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "capture/run/byw_cl_code.h"

static unsigned count_local(const struct byw_cl_code *code)
{
    const struct byw_cl_slot *slot = byw_cl_code_at(code, code->slot_at);
    unsigned count = 0;

    for (uint32_t i = 0; i < code->slots; i++)
        count +=
            slot[i].proto.cls == BYW_CLASS_LOCAL_LOAD || slot[i].proto.cls == BYW_CLASS_LOCAL_STORE;
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        void *object = dlopen(argv[i], RTLD_LAZY | RTLD_LOCAL);
        const struct byw_cl_export *export = object == NULL ? NULL : dlsym(object, BYW_CL_EXPORT);
        const struct byw_cl_export_kernel *kernel = (const void *)(export + 1);

        if (export == NULL) {
            fprintf(stderr, "cl_sites: %s: not a compiled program\n", argv[i]);
            return 2;
        }
        for (uint64_t k = 0; k < export->kernels; k++)
            printf("%s %u\n", kernel[k].code->name, count_local(kernel[k].code));
        dlclose(object);
    }
    return 0;
}
