/* SPDX-License-Identifier: Apache-2.0
 *
 * rig_memory.h - the memory behind the rig's caches: performs requests in the cycle in which it
 * accepts them or, with rig->late, when it answers; LR and SC with one reservation.
 */
#ifndef BYW_RIG_MEMORY_H
#define BYW_RIG_MEMORY_H

#include "scenario/rig.h"

void rig_memory_random(struct rig *r, uint8_t *line);
/* An atomic adds 1 to every byte of its mask. */
void rig_memory_write(uint8_t *line, const struct byw_byte_mask *bytes, const uint8_t *data,
                      bool atomic);
/* Accepts the request at mem_req in this cycle. */
void rig_memory_take(struct rig *r);
/* Puts the answer to fetch i on mem_rsp; puts the oldest due answer there. */
void rig_memory_show(struct rig *r, uint32_t i, bool error);
void rig_memory_show_due(struct rig *r);
/* The answer on mem_rsp is accepted in this cycle. */
void rig_memory_taken(struct rig *r);

#endif
