/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_ptxas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "capture/compile/byw_cl_compile.h"

#define MORE_FOLDERS ":/usr/local/cuda/bin"

bool byw_cl_ptxas(char *path)
{
    const char *named = getenv(BYW_CAPTURE_ENV_PTXAS), *folders = getenv("PATH");
    char list[8 * BYW_CL_PATH], *rest = list;
    bool found = false;

    if (named != NULL && named[0] != '\0') {
        snprintf(path, BYW_CL_PATH, "%s", named);
        return strcmp(named, "off") != 0 && access(path, X_OK) == 0;
    }
    snprintf(list, sizeof(list), "%s%s", folders != NULL ? folders : "", MORE_FOLDERS);
    for (char *folder; !found && (folder = strsep(&rest, ":")) != NULL;)
        found = folder[0] == '/' && snprintf(path, BYW_CL_PATH, "%s/ptxas", folder) < BYW_CL_PATH &&
                access(path, X_OK) == 0;
    return found;
}

char *byw_cl_ptxas_report(const struct byw_cl_workshop *w)
{
    char path[BYW_CL_PATH], input[sizeof(w->ptx)];
    char *const argv[] = {path, "-v", "-arch=sm_90", input, "-o", "/dev/null", NULL};
    size_t size;

    snprintf(input, sizeof(input), "%s", w->ptx);
    if (!byw_cl_ptxas(path) || byw_cl_command(argv, NULL, NULL, w->report) != 0)
        return NULL;
    return byw_cl_read_file(w->report, &size);
}

uint32_t byw_cl_ptxas_registers(const char *report, const char *kernel)
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
