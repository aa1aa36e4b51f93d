/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_recorder.h - writes down what the L1D of one SM accepts, in its order, for questions that
 * only hindsight answers (study/byw_oracle.h).
 *
 * It looks at the ports and pulses of the L1D, so that it serves the C model and the RTL, behind a
 * request queue too.  It changes nothing; an L1 without one (NULL) takes a single test.  An entry
 * is 16 bytes; the set of an access follows from its line (byw_set_index).
 */
#ifndef BYW_RECORDER_H
#define BYW_RECORDER_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"
#include "record/byw_events.h"
#include "record/byw_request.h"

enum { BYW_RECORDER_PIPE = 8 }; /* more than an L1D holds between its port and its decision */

/* Entries that are no accesses, in place of enum byw_op. */
enum { BYW_RECORD_FILL = 254, BYW_RECORD_START = 255 };

struct byw_record {
    uint64_t line; /* of an access; of a fill: the entry of the miss that it answers */
    uint32_t pc; /* of an access; of a start: its kernel's */
    uint8_t op; /* enum byw_op; a fill: a line has its bytes; a start: a kernel starts */
    uint8_t outcome; /* of an access: enum byw_outcome */
    uint8_t sector; /* the first that an access has a byte of */
    uint8_t hint; /* of a load: enum byw_hint, the request's own */
};

/* An access was refused before it was accepted. */
struct byw_refusal {
    uint64_t entry; /* of the access */
    uint64_t cycles;
    enum byw_rsfail reason;
};

struct byw_recorder {
    struct byw_record *record;
    uint64_t count, room;
    struct byw_refusal *refusal; /* in the order of their entries */
    uint64_t refusals, refusal_room;
    uint64_t held[BYW_RSFAIL_COUNT]; /* cycles for which the oldest access was refused so far */
    bool lost; /* memory was short: the record is not whole */
    uint32_t sector_bytes;
    uint32_t stages; /* cycles from the acceptance of a fill to the record of its set */
    struct byw_record pipe[BYW_RECORDER_PIPE]; /* accepted at the port, not decided */
    uint32_t first, waiting;
    uint64_t *miss; /* ring of misses whose request has not left yet */
    uint32_t misses, miss_first, miss_count;
    uint64_t *asked; /* by MSHR: entry of the miss that its request was for */
    uint64_t arriving[2]; /* fills in the stages, newest first; UINT64_MAX: none */
};

enum byw_status byw_recorder_init(struct byw_recorder *recorder, const struct byw_config *config);
void byw_recorder_release(struct byw_recorder *recorder);

/* Cycles in which the L1D slept and raised this event again and again. */
void byw_recorder_sleep(struct byw_recorder *recorder, enum byw_event held, uint64_t cycles);

/* A cycle of the L1D. */
void byw_recorder_step(struct byw_recorder *recorder, const struct byw_l1d_in *in,
                       const struct byw_l1d_out *out);

#endif
