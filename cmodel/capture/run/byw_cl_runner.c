/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_runner.c - Memory of a runner: scratchpad, logs, private arrays, fibers.
 */
#include "capture/run/byw_cl_runner.h"

#include <stdlib.h>
#include <sys/mman.h>

#define LOG_LANE_WORDS                                                                             \
    2048u /* words of a lane's log, so that the logs of a warp fit in a                            \
             second-level cache */
#define BUDGET_MOST 4096u /* iterations between pauses when nothing is logged: less than 1 us */

static void *reserve(uint64_t bytes)
{
    void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return space == MAP_FAILED ? NULL : space;
}

enum byw_status byw_cl_runner_create(const struct byw_cl_settings *settings,
                                     struct byw_cl_runner **runner, struct byw_diag *diag)
{
    struct byw_cl_runner *r = calloc(1, sizeof(*r));
    void *shared = mmap((void *)BYW_CL_SHARED_BASE, BYW_CL_SHARED_SIZE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (r != NULL)
        r->spool = byw_cl_spool_create();
    if (r == NULL || r->spool == NULL || shared != (void *)BYW_CL_SHARED_BASE) {
        if (r != NULL)
            byw_cl_spool_free(r->spool);
        free(r);
        return byw_diag_set(diag, BYW_ENOMEM, "cannot map the scratchpad at 0x%llx",
                            (unsigned long long)BYW_CL_SHARED_BASE);
    }
    r->settings = *settings;
    r->warp_size = settings->warp_size;
    r->byte_limit = settings->megabytes << 20;
    byw_cta_init(&r->cta);
    *runner = r;
    return BYW_OK;
}

void byw_cl_runner_strip(struct byw_cl_runner *r)
{
    free(r->log);
    if (r->private_space != NULL)
        munmap(r->private_space, r->private_bytes);
    free(r->context);
    byw_cl_fibers_free(r->fibers);
    for (size_t i = 0; i < BYW_CL_GROUP_LIMIT; i++)
        byw_cl_ahead_clear(&r->ahead[i]);
    for (size_t i = 0; i < sizeof(r->warp) / sizeof(r->warp[0]); i++)
        byw_cl_warp_release(&r->warp[i]);
    byw_cta_release(&r->cta);
}

/* Allocates the logs, and determines how many iterations fit: between two checks of the counter a
 * lane runs each part once, or twice where it waits.  A warp with a lane that waits, or that has
 * had its turn, keeps its logs while others run. */
static enum byw_status get_log(struct byw_cl_runner *r, uint32_t items)
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    const struct byw_cl_part *part = byw_cl_code_at(code, code->part_at);
    uint32_t warps = code->waits || code->turns ? (items + r->warp_size - 1) / r->warp_size : 1;
    uint64_t once = 1, stride, words;

    for (uint32_t p = 0; p < code->parts; p++)
        once += part[p].words * (code->waits ? 2u : 1u);
    stride = 2 * once > LOG_LANE_WORDS ? 2 * once : LOG_LANE_WORDS;
    r->budget = stride / once - 1;
    r->log_stride = stride + BYW_CL_LOG_COLOUR;
    r->log_own = (r->log_stride + BYW_CL_LOG_PAGE) * r->warp_size;
    words = r->log_own + r->log_stride * r->warp_size;
    r->log_warp = warps > 1 ? words : 0;
    words *= warps;
    if (r->log_words < words) {
        free(r->log);
        r->log = malloc(words * sizeof(*r->log));
        r->log_words = r->log == NULL ? 0 : words;
    }
    return r->log != NULL ? BYW_OK : byw_no_memory(r->diag, "the lanes' logs");
}

/* Arrays of the context have one element per work-item, and a multiple of 16 elements. */
static bool get_context(struct byw_cl_runner *r, uint32_t items)
{
    uint64_t bytes = r->launch->kernel->code->context_bytes * ((items + 15ull) & ~15ull) + 64;

    if (r->context_bytes >= bytes)
        return true;
    free(r->context);
    r->context = aligned_alloc(64, (bytes + 63) & ~63ull);
    r->context_bytes = r->context == NULL ? 0 : bytes;
    return r->context != NULL;
}

enum byw_status byw_cl_runner_equip(struct byw_cl_runner *r, uint32_t items, bool guarded)
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    uint64_t frame = r->launch->program->item[BYW_CL_FRAME];
    uint32_t lanes;
    bool fibers;
    uint64_t bytes;

    r->logs = r->writer != NULL || code->meets;
    r->whole = !code->looped && (code->barriers || code->meets || code->waits);
    lanes = r->whole || code->looped ? items : r->warp_size;
    fibers = r->whole || (code->loops && r->logs);

    r->private_item = (code->private_bytes + 127u) & ~127u; /* a double16's alignment */
    bytes = (r->private_item * lanes + 0x1fff) & ~0xfffull;
    if (r->private_bytes < bytes) {
        if (r->private_space != NULL)
            munmap(r->private_space, r->private_bytes);
        r->private_space = reserve(bytes);
        r->private_bytes = r->private_space == NULL ? 0 : bytes;
        if (r->private_space == NULL)
            return byw_no_memory(r->diag, "private arrays");
    }
    if (code->looped && !get_context(r, items))
        return byw_no_memory(r->diag, "work-items");
    if (fibers && r->fibers != NULL && !byw_cl_fibers_fit(r->fibers, frame)) {
        byw_cl_fibers_free(r->fibers);
        r->fibers = NULL;
    }
    if (fibers && r->fibers == NULL &&
        byw_cl_fibers_create(items, frame, guarded, &r->fibers) != BYW_OK)
        return byw_no_memory(r->diag, "work-items");
    r->budget = BUDGET_MOST;
    return r->logs ? get_log(r, items) : BYW_OK;
}
