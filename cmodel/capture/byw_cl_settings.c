/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_cl_settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "common/byw_cache.h"
#include "common/byw_env.h"

enum {
    MEGABYTES = 1024,
    MEGABYTES_MOST = 1 << 20,
    LEVEL_MOST = 22,
};
#define STEPS_MOST (1ull << 62)

static bool is_writable_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && access(path, W_OK | X_OK) == 0;
}

enum byw_status byw_cl_settings_read(struct byw_cl_settings *settings, struct byw_diag *diag)
{
    const char *bounds = getenv(BYW_CL_ENV_BOUNDS), *constant = getenv(BYW_CAPTURE_ENV_CONSTANT);
    const char *ptxas = getenv(BYW_CAPTURE_ENV_PTXAS), *loops = getenv(BYW_CAPTURE_ENV_LOOPS);
    const char *ptx = getenv(BYW_CAPTURE_ENV_PTX);
    uint64_t warp = 32, cache;
    enum byw_status st;

    *settings = (struct byw_cl_settings){.megabytes = MEGABYTES, .warp_size = 32};
    st = byw_env_number(BYW_CL_ENV_STEPS, 1, STEPS_MOST, &settings->steps, diag);
    if (st == BYW_OK)
        st = byw_env_number(BYW_CL_ENV_MEMORY, 1, MEGABYTES_MOST, &settings->megabytes, diag);
    if (st == BYW_OK)
        st = byw_env_number(BYW_CL_ENV_RESIDENT, 1, UINT16_MAX, &settings->resident, diag);
    if (st == BYW_OK)
        st = byw_env_number(BYW_CAPTURE_ENV_LEVEL, 1, LEVEL_MOST, &settings->level, diag);
    if (st == BYW_OK)
        st = byw_env_number(BYW_CAPTURE_ENV_WARP, 32, 64, &warp, diag);
    if (st == BYW_OK)
        st = byw_cache_limit(&cache, diag);
    if (st != BYW_OK)
        return st;
    if (warp != 32 && warp != 64)
        return byw_diag_set(diag, BYW_EINVAL, "%s is '%llu'; expected 32 or 64",
                            BYW_CAPTURE_ENV_WARP, (unsigned long long)warp);
    settings->warp_size = (uint32_t)warp;
    settings->warns = bounds != NULL && strcmp(bounds, "warn") == 0;
    if (bounds != NULL && bounds[0] != '\0' && !settings->warns)
        return byw_diag_set(diag, BYW_EINVAL, "%s is '%s'; expected warn, or the variable unset",
                            BYW_CL_ENV_BOUNDS, bounds);
    if (constant != NULL && constant[0] != '\0' && strcmp(constant, "bank") != 0 &&
        strcmp(constant, "global") != 0)
        return byw_diag_set(diag, BYW_EINVAL, "%s is '%s'; expected bank or global",
                            BYW_CAPTURE_ENV_CONSTANT, constant);
    if (ptxas != NULL && ptxas[0] != '\0' && strcmp(ptxas, "off") != 0 && access(ptxas, X_OK) != 0)
        return byw_diag_set(diag, BYW_EINVAL, "%s is '%s'; expected a program, or off",
                            BYW_CAPTURE_ENV_PTXAS, ptxas);
    if (ptx != NULL && ptx[0] != '\0' && !is_writable_folder(ptx))
        return byw_diag_set(diag, BYW_EINVAL, "%s is '%s'; expected a folder that can be written",
                            BYW_CAPTURE_ENV_PTX, ptx);
    if (loops != NULL && loops[0] != '\0' && strcmp(loops, "off") != 0)
        return byw_diag_set(diag, BYW_EINVAL, "%s is '%s'; expected off, or the variable unset",
                            BYW_CAPTURE_ENV_LOOPS, loops);
    return BYW_OK;
}
