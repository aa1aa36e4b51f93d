/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/byw_cli.h"

enum byw_status byw_cli_start_rtl(int argc, char **argv, struct byw_diag *diag)
{
    char path[PATH_MAX + 8]; /* path of this program, then of byway-rtl */
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    struct stat self, other;
    char *slash, **args;

    path[n > 0 ? n : 0] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL || stat(path, &self) != 0)
        return byw_diag_set(diag, BYW_EIO, "--l1d rtl: cannot find the path of the byway program");
    strcpy(slash + 1, "byway-rtl");
    if (stat(path, &other) != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "--l1d rtl: there is no %s; build it with: make rtl-sim", path);
    if (other.st_mtim.tv_sec < self.st_mtim.tv_sec)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "--l1d rtl: %s is older than byway; build it with: make rtl-sim", path);
    args = calloc((size_t)argc + 2, sizeof(args[0]));
    if (args == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the arguments of %s", path);
    args[0] = path;
    memcpy(args + 1, argv, (size_t)argc * sizeof(argv[0]));
    execv(path, args);
    free(args);
    return byw_diag_set(diag, BYW_EIO, "%s does not start: %s", path, strerror(errno));
}
