/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_compile.h"

#include <dlfcn.h>
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "capture/compile/byw_cl_loops.h"
#include "capture/compile/byw_cl_scan.h"
#include "capture/compile/byw_cl_store.h"
#include "capture/compile/byw_cl_workshop.h"
#include "capture/machine/byw_ptxas.h"

#define BYW_CL_SELF "" /* an address in this library, for dladdr() */

/* Identity of this library: another build of the compiler may generate different code. */
static void describe_self(char *text, size_t room)
{
    Dl_info info;
    struct stat file;

    if (dladdr(BYW_CL_SELF, &info) == 0 || stat(info.dli_fname, &file) != 0)
        memset(&file, 0, sizeof(file));
    snprintf(text, room, "%lld %lld %lld", (long long)file.st_size, (long long)file.st_mtim.tv_sec,
             (long long)file.st_mtim.tv_nsec);
}

uint64_t byw_cl_hash_tools(bool traced)
{
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures(), head[4096], self[96];
    char ptxas[BYW_CL_PATH];

    if (!traced || !byw_ptxas(ptxas, sizeof(ptxas)))
        ptxas[0] = '\0';
    describe_self(self, sizeof(self));
    snprintf(head, sizeof(head), "%s %u %s %d %d %d %s %d %s %s", self, BYW_CL_VERSION,
             byw_cl_clang(), traced, byw_cl_loops_are_off(), byw_cl_constant_is_global(), ptxas,
             traced && byw_ptxas_wants_machine(), cpu, features);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return XXH64(head, strlen(head), 0);
}

/* Hash of everything that determines the object. Sources that include files are preprocessed to
 * compute it. */
static enum byw_status hash_inputs(struct byw_cl_workshop *w, const char *source,
                                   const char *options, bool traced, bool made,
                                   char name[BYW_CL_PATH], struct byw_diag *diag)
{
    char *text = NULL;
    size_t size;
    XXH64_hash_t hash;
    enum byw_status status;

    if (strstr(source, "#include") != NULL || strstr(options, "-include") != NULL) {
        status = byw_cl_workshop_front(w, options, BYW_CL_EXPAND, diag);
        if (status != BYW_OK)
            return status;
        text = byw_cl_read_file(w->text, &size);
    }
    status = byw_cl_workshop_prelude(w, text != NULL ? text : source, options, diag);
    hash = XXH64(options, strlen(options), byw_cl_hash_tools(traced) + made);
    hash = XXH64(source, strlen(source), hash);
    if (text != NULL)
        hash = XXH64(text, size, hash);
    snprintf(name, BYW_CL_PATH, "%016llx.so", (unsigned long long)hash);
    free(text);
    return status;
}

enum byw_status byw_cl_compile(const char *source, const char *options, bool traced,
                               byw_cl_maker *maker, struct byw_cl_binary **binary, char **log,
                               struct byw_diag *diag)
{
    struct byw_cl_workshop w;
    struct byw_cl_store store;
    char name[BYW_CL_PATH];
    size_t size;
    enum byw_status status = byw_cl_store_open(&store, diag);

    *log = NULL;
    if (status == BYW_OK)
        status = byw_cl_workshop_open(&w, store.folder, diag);
    if (status != BYW_OK)
        return status;
    status = byw_cl_write_file(w.source, source, strlen(source), diag);
    if (status == BYW_OK)
        status = hash_inputs(&w, source, options, traced, maker != NULL, name, diag);
    if (status == BYW_OK && !byw_cl_store_take(&store, name, binary)) {
        status = byw_cl_workshop_front(&w, options, BYW_CL_BITCODE, diag);
        if (status == BYW_OK)
            status = byw_cl_workshop_back(&w, options, traced, maker, diag);
        if (status == BYW_OK)
            status = byw_cl_store_put(&store, w.object, name, binary, diag);
    }
    *log = byw_cl_read_file(w.errors, &size);
    byw_cl_workshop_close(&w);
    return status;
}
