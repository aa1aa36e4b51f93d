/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_toolkit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_clang.h"

#define USUAL "/usr/local/cuda/bin"

static bool is_in(const char *folder, const char *name, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && access(path, X_OK) == 0;
}

/* Looks for a program in FOLDER/cuda/bin and FOLDER/../cuda/bin, where FOLDER contains `file`. */
static bool is_beside(const char *file, const char *name, char path[PATH_MAX])
{
    char folder[PATH_MAX], near[2 * PATH_MAX];
    char *slash;

    snprintf(folder, sizeof(folder), "%s", file);
    slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    snprintf(near, sizeof(near), "%s/cuda/bin", folder);
    if (is_in(near, name, path))
        return true;
    snprintf(near, sizeof(near), "%s/../cuda/bin", folder);
    return is_in(near, name, path) && realpath(near, folder) != NULL && is_in(folder, name, path);
}

/* Looks beside the command, then beside the library that contains this code (in a captured
 * program). */
static bool is_own(const char *name, char path[PATH_MAX])
{
    static const char here = 0;
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    Dl_info info;

    if (length > 0) {
        self[length] = '\0';
        if (is_beside(self, name, path))
            return true;
    }
    return dladdr(&here, &info) != 0 && info.dli_fname != NULL &&
           is_beside(info.dli_fname, name, path);
}

bool byw_toolkit_find(const char *name, char path[PATH_MAX])
{
    const char *home = getenv("CUDA_HOME");
    char near[PATH_MAX];

    if (home != NULL && *home != '\0' && snprintf(near, sizeof(near), "%s/bin", home) < PATH_MAX &&
        is_in(near, name, path))
        return true;
    if (strcmp(name, "nvcc") == 0 && is_in(USUAL, name, path))
        return true;
    return byw_clang_on_path(name, path) || is_in(USUAL, name, path) || is_own(name, path);
}
