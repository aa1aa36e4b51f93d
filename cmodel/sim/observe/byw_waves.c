/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/byw_waves.h"

#include <stdlib.h>
#include <string.h>

#include "sim/observe/byw_scope.h"
#include "sim/observe/byw_wave_file.h"

/* X(field, width): signals of the ports and levels, in the order of the file. */
#define SIGNAL_LIST(X)                                                                             \
    X(req_valid, 1)                                                                                \
    X(req_ready, 1)                                                                                \
    X(req_op, 3)                                                                                   \
    X(req_warp, 6)                                                                                 \
    X(req_line, 48)                                                                                \
    X(rsp_valid, 1)                                                                                \
    X(rsp_id, 17)                                                                                  \
    X(mem_req_valid, 1)                                                                            \
    X(mem_req_ready, 1)                                                                            \
    X(mem_req_kind, 2)                                                                             \
    X(mem_req_line, 48)                                                                            \
    X(mem_rsp_valid, 1)                                                                            \
    X(mem_rsp_ready, 1)                                                                            \
    X(mem_rsp_kind, 2)                                                                             \
    X(outcome, 3)                                                                                  \
    X(refused_for, 3)                                                                              \
    X(mshrs_used, 13)                                                                              \
    X(miss_queue, 9)                                                                               \
    X(bypass_queue, 9)                                                                             \
    X(trackers_used, 11)                                                                           \
    X(filter_on, 1)                                                                                \
    X(kernel_start, 1)                                                                             \
    X(idle, 1)

enum signal {
#define X(field, width) SIGNAL_##field,
    SIGNAL_LIST(X)
#undef X
        SIGNAL_COUNT
};

struct byw_waves {
    struct byw_waves_window window;
    struct byw_wave_file *file;
    struct byw_scope *scope; /* writes a page instead of the file */
    const struct byw_recorder *recorder; /* source of the page's accesses */
    uint32_t signal[SIGNAL_COUNT];
    uint32_t event[BYW_EV_COUNT];
};

enum byw_status byw_waves_open(const struct byw_waves_window *window, struct byw_waves **out,
                               struct byw_diag *diag)
{
    static const char *const event[] = {
#define X(code, name, when) name,
#include "record/byw_events.def"
#undef X
    };
    struct byw_waves *waves = calloc(1, sizeof(*waves));
    enum byw_status status;
    char scope[32];

    if (waves == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the waveform", window->path);
    waves->window = *window;
    if (byw_waves_is_scope(window)) {
        status = byw_scope_open(window->path,
                                &(struct byw_scope_of){.sm = window->sm,
                                                       .set = window->set,
                                                       .pages = window->pages,
                                                       .commit = window->commit,
                                                       .workload = window->workload,
                                                       .machine = window->machine,
                                                       .policy = window->policy,
                                                       .command = window->command},
                                &waves->scope, diag);
        if (status == BYW_OK)
            *out = waves;
        else
            free(waves);
        return status;
    }
    status = byw_wave_open(window->path, &waves->file, diag);
    if (status != BYW_OK) {
        free(waves);
        return status;
    }
    snprintf(scope, sizeof(scope), "sm%u.l1d", window->sm);
#define X(field, width)                                                                            \
    waves->signal[SIGNAL_##field] = byw_wave_signal(waves->file, scope, #field, width);
    SIGNAL_LIST(X)
#undef X
    snprintf(scope, sizeof(scope), "sm%u.l1d.events", window->sm);
    for (uint32_t i = 0; i < BYW_EV_COUNT; i++)
        waves->event[i] = byw_wave_signal(waves->file, scope, event[i], 1);
    *out = waves;
    return BYW_OK;
}

bool byw_waves_is_scope(const struct byw_waves_window *window)
{
    size_t n = strlen(window->path);

    return n > 5 && strcmp(window->path + n - 5, ".html") == 0;
}

void byw_waves_use_recorder(struct byw_waves *waves, const struct byw_recorder *recorder)
{
    waves->recorder = recorder;
}

bool byw_waves_in(const struct byw_waves *waves, uint64_t now)
{
    return now >= waves->window.first && now - waves->window.first < waves->window.cycles;
}

static bool pulse(uint32_t events, enum byw_event event)
{
    return (events >> event & 1) != 0;
}

static uint64_t refused_for(uint32_t events)
{
    static const enum byw_event fail[BYW_RSFAIL_COUNT] = {
        [BYW_RSFAIL_LINE] = BYW_EV_FAIL_LINE,   [BYW_RSFAIL_MSHR] = BYW_EV_FAIL_MSHR,
        [BYW_RSFAIL_MERGE] = BYW_EV_FAIL_MERGE, [BYW_RSFAIL_MISS_QUEUE] = BYW_EV_FAIL_MISS_QUEUE,
        [BYW_RSFAIL_ICNT] = BYW_EV_FAIL_ICNT,
    };

    for (uint32_t i = 0; i < BYW_RSFAIL_COUNT; i++) {
        if (pulse(events, fail[i]))
            return i + 1;
    }
    return 0;
}

static uint64_t outcome(uint32_t events)
{
    if (pulse(events, BYW_EV_HIT))
        return 1 + BYW_HIT;
    if (pulse(events, BYW_EV_HIT_PENDING))
        return 1 + BYW_HIT_PENDING;
    if (pulse(events, BYW_EV_MISS))
        return 1 + BYW_MISS;
    if (pulse(events, BYW_EV_BYPASS) || pulse(events, BYW_EV_ATOMIC))
        return 1 + BYW_BYPASS;
    return refused_for(events) != 0 ? 1 + BYW_RSFAIL : 0;
}

void byw_waves_sample(struct byw_waves *waves, uint64_t now, const struct byw_l1d_in *in,
                      const struct byw_l1d_out *out, const struct byw_l1d *l1d, bool filter_on)
{
    struct byw_wave_file *f = waves->file;

    if (waves->scope != NULL) {
        byw_scope_sample(waves->scope, now, out, l1d, waves->recorder, filter_on);
        return;
    }
#define SET(field, value) byw_wave_set(f, waves->signal[SIGNAL_##field], (uint64_t)(value))
    byw_wave_time(f, now);
    SET(req_valid, in->req_valid);
    SET(req_ready, out->req_ready);
    if (in->req_valid) {
        SET(req_op, in->req.op);
        SET(req_warp, in->req.warp);
        SET(req_line, in->req.line);
    }
    SET(rsp_valid, out->rsp_valid);
    if (out->rsp_valid)
        SET(rsp_id, out->rsp.id);
    SET(mem_req_valid, out->mem_req_valid);
    SET(mem_req_ready, in->mem_req_ready);
    if (out->mem_req_valid) {
        SET(mem_req_kind, out->mem_req.kind);
        SET(mem_req_line, out->mem_req.line);
    }
    SET(mem_rsp_valid, in->mem_rsp_valid);
    SET(mem_rsp_ready, out->mem_rsp_ready);
    if (in->mem_rsp_valid)
        SET(mem_rsp_kind, in->mem_rsp.kind);
    SET(outcome, outcome(out->events));
    SET(refused_for, refused_for(out->events));
    SET(filter_on, filter_on);
    SET(kernel_start, in->ctrl.kernel_start);
    SET(idle, out->idle);
    if (l1d != NULL) {
        struct byw_l1d_levels levels;

        byw_l1d_levels(l1d, &levels);
        SET(mshrs_used, levels.mshrs);
        SET(miss_queue, levels.misses);
        SET(bypass_queue, levels.bypasses);
        SET(trackers_used, levels.trackers);
    }
#undef SET
    for (uint32_t i = 0; i < BYW_EV_COUNT; i++)
        byw_wave_set(f, waves->event[i], out->events >> i & 1);
}

enum byw_status byw_waves_close(struct byw_waves *waves, struct byw_diag *diag)
{
    enum byw_status status = BYW_OK;

    if (waves != NULL && waves->scope != NULL) {
        if (diag != NULL)
            status = byw_scope_close(waves->scope, diag);
        else
            byw_scope_free(waves->scope); /* after a failure */
    } else if (waves != NULL) {
        if (diag == NULL) {
            byw_wave_discard(waves->file);
        } else {
            byw_wave_time(waves->file, waves->window.first + waves->window.cycles);
            status = byw_wave_close(waves->file, diag);
        }
    }
    free(waves);
    return status;
}
