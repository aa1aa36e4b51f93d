/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources of programs, kept for whoever asked for the capture: the n-th different one is N.cl in
 * the folder of BYWAY_SOURCES; if there is an N.new.cl beside it, the program gets that instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl/byw_capture.h"
#include "opencl/byw_cl.h"
#include "opencl/byw_cl_workshop.h"

enum { PATH_ROOM = 4096, SOURCES_MAX = 64 };

char *byw_cl_source_kept(char *source)
{
    const char *folder = getenv(BYW_CAPTURE_ENV_SOURCES);
    char path[PATH_ROOM];
    size_t size;

    for (int n = 1; source != NULL && folder != NULL && *folder != '\0' && n <= SOURCES_MAX; n++) {
        char *kept, *other;

        snprintf(path, sizeof(path), "%.3900s/%d.cl", folder, n);
        if (access(path, R_OK) != 0) {
            struct byw_diag diag = {""};

            if (byw_cl_write_file(path, source, strlen(source), &diag) != BYW_OK)
                byw_cl_say(diag.text);
            return source;
        }
        kept = byw_cl_read_file(path, &size);
        if (kept == NULL || strcmp(kept, source) != 0) {
            free(kept);
            continue;
        }
        free(kept);
        snprintf(path, sizeof(path), "%.3900s/%d.new.cl", folder, n);
        other = access(path, R_OK) == 0 ? byw_cl_read_file(path, &size) : NULL;
        if (other != NULL)
            free(source);
        return other != NULL ? other : source;
    }
    return source;
}
