/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_recorder.h - records, in order, the accesses that the L1D of one SM accepts, for analyses
 * that need hindsight (study/job/byw_oracle.h).
 *
 * It observes the ports and pulses of the L1D, so it works for the C model and the RTL, with or
 * without a request queue in front.  It changes nothing.  An L1 without a recorder (NULL) costs a
 * single test.  An entry is 16 bytes; the set of an access follows from its line (byw_set_index).
 */
#ifndef BYW_RECORDER_H
#define BYW_RECORDER_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"
#include "record/byw_events.h"
#include "record/byw_request.h"

enum { BYW_RECORDER_PIPE = 8 }; /* more than an L1D holds between its port and its decision */

/* Entries other than accesses, in place of enum byw_op. */
enum { BYW_RECORD_FILL = 254, BYW_RECORD_START = 255 };

struct byw_record {
    uint64_t line; /* line of an access; for a fill: number of the entry of its miss */
    uint32_t pc; /* PC of an access; for a start: entry PC of the kernel */
    uint8_t op; /* enum byw_op; fill: the bytes of a line arrived; start: a kernel starts */
    uint8_t outcome; /* enum byw_outcome of an access */
    uint8_t sector; /* first sector with a requested byte */
    uint8_t hint; /* the load's own hint, enum byw_hint */
};

/* An access was refused before it was accepted. */
struct byw_refusal {
    uint64_t entry; /* number of the access's entry */
    uint64_t cycles;
    enum byw_rsfail reason;
};

struct byw_recorder {
    struct byw_record *record;
    uint64_t count;
    size_t room;
    struct byw_refusal *refusal; /* refusals, in the order of `entry` */
    uint64_t refusals;
    size_t refusal_room;
    uint64_t held[BYW_RSFAIL_COUNT]; /* cycles in which the oldest access has been refused so far */
    bool lost; /* out of memory: the record is incomplete */
    uint32_t sector_bytes;
    uint32_t stages; /* cycles from the acceptance of a fill to the record of its set */
    struct byw_record pipe[BYW_RECORDER_PIPE]; /* accepted at the port, not yet decided */
    uint32_t first, waiting;
    uint64_t *miss; /* ring of misses whose memory request has not left yet */
    uint32_t misses, miss_first, miss_count;
    uint64_t *asked; /* by MSHR: entry of its miss */
    uint64_t arriving[2]; /* fills in the stages, newest first; UINT64_MAX: none */
};

enum byw_status byw_recorder_init(struct byw_recorder *recorder, const struct byw_config *config);
void byw_recorder_release(struct byw_recorder *recorder);

/* Accounts for cycles in which the L1D slept and raised this event in each of them. */
void byw_recorder_sleep(struct byw_recorder *recorder, enum byw_event held, uint64_t cycles);

/* Observes one cycle of the L1D. */
void byw_recorder_step(struct byw_recorder *recorder, const struct byw_l1d_in *in,
                       const struct byw_l1d_out *out);

#endif
