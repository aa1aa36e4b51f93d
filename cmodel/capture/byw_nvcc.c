/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_nvcc.h"

#include <stdlib.h>
#include <unistd.h>

const char *byw_nvcc_find(void)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *own = getenv(BYW_NVCC_ENV);

    if (own != NULL && *own != '\0')
        return own;
    return access(usual, X_OK) == 0 ? usual : "nvcc";
}
