/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/byw_kernel_pick.h"
#include "trace/byw_launch_range.h"

struct byw_bounds {
    struct byw_launch_ranges launches;
    struct byw_kernel_pick *kernels;
    uint64_t most, kept; /* warp instructions: the limit (0: none), and those kept so far */
};

static enum byw_status fill(struct byw_bounds *b, const struct byw_bounds_request *request,
                            struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    b->most = request->instructions;
    if (request->launches != NULL)
        st = byw_launch_ranges_read("--launches", request->launches, &b->launches, diag);
    if (st == BYW_OK && request->kernels != NULL)
        st = byw_kernel_pick_create(request->kernels, &b->kernels, diag);
    return st;
}

enum byw_status byw_bounds_create(const struct byw_bounds_request *request,
                                  struct byw_bounds **bounds, struct byw_diag *diag)
{
    struct byw_bounds *b = calloc(1, sizeof(*b));
    enum byw_status status;

    if (b == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    status = fill(b, request, diag);
    if (status == BYW_OK)
        *bounds = b;
    else
        byw_bounds_free(b);
    return status;
}

void byw_bounds_free(struct byw_bounds *bounds)
{
    if (bounds != NULL)
        byw_kernel_pick_free(bounds->kernels);
    free(bounds);
}

static void export_text(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

void byw_bounds_export(const struct byw_bounds_request *request)
{
    char number[24];

    snprintf(number, sizeof(number), "%" PRIu64, request->instructions);
    export_text(BYW_BOUNDS_ENV_LAUNCHES, request->launches);
    export_text(BYW_BOUNDS_ENV_KERNELS, request->kernels);
    export_text(BYW_BOUNDS_ENV_INSTRUCTIONS, request->instructions != 0 ? number : NULL);
}

struct byw_bounds_request byw_bounds_import(void)
{
    const char *number = getenv(BYW_BOUNDS_ENV_INSTRUCTIONS);

    return (struct byw_bounds_request){.launches = getenv(BYW_BOUNDS_ENV_LAUNCHES),
                                       .kernels = getenv(BYW_BOUNDS_ENV_KERNELS),
                                       .instructions =
                                           number != NULL ? strtoull(number, NULL, 10) : 0};
}

bool byw_bounds_any(const struct byw_bounds *bounds)
{
    return bounds->launches.count != 0 || bounds->kernels != NULL || bounds->most != 0;
}

bool byw_bounds_keep(const struct byw_bounds *bounds, uint64_t number, const char *kernel)
{
    const struct byw_launch_ranges *launches = &bounds->launches;

    return (launches->count == 0 ||
            byw_launch_ranges_have(launches->range, launches->count, number - 1)) &&
           !byw_bounds_full(bounds) && byw_kernel_pick_has(bounds->kernels, kernel);
}

void byw_bounds_add(struct byw_bounds *bounds, uint64_t instructions)
{
    bounds->kept += instructions;
}

bool byw_bounds_full(const struct byw_bounds *bounds)
{
    return bounds->most != 0 && bounds->kept >= bounds->most;
}
