/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_bounds.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/byw_kernel_name.h"

struct byw_bounds {
    uint64_t first, last; /* launches */
    bool named; /* `kernels` is compiled */
    regex_t kernels;
    uint64_t most, kept; /* warp instructions; most 0: any number */
};

/* A number from 1 to 2^63, as decimal digits only. */
static bool read_number(const char **text, uint64_t *number)
{
    size_t digits = strspn(*text, "0123456789");

    if (digits == 0 || digits > 18)
        return false;
    *number = strtoull(*text, NULL, 10);
    *text += digits;
    return *number != 0;
}

static bool read_range(const char *text, uint64_t *first, uint64_t *last)
{
    if (!read_number(&text, first))
        return false;
    *last = *first;
    if (*text == '\0')
        return true;
    if (*text++ != '-')
        return false;
    *last = UINT64_MAX;
    return *text == '\0' || (read_number(&text, last) && *text == '\0' && *first <= *last);
}

static enum byw_status fill(struct byw_bounds *b, const struct byw_bounds_request *request,
                            struct byw_diag *diag)
{
    char why[256];
    int code;

    b->first = 1;
    b->last = UINT64_MAX;
    b->most = request->instructions;
    if (request->launches != NULL && !read_range(request->launches, &b->first, &b->last))
        return byw_diag_set(diag, BYW_EINVAL,
                            "--launches is '%s'; expected A-B, A or A-, counted from 1",
                            request->launches);
    if (request->kernels == NULL)
        return BYW_OK;
    code = regcomp(&b->kernels, request->kernels, REG_EXTENDED | REG_NOSUB);
    if (code == 0) {
        b->named = true;
        return BYW_OK;
    }
    regerror(code, &b->kernels, why, sizeof(why));
    return byw_diag_set(diag, BYW_EINVAL,
                        "--kernels is '%s': %s; expected an extended regular expression",
                        request->kernels, why);
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
    if (bounds != NULL && bounds->named)
        regfree(&bounds->kernels);
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
    return bounds->first != 1 || bounds->last != UINT64_MAX || bounds->named || bounds->most != 0;
}

/* Whether the expression matches the kernel's symbol or its name in C++. */
static bool is_named(const struct byw_bounds *bounds, const char *symbol)
{
    char name[BYW_KERNEL_NAME_ROOM];

    byw_kernel_name(symbol, name);
    return regexec(&bounds->kernels, symbol, 0, NULL, 0) == 0 ||
           regexec(&bounds->kernels, name, 0, NULL, 0) == 0;
}

bool byw_bounds_keep(const struct byw_bounds *bounds, uint64_t number, const char *kernel)
{
    return number >= bounds->first && number <= bounds->last && !byw_bounds_full(bounds) &&
           (!bounds->named || is_named(bounds, kernel));
}

void byw_bounds_add(struct byw_bounds *bounds, uint64_t instructions)
{
    bounds->kept += instructions;
}

bool byw_bounds_full(const struct byw_bounds *bounds)
{
    return bounds->most != 0 && bounds->kept >= bounds->most;
}
