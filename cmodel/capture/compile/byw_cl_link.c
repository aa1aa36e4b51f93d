/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of several sources: clCompileProgram's objects are bitcode, which clLinkProgram joins,
 * optimises together and turns into host code.
 */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/compile/byw_cl_compile.h"
#include "capture/compile/byw_cl_store.h"
#include "capture/compile/byw_cl_workshop.h"

/* Folder of the headers inside the workshop. */
static void header_path(const struct byw_cl_workshop *w, const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/headers/%s", w->folder, name);
}

/* Creates (or removes) the folders above a header; names that lead out of the folder are
 * refused. */
static bool header_folders(char *path, size_t from, bool make)
{
    char *end = path + strlen(path);

    if (strstr(path + from, "..") != NULL)
        return false;
    if (make)
        for (char *c = path + from; *c != '\0'; c++)
            if (*c == '/') {
                *c = '\0';
                mkdir(path, 0777);
                *c = '/';
            }
    for (char *c = end; !make && c > path + from; c--)
        if (*c == '/') {
            *c = '\0';
            rmdir(path);
        }
    return true;
}

static enum byw_status put_headers(const struct byw_cl_workshop *w,
                                   const struct byw_cl_header *header, size_t count,
                                   struct byw_diag *diag)
{
    char path[2 * BYW_CL_PATH];
    enum byw_status status = BYW_OK;

    for (size_t i = 0; i < count && status == BYW_OK; i++) {
        header_path(w, header[i].name, path, sizeof(path));
        if (!header_folders(path, strlen(w->folder) + 1, true))
            return byw_diag_set(diag, BYW_EFORMAT, "%s: not a valid header name", header[i].name);
        status = byw_cl_write_file(path, header[i].text, strlen(header[i].text), diag);
    }
    return status;
}

static void remove_headers(const struct byw_cl_workshop *w, const struct byw_cl_header *header,
                           size_t count)
{
    char path[2 * BYW_CL_PATH];

    for (size_t i = 0; i < count; i++) {
        header_path(w, header[i].name, path, sizeof(path));
        unlink(path);
        header_folders(path, strlen(w->folder) + 1, false);
    }
}

/* The choice of prelude depends on the text with its headers included. */
static enum byw_status compile(struct byw_cl_workshop *w, const char *options,
                               struct byw_cl_object_code *object, struct byw_diag *diag)
{
    enum byw_status status = byw_cl_workshop_front(w, options, BYW_CL_EXPAND, diag);
    char *text;

    if (status != BYW_OK)
        return status;
    text = byw_cl_read_file(w->text, &object->size);
    status = text == NULL ? byw_diag_set(diag, BYW_ENOMEM, "out of memory")
                          : byw_cl_workshop_prelude(w, text, options, diag);
    free(text);
    if (status == BYW_OK)
        status = byw_cl_workshop_front(w, options, BYW_CL_OBJECT, diag);
    if (status != BYW_OK)
        return status;
    object->data = byw_cl_read_file(w->bitcode, &object->size);
    return object->data != NULL ? BYW_OK : byw_diag_set(diag, BYW_ENOMEM, "out of memory");
}

enum byw_status byw_cl_compile_object(const char *source, const char *options,
                                      const struct byw_cl_header *header, size_t headers,
                                      struct byw_cl_object_code *object, char **log,
                                      struct byw_diag *diag)
{
    struct byw_cl_workshop w;
    struct byw_cl_store store;
    char *all;
    size_t size = strlen(options) + BYW_CL_PATH + 32;
    enum byw_status status = byw_cl_store_open(&store, diag);

    *log = NULL;
    if (status == BYW_OK)
        status = byw_cl_workshop_open(&w, store.folder, diag);
    if (status != BYW_OK)
        return status;
    all = malloc(size);
    status = all == NULL ? byw_diag_set(diag, BYW_ENOMEM, "out of memory")
                         : byw_cl_write_file(w.source, source, strlen(source), diag);
    if (status == BYW_OK)
        status = put_headers(&w, header, headers, diag);
    if (status == BYW_OK) {
        snprintf(all, size, "-I\"%s/headers\" %s", w.folder, options);
        status = compile(&w, all, object, diag);
    }
    *log = byw_cl_read_file(w.errors, &size);
    remove_headers(&w, header, headers);
    byw_cl_workshop_close(&w);
    free(all);
    return status;
}

/* Stores LLVM's message about an object that cannot be linked. */
static void note_message(LLVMDiagnosticInfoRef info, void *data)
{
    struct byw_diag *diag = data;
    char *text = LLVMGetDiagInfoDescription(info);

    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        byw_diag_set(diag, BYW_EFORMAT, "the objects do not link: %s", text);
    LLVMDisposeMessage(text);
}

static LLVMModuleRef parse(LLVMContextRef context, const struct byw_cl_object_code *object)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(object->data, object->size, "object");
    LLVMModuleRef module = NULL;

    if (LLVMParseBitcodeInContext2(context, buffer, &module))
        module = NULL;
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

/* Links another object, or the library, into *whole. */
static enum byw_status add(LLVMContextRef context, LLVMModuleRef *whole,
                           const struct byw_cl_object_code *object, struct byw_diag *diag)
{
    LLVMModuleRef module = parse(context, object);

    if (module == NULL)
        return byw_diag_set(diag, BYW_EFORMAT, "an object is not bitcode of this LLVM");
    if (*whole == NULL)
        *whole = module;
    else if (LLVMLinkModules2(*whole, module)) /* which frees `module` */
        return BYW_EFORMAT;
    return BYW_OK;
}

static enum byw_status add_library(LLVMContextRef context, LLVMModuleRef *whole,
                                   struct byw_diag *diag)
{
    struct byw_cl_object_code library;
    enum byw_status status;

    library.data = byw_cl_read_file(byw_cl_library(), &library.size);
    if (library.data == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    status = add(context, whole, &library, diag);
    free(library.data);
    return status;
}

/* Links the objects into *result, and the result with the library into the file w->text. */
static enum byw_status join(struct byw_cl_workshop *w, const struct byw_cl_object_code *const *list,
                            size_t count, struct byw_cl_object_code *result, struct byw_diag *diag)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef whole = NULL;
    enum byw_status status = BYW_OK;

    LLVMContextSetDiagnosticHandler(context, note_message, diag);
    for (size_t i = 0; i < count && status == BYW_OK; i++)
        status = add(context, &whole, list[i], diag);
    if (status == BYW_OK && LLVMWriteBitcodeToFile(whole, w->text) != 0)
        status = byw_diag_set(diag, BYW_EIO, "%s: cannot write", w->text);
    if (status == BYW_OK) {
        result->data = byw_cl_read_file(w->text, &result->size);
        status = result->data == NULL ? byw_diag_set(diag, BYW_ENOMEM, "out of memory")
                                      : add_library(context, &whole, diag);
    }
    if (status == BYW_OK && LLVMWriteBitcodeToFile(whole, w->text) != 0)
        status = byw_diag_set(diag, BYW_EIO, "%s: cannot write", w->text);
    if (whole != NULL)
        LLVMDisposeModule(whole);
    LLVMContextDispose(context);
    return status;
}

enum byw_status byw_cl_link(const struct byw_cl_object_code *const *list, size_t count, bool traced,
                            struct byw_cl_object_code *whole, struct byw_cl_binary **binary,
                            char **log, struct byw_diag *diag)
{
    struct byw_cl_workshop w;
    struct byw_cl_store store;
    size_t size;
    enum byw_status status = byw_cl_store_open(&store, diag);

    *log = NULL;
    if (status == BYW_OK)
        status = byw_cl_workshop_open(&w, store.folder, diag);
    if (status != BYW_OK)
        return status;
    status = join(&w, list, count, whole, diag);
    if (binary == NULL) {
        byw_cl_workshop_close(&w);
        return status;
    }
    if (status == BYW_OK)
        status = byw_cl_workshop_optimise(&w, diag);
    if (status == BYW_OK)
        status = byw_cl_workshop_back(&w, NULL, traced, NULL, diag);
    if (status == BYW_OK) /* once loaded, the file can be removed */
        status = byw_cl_load(w.object, binary, diag);
    *log = byw_cl_read_file(w.errors, &size);
    byw_cl_workshop_close(&w);
    return status;
}
