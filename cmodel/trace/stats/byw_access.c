/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_access.h"

bool byw_access_is_cached(const struct byw_inst *inst)
{
    switch ((enum byw_class)inst->cls) {
    case BYW_CLASS_LOAD:
    case BYW_CLASS_STORE:
    case BYW_CLASS_ATOMIC:
    case BYW_CLASS_LOCAL_LOAD:
    case BYW_CLASS_LOCAL_STORE:
        return inst->form != BYW_FORM_NONE && inst->mask != 0;
    default:
        return false;
    }
}

/* Searches backwards: neighboring lanes mostly access the same unit as the previous lane. */
static void add_unit(uint64_t *unit, uint32_t *count, uint64_t number)
{
    for (uint32_t i = *count; i > 0; i--) {
        if (unit[i - 1] == number)
            return;
    }
    if (*count < BYW_ACCESS_UNITS)
        unit[(*count)++] = number;
}

void byw_access_of(const struct byw_inst *inst, const struct byw_cta *cta,
                   struct byw_access *access)
{
    access->lanes = access->lines = access->sectors = 0;
    for (uint64_t rest = inst->mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t first = byw_inst_address(inst, cta, lane, access->lanes++);
        uint64_t last = first + inst->width - 1;

        add_unit(access->line, &access->lines, first / BYW_TRACE_LINE_BYTES);
        add_unit(access->line, &access->lines, last / BYW_TRACE_LINE_BYTES);
        add_unit(access->sector, &access->sectors, first / BYW_TRACE_SECTOR_BYTES);
        add_unit(access->sector, &access->sectors, last / BYW_TRACE_SECTOR_BYTES);
    }
}
