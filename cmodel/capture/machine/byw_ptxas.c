/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_ptxas.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "capture/byw_cl_command.h"
#include "capture/byw_toolkit.h"

#define WHEEL "/lib/python3*/*-packages/nvidia/*/bin/" /* in the prefix of a Python */
#define MESSAGE_ROOM 400

/* The first file that matches PREFIX/WHEEL/TOOL and can be run. */
static bool in_wheel(const char *prefix, const char *tool, char *path, size_t room)
{
    char pattern[PATH_MAX];
    bool found = false;
    glob_t list;

    if ((size_t)snprintf(pattern, sizeof(pattern), "%s" WHEEL "%s", prefix, tool) >=
            sizeof(pattern) ||
        glob(pattern, 0, NULL, &list) != 0)
        return false;
    for (size_t i = 0; !found && i < list.gl_pathc; i++)
        found =
            (size_t)snprintf(path, room, "%s", list.gl_pathv[i]) < room && access(path, X_OK) == 0;
    globfree(&list);
    return found;
}

/* The wheel of an active virtual environment, of the user, of the system, or of pyenv. */
bool byw_ptxas_wheel(const char *tool, char *path, size_t room)
{
    const char *environment = getenv("VIRTUAL_ENV"), *home = getenv("HOME");
    char prefix[PATH_MAX];

    if (environment != NULL && *environment != '\0' && in_wheel(environment, tool, path, room))
        return true;
    if (home != NULL && *home == '/') {
        snprintf(prefix, sizeof(prefix), "%s/.local", home);
        if (in_wheel(prefix, tool, path, room))
            return true;
        snprintf(prefix, sizeof(prefix), "%s/.pyenv/versions/*", home);
        if (in_wheel(prefix, tool, path, room))
            return true;
    }
    return in_wheel("/usr/local", tool, path, room) || in_wheel("/usr", tool, path, room);
}

bool byw_ptxas(char *path, size_t room)
{
    const char *named = getenv(BYW_CAPTURE_ENV_PTXAS);
    char found[PATH_MAX];

    if (named != NULL && named[0] != '\0') {
        snprintf(path, room, "%s", named);
        return strcmp(named, "off") != 0 && access(path, X_OK) == 0;
    }
    if (byw_toolkit_find("ptxas", found))
        return (size_t)snprintf(path, room, "%s", found) < room;
    return byw_ptxas_wheel("ptxas", path, room);
}

uint32_t byw_ptxas_registers(const char *report, const char *kernel)
{
    char entry[256];
    const char *at = NULL;

    snprintf(entry, sizeof(entry), "entry function '%s'", kernel);
    if (report != NULL)
        at = strstr(report, entry);
    if (at != NULL)
        at = strstr(at, "Used ");
    return at != NULL ? (uint32_t)strtoul(at + strlen("Used "), NULL, 10) : 0;
}

static enum byw_status write_text(const char *path, const struct byw_numbering *ptx,
                                  struct byw_diag *diag)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(ptx->text, 1, ptx->length, file) == ptx->length;

    if (file != NULL && fclose(file) != 0)
        good = false;
    return good ? BYW_OK : byw_diag_set(diag, BYW_EIO, "%s: %s", path, strerror(errno));
}

static enum byw_status read_file(const char *path, void **data, size_t *size, struct byw_diag *diag)
{
    FILE *file = fopen(path, "rb");
    long length = -1;

    *data = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length > 0)
        *data = malloc((size_t)length);
    if (*data != NULL) {
        rewind(file);
        *size = fread(*data, 1, (size_t)length, file);
    }
    if (file != NULL)
        fclose(file);
    return *data != NULL && *size == (size_t)length
               ? BYW_OK
               : byw_diag_set(diag, BYW_EIO, "%s: cannot read what the assembler wrote", path);
}

/* The assembler's first message, without its end of line. */
static void first_message(const char *path, char message[MESSAGE_ROOM])
{
    FILE *file = fopen(path, "r");

    message[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(message, MESSAGE_ROOM, file) != NULL)
        message[strcspn(message, "\n")] = '\0';
    fclose(file);
}

enum byw_status byw_ptxas_assemble(const struct byw_numbering *ptx, const char *kernel,
                                   const char *folder, void **file, size_t *size,
                                   struct byw_diag *diag)
{
    char ptxas[PATH_MAX], input[PATH_MAX], output[PATH_MAX], errors[PATH_MAX];
    char arch[sizeof(ptx->target)], message[MESSAGE_ROOM];
    char *const argv[] = {ptxas,
                          "-lineinfo",
                          "-arch",
                          arch,
                          input,
                          "-o",
                          output,
                          kernel == NULL ? NULL : "-e",
                          (char *)(uintptr_t)kernel,
                          NULL};
    enum byw_status status;

    *file = NULL;
    if (!byw_ptxas(ptxas, sizeof(ptxas)))
        return byw_diag_set(diag, BYW_ENOENT,
                            "no ptxas in $CUDA_HOME/bin, $PATH, /usr/local/cuda/bin or a Python "
                            "environment; `make deps-cuda` gets one without root, or name yours "
                            "with BYWAY_PTXAS");
    memcpy(arch, ptx->target, sizeof(arch));
    if ((size_t)snprintf(input, sizeof(input), "%s/machine.ptx", folder) >= sizeof(input) ||
        (size_t)snprintf(output, sizeof(output), "%s/machine.cubin", folder) >= sizeof(output) ||
        (size_t)snprintf(errors, sizeof(errors), "%s/machine.errors", folder) >= sizeof(errors))
        return byw_diag_set(diag, BYW_EINVAL, "%s: the path is too long", folder);
    status = write_text(input, ptx, diag);
    if (status == BYW_OK && byw_cl_command(argv, NULL, NULL, errors) != 0) {
        first_message(errors, message);
        status = byw_diag_set(diag, BYW_EFORMAT, "ptxas refuses the PTX: %s", message);
    }
    if (status == BYW_OK)
        status = read_file(output, file, size, diag);
    unlink(input);
    unlink(output);
    unlink(errors);
    return status;
}

enum byw_status byw_ptxas_machine(const struct byw_numbering *ptx, const char *kernel,
                                  const char *folder, struct byw_cubin *cubin,
                                  struct byw_diag *diag)
{
    enum byw_status status;
    const char *name;
    void *file;
    size_t size;

    *cubin = (struct byw_cubin){0};
    status = byw_ptxas_assemble(ptx, kernel, folder, &file, &size, diag);
    if (status == BYW_OK)
        status = byw_cubin_read(file, size, cubin, diag);
    free(file);
    for (uint32_t c = 0; c < cubin->count; c++) {
        struct byw_machine_inst *inst = (struct byw_machine_inst *)cubin->code[c].machine.inst;

        for (uint32_t i = 0; i < cubin->code[c].machine.count; i++)
            inst[i].source = byw_numbering_line(ptx, inst[i].line, &name);
    }
    return status;
}

bool byw_ptxas_wants_machine(void)
{
    const char *wish = getenv(BYW_CAPTURE_ENV_MACHINE);
    char path[PATH_MAX];

    return (wish == NULL || strcmp(wish, "off") != 0) && byw_ptxas(path, sizeof(path));
}
