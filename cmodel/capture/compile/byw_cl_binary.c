/* SPDX-License-Identifier: Apache-2.0
 *
 * Loaded programs (byw_cl_compile.h).
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "capture/compile/byw_cl_compile.h"
#include "capture/compile/byw_cl_workshop.h"

struct byw_cl_binary {
    void *handle;
    const struct byw_cl_export *export;
    const struct byw_cl_variable *variables; /* NULL: no variables, or none that needs memory */
};

enum byw_status byw_cl_load(const char *path, struct byw_cl_binary **binary, struct byw_diag *diag)
{
    struct byw_cl_binary *b = calloc(1, sizeof(*b));
    const struct byw_cl_variable *variables;
    enum byw_status status;

    if (b == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    b->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (b->handle != NULL)
        b->export = dlsym(b->handle, BYW_CL_EXPORT);
    if (b->export == NULL) {
        byw_diag_set(diag, BYW_EFORMAT, "%s: not a compiled program: %s", path, dlerror());
        byw_cl_binary_free(b);
        return BYW_EFORMAT;
    }
    b->export->item[BYW_CL_FRAME] = (uint64_t)(uintptr_t)dlsym(b->handle, BYW_CL_FRAME_SYMBOL);
    variables = dlsym(b->handle, BYW_CL_VARIABLES);
    status = byw_cl_variables_take(variables, diag);
    if (status != BYW_OK) {
        byw_cl_binary_free(b);
        return status;
    }
    b->variables = variables;
    *binary = b;
    return BYW_OK;
}

void *byw_cl_binary_symbol(const struct byw_cl_binary *binary, const char *name)
{
    return dlsym(binary->handle, name);
}

void byw_cl_binary_free(struct byw_cl_binary *binary)
{
    if (binary == NULL)
        return;
    byw_cl_variables_give(binary->variables);
    if (binary->handle != NULL)
        dlclose(binary->handle);
    free(binary);
}

const struct byw_cl_export *byw_cl_binary_export(const struct byw_cl_binary *binary)
{
    return binary->export;
}

const struct byw_cl_export_kernel *byw_cl_binary_kernel(const struct byw_cl_binary *binary,
                                                        unsigned index)
{
    const unsigned char *table = (const unsigned char *)binary->export;

    return (const struct byw_cl_export_kernel *)(const void *)(table +
                                                               sizeof(struct byw_cl_export)) +
           index;
}
