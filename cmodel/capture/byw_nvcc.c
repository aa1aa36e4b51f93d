/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_nvcc.h"

#include <stdio.h>
#include <stdlib.h>

#include "capture/byw_toolkit.h"

void byw_nvcc_find(char path[PATH_MAX])
{
    const char *own = getenv(BYW_NVCC_ENV);

    if (own != NULL && *own != '\0')
        snprintf(path, PATH_MAX, "%s", own);
    else if (!byw_toolkit_find("nvcc", path))
        snprintf(path, PATH_MAX, "nvcc");
}
