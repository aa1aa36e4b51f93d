/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_recorder.h"

#include <stdlib.h>

#include "common/byw_array.h"
#include "common/byw_bits.h"

#define DECIDED                                                                                    \
    (UINT32_C(1) << BYW_EV_LOAD | UINT32_C(1) << BYW_EV_STORE | UINT32_C(1) << BYW_EV_ATOMIC)

static const uint64_t none = UINT64_MAX;

enum byw_status byw_recorder_init(struct byw_recorder *recorder, const struct byw_config *config)
{
    *recorder = (struct byw_recorder){
        .sector_bytes = config->l1d_line / config->l1d_sectors,
        .stages = config->l1d_alloc == BYW_ALLOC_ON_FILL ? 2 : 0,
        .misses = config->l1d_mshrs,
        .arriving = {none, none},
    };
    recorder->miss = calloc(config->l1d_mshrs, sizeof(*recorder->miss));
    recorder->asked = calloc(config->l1d_mshrs, sizeof(*recorder->asked));
    return recorder->miss != NULL && recorder->asked != NULL ? BYW_OK : BYW_ENOMEM;
}

void byw_recorder_release(struct byw_recorder *recorder)
{
    free(recorder->record);
    free(recorder->refusal);
    free(recorder->miss);
    free(recorder->asked);
    *recorder = (struct byw_recorder){0};
}

static void append(struct byw_recorder *r, const struct byw_record *record)
{
    if (!BYW_ARRAY_ROOM(r->record, r->room, r->count + 1u)) {
        r->lost = true;
        return;
    }
    r->record[r->count++] = *record;
}

/* The oldest access is accepted: records the reasons for which it was refused before. */
static void note_refusals(struct byw_recorder *r)
{
    for (uint32_t reason = 0; reason < BYW_RSFAIL_COUNT; reason++) {
        if (r->held[reason] == 0)
            continue;
        if (!BYW_ARRAY_ROOM(r->refusal, r->refusal_room, r->refusals + 1u)) {
            r->lost = true;
            return;
        }
        r->refusal[r->refusals++] =
            (struct byw_refusal){r->count, r->held[reason], (enum byw_rsfail)reason};
        r->held[reason] = 0;
    }
}

static uint8_t outcome_of(uint32_t events)
{
    if ((events >> BYW_EV_HIT & 1) != 0)
        return BYW_HIT;
    if ((events >> BYW_EV_HIT_PENDING & 1) != 0)
        return BYW_HIT_PENDING;
    return (events >> BYW_EV_MISS & 1) != 0 ? BYW_MISS : BYW_BYPASS;
}

/* Records the decision on the oldest request in the pipeline. */
static void decided(struct byw_recorder *r, uint32_t events)
{
    struct byw_record *head = &r->pipe[r->first];
    bool load = (events >> BYW_EV_LOAD & 1) != 0;

    head->outcome = outcome_of(events);
    if (load && head->outcome == BYW_MISS) {
        r->miss[(r->miss_first + r->miss_count) % r->misses] = r->count;
        r->miss_count++;
    }
    note_refusals(r);
    append(r, head);
    r->first = (r->first + 1) % BYW_RECORDER_PIPE;
    r->waiting--;
}

static void taken(struct byw_recorder *r, const struct byw_req *req)
{
    uint32_t byte = req->bytes.w[0] != 0   ? byw_ctz64(req->bytes.w[0])
                    : req->bytes.w[1] != 0 ? 64 + byw_ctz64(req->bytes.w[1])
                                           : 0;

    r->pipe[(r->first + r->waiting++) % BYW_RECORDER_PIPE] = (struct byw_record){
        .line = req->line,
        .pc = req->pc,
        .op = req->op,
        .sector = (uint8_t)(byte / r->sector_bytes),
        .hint = req->hint,
    };
}

/* A fill request leaves.  Fill requests leave in the order of their misses. */
static void asked(struct byw_recorder *r, uint32_t mshr)
{
    r->asked[mshr] = r->miss[r->miss_first];
    r->miss_first = (r->miss_first + 1) % r->misses;
    r->miss_count--;
}

/* Advances the fill stages; the first one receives the fill accepted in this cycle (UINT64_MAX:
 * none). */
static void filled(struct byw_recorder *r, uint64_t miss)
{
    uint64_t arrives = miss;

    for (uint32_t i = 0; i < r->stages; i++) {
        uint64_t next = r->arriving[i];

        r->arriving[i] = arrives;
        arrives = next;
    }
    if (arrives != none)
        append(r, &(struct byw_record){.op = BYW_RECORD_FILL, .line = arrives});
}

_Static_assert(BYW_EV_FAIL_ICNT - BYW_EV_FAIL_LINE == (int)BYW_RSFAIL_ICNT,
               "events of refusals in the order of the reasons");

void byw_recorder_sleep(struct byw_recorder *recorder, enum byw_event held, uint64_t cycles)
{
    if (held >= BYW_EV_FAIL_LINE && held < BYW_EV_FAIL_LINE + BYW_RSFAIL_COUNT)
        recorder->held[held - BYW_EV_FAIL_LINE] += cycles;
}

void byw_recorder_step(struct byw_recorder *recorder, const struct byw_l1d_in *in,
                       const struct byw_l1d_out *out)
{
    struct byw_recorder *r = recorder;
    uint64_t fill = none;

    if (in->ctrl.kernel_start)
        append(r, &(struct byw_record){.op = BYW_RECORD_START, .pc = in->ctrl.kernel_pc});
    for (uint32_t reason = 0; reason < BYW_RSFAIL_COUNT; reason++)
        r->held[reason] += out->events >> (BYW_EV_FAIL_LINE + reason) & 1;
    if ((out->events & DECIDED) != 0 && r->waiting != 0)
        decided(r, out->events);
    if (in->req_valid && out->req_ready && in->req.op < BYW_OP_INVALIDATE)
        taken(r, &in->req);
    if (out->mem_req_valid && in->mem_req_ready && out->mem_req.kind == BYW_MEM_FILL)
        asked(r, out->mem_req.id);
    if (in->mem_rsp_valid && out->mem_rsp_ready && in->mem_rsp.kind == BYW_MEM_FILL)
        fill = r->asked[in->mem_rsp.id];
    filled(r, fill);
}
