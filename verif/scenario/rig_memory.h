/* SPDX-License-Identifier: Apache-2.0
 *
 * rig_memory.h - the memory behind the rig's caches: performs what they send, in the cycle in which
 * it takes it or, with rig->late, as it answers; LR and SC with one reservation.
 */
#ifndef BYW_RIG_MEMORY_H
#define BYW_RIG_MEMORY_H

#include "scenario/rig.h"

void rig_memory_random(struct rig *r, uint8_t *line);
/* An atomic adds 1 to every byte of its mask. */
void rig_memory_write(uint8_t *line, const struct byw_byte_mask *bytes, const uint8_t *data,
                      bool atomic);
/* The request at mem_req is taken in this cycle. */
void rig_memory_take(struct rig *r);
/* The answer to fetch i onto mem_rsp; the answer that is due, oldest first. */
void rig_memory_show(struct rig *r, uint32_t i, bool error);
void rig_memory_show_due(struct rig *r);
/* What mem_rsp shows is taken in this cycle. */
void rig_memory_taken(struct rig *r);

#endif
