/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores sources of programs on request: the n-th different source that is built becomes N.cl in
 * the folder of BYWAY_SOURCES; if N.new.cl exists, it is built instead. If a text came from a
 * file, N.path has its path. Queries still return the program's own source and binary, so a
 * program that stores its binaries does not store a replaced one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "capture/compile/byw_cl_compile.h"
#include "capture/compile/byw_cl_workshop.h"
#include "capture/run/byw_cl_process.h"

enum { PATH_ROOM = 4096, SOURCES_MAX = 64 };

/* Stores a text, and the path of its file if known, as number n. */
static void keep(const char *folder, int n, const char *source, const char *file)
{
    char path[PATH_ROOM];
    struct byw_diag diag = {""};

    snprintf(path, sizeof(path), "%.3900s/%d.cl", folder, n);
    if (byw_cl_write_file(path, source, strlen(source), &diag) != BYW_OK)
        byw_cl_say("%s", diag.text);
    snprintf(path, sizeof(path), "%.3900s/%d.path", folder, n);
    if (file != NULL && byw_cl_write_file(path, file, strlen(file), &diag) != BYW_OK)
        byw_cl_say("%s", diag.text);
}

char *byw_cl_source_instead(const char *source, const char *file)
{
    const char *folder = getenv(BYW_CAPTURE_ENV_SOURCES);
    char path[PATH_ROOM];
    size_t size;

    for (int n = 1; folder != NULL && *folder != '\0' && n <= SOURCES_MAX; n++) {
        bool same;
        char *kept;

        snprintf(path, sizeof(path), "%.3900s/%d.cl", folder, n);
        if (access(path, R_OK) != 0) {
            keep(folder, n, source, file);
            return NULL;
        }
        kept = byw_cl_read_file(path, &size);
        same = kept != NULL && strcmp(kept, source) == 0;
        free(kept);
        snprintf(path, sizeof(path), "%.3900s/%d.new.cl", folder, n);
        if (same)
            return access(path, R_OK) == 0 ? byw_cl_read_file(path, &size) : NULL;
    }
    return NULL;
}
