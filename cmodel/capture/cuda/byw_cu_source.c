/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/cuda/byw_cu_source.h"
#include "capture/byw_cl_command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "capture/byw_nvcc.h"
#include "capture/compile/byw_cl_compile.h"
#include "capture/compile/byw_cl_workshop.h"
#include "capture/run/byw_cl_process.h"

#define ENV_OPTIONS "BYWAY_NVCC_OPTIONS"
#define WORDS_MOST 64

/* Files of one compilation, in a folder that is removed afterwards. */
struct compilation {
    char folder[PATH_MAX], source[PATH_MAX + 16], ptx[PATH_MAX + 16], errors[PATH_MAX + 16];
};

/* Finds the first file named by a .file directive that ends in .cu; false if there is none. */
static bool find_file(const char *text, char path[PATH_MAX])
{
    for (const char *at = strstr(text, ".file"); at != NULL; at = strstr(at + 1, ".file")) {
        size_t line = strcspn(at, "\n");
        const char *open = memchr(at, '"', line);
        size_t length = open == NULL ? 0 : strcspn(open + 1, "\"\n");

        if (length < 4 || length >= PATH_MAX || memcmp(open + 1 + length - 3, ".cu", 3) != 0)
            continue;
        memcpy(path, open + 1, length);
        path[length] = '\0';
        return true;
    }
    return false;
}

static bool open_compilation(struct compilation *c, const char *source)
{
    const char *parent = getenv(BYW_CAPTURE_ENV_SOURCES);
    struct byw_diag diag = {""};

    snprintf(c->folder, sizeof(c->folder), "%.4000s/nvcc_XXXXXX", parent);
    if (mkdtemp(c->folder) == NULL)
        return false;
    snprintf(c->source, sizeof(c->source), "%s/patched.cu", c->folder);
    snprintf(c->ptx, sizeof(c->ptx), "%s/patched.ptx", c->folder);
    snprintf(c->errors, sizeof(c->errors), "%s/errors", c->folder);
    return byw_cl_write_file(c->source, source, strlen(source), &diag) == BYW_OK;
}

static void close_compilation(const struct compilation *c)
{
    unlink(c->source);
    unlink(c->ptx);
    unlink(c->errors);
    rmdir(c->folder);
}

/* Runs nvcc on the source; path: the original file, whose folder contains the headers. */
static bool compile(struct compilation *c, const char *path, unsigned target)
{
    const char *given = getenv(ENV_OPTIONS), *slash = strrchr(path, '/');
    char nvcc[PATH_MAX], arch[32], include[PATH_MAX + 8],
        *options = strdup(given != NULL ? given : ""), *save;
    char *words[WORDS_MOST + 8];
    int count = 0, status;

    snprintf(arch, sizeof(arch), "-arch=compute_%u", target);
    snprintf(include, sizeof(include), "-I%.*s", slash == NULL ? 1 : (int)(slash - path),
             slash == NULL ? "." : path);
    byw_nvcc_find(nvcc);
    words[count++] = nvcc;
    words[count++] = (char *)(uintptr_t) "-ptx";
    words[count++] = (char *)(uintptr_t) "-lineinfo";
    words[count++] = arch;
    words[count++] = include;
    for (char *word = options == NULL ? NULL : strtok_r(options, " ", &save);
         word != NULL && count < WORDS_MOST; word = strtok_r(NULL, " ", &save))
        words[count++] = word;
    words[count++] = (char *)(uintptr_t) "-o";
    words[count++] = c->ptx;
    words[count++] = c->source;
    words[count] = NULL;
    status = byw_cl_command(words, NULL, NULL, c->errors);
    free(options);
    return status == 0;
}

static void complain(const struct compilation *c, const char *path)
{
    size_t size;
    char *errors = byw_cl_read_file(c->errors, &size);

    byw_cl_say("%s: nvcc cannot compile the patched source; name the options that the program was "
               "compiled with by " ENV_OPTIONS ": %.*s",
               path, errors == NULL ? 0 : (int)strcspn(errors, "\n"), errors == NULL ? "" : errors);
    free(errors);
}

void byw_cu_source_instead(char **text, size_t *length, unsigned target)
{
    const char *folder = getenv(BYW_CAPTURE_ENV_SOURCES);
    char path[PATH_MAX], *source, *changed, *ptx = NULL;
    struct compilation c;
    size_t size;

    if (folder == NULL || *folder == '\0' || !find_file(*text, path))
        return;
    source = byw_cl_read_file(path, &size);
    changed = source != NULL ? byw_cl_source_instead(source, path) : NULL;
    free(source);
    if (changed == NULL)
        return;
    if (open_compilation(&c, changed)) {
        if (compile(&c, path, target))
            ptx = byw_cl_read_file(c.ptx, &size);
        else
            complain(&c, path);
        close_compilation(&c);
    }
    free(changed);
    if (ptx == NULL)
        return;
    free(*text);
    *text = ptx;
    *length = size;
}
