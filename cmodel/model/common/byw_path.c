/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_path.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool byw_path_is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool byw_path_own_folder(char *folder, size_t room)
{
    ssize_t n = readlink("/proc/self/exe", folder, room);
    char *slash;

    if (n <= 0 || (size_t)n >= room)
        return false;
    folder[n] = '\0';
    slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}
