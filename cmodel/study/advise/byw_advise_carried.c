/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_advise_carried.h"

#include <string.h>

#include "record/byw_request.h"
#include "sim/sm/byw_load_advice.h"
#include "study/job/byw_result_json.h"
#include "trace/file/byw_trace.h"

/* The flag with which compiled code marks a hint of byw_advise_written(). */
static uint8_t flag_of(const json_t *place)
{
    uint8_t hint;

    if (!byw_load_hint_read(byw_result_text(place, "advice"), &hint))
        return 0;
    if (hint == BYW_HINT_BYPASS)
        return BYW_SITE_HINTS; /* volatile in OpenCL C, L1::no_allocate in CUDA */
    return hint == BYW_HINT_STREAM || hint == BYW_ADVICE_NONTEMPORAL ? BYW_SITE_NONTEMPORAL
                                                                     : BYW_SITE_VOLATILE;
}

static bool has_hint(const struct byw_kernel *code, const json_t *place)
{
    const uint32_t line = (uint32_t)byw_result_number(place, "line");

    for (uint32_t s = 0; s < code->site_count; s++)
        if (code->site[s].line == line && (code->site[s].flags & flag_of(place)) != 0)
            return true;
    return false;
}

/* Marks the patched places whose hint is in this code as carried. */
static enum byw_status note(json_t *report, const struct byw_kernel *code)
{
    const json_t *kernel;
    json_t *place;
    size_t i, j;

    json_array_foreach(json_object_get(report, "kernels"), i, kernel)
    {
        if (strcmp(byw_result_text(kernel, "name"), code->name) != 0)
            continue;
        json_array_foreach(json_object_get(kernel, "places"), j, place)
        {
            if (json_is_true(json_object_get(place, "patched")) && has_hint(code, place) &&
                json_object_set_new(place, "carried", json_true()) != 0)
                return BYW_ENOMEM;
        }
    }
    return BYW_OK;
}

/* A kernel's patched places, and how many of them are in the new trace. */
static enum byw_status judge(const json_t *kernel, struct byw_diag *diag)
{
    const json_t *list = json_object_get(kernel, "places");
    uint32_t patched = 0, carried = 0;
    double line = 0;
    json_t *place;
    size_t i;

    json_array_foreach(list, i, place)
    {
        if (!json_is_true(json_object_get(place, "patched")))
            continue;
        line = patched++ == 0 ? byw_result_number(place, "line") : line;
        if (json_is_true(json_object_get(place, "carried")))
            carried++;
        else if (json_object_set_new(place, "carried", json_false()) != 0)
            return BYW_ENOMEM;
    }
    if (patched == 0 || carried != 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_ECHECK,
                        "when the patched program ran, its kernel %s had no hint (line %.0f): the "
                        "program did not build the patched source.  If it loads compiled kernels "
                        "from a cache, switch that off (PyOpenCL: PYOPENCL_NO_CACHE=1) and repeat",
                        byw_result_text(kernel, "name"), line);
}

enum byw_status byw_advise_carried(json_t *report, const char *trace, struct byw_diag *diag)
{
    const struct byw_kernel *code;
    const json_t *kernel;
    struct byw_trace *in;
    size_t i;
    enum byw_status st = byw_trace_open(trace, &in, diag);

    if (st != BYW_OK)
        return st;
    while ((st = byw_trace_next_kernel(in, &code, diag)) == BYW_OK) {
        st = note(report, code);
        if (st != BYW_OK)
            break;
    }
    byw_trace_close(in);
    st = st == BYW_END ? BYW_OK : st;
    json_array_foreach(json_object_get(report, "kernels"), i, kernel)
    {
        if (st == BYW_OK)
            st = judge(kernel, diag);
    }
    return st;
}
