/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_ptxas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"

#define MORE_FOLDERS ":/usr/local/cuda/bin"

bool byw_cl_ptxas(char *path, size_t room)
{
    const char *named = getenv(BYW_CAPTURE_ENV_PTXAS), *folders = getenv("PATH");
    char list[4096], *rest = list;
    bool found = false;

    if (named != NULL && named[0] != '\0') {
        snprintf(path, room, "%s", named);
        return strcmp(named, "off") != 0 && access(path, X_OK) == 0;
    }
    snprintf(list, sizeof(list), "%s%s", folders != NULL ? folders : "", MORE_FOLDERS);
    for (char *folder; !found && (folder = strsep(&rest, ":")) != NULL;)
        found = folder[0] == '/' && (size_t)snprintf(path, room, "%s/ptxas", folder) < room &&
                access(path, X_OK) == 0;
    return found;
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
