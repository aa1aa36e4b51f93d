/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_units.h - the arithmetic instruction classes and their configuration keys, for tests that loop
 * over all of them.
 */
#ifndef SM_UNITS_H
#define SM_UNITS_H

#include <stddef.h>

#include "common/byw_config.h"
#include "trace/byw_inst.h"

static const struct {
    size_t latency, collect, interval;
    enum byw_class cls;
} unit[] = {{offsetof(struct byw_config, lat_int), offsetof(struct byw_config, collect_int),
             offsetof(struct byw_config, ii_sp), BYW_CLASS_INT},
            {offsetof(struct byw_config, lat_fp), offsetof(struct byw_config, collect_fp),
             offsetof(struct byw_config, ii_sp), BYW_CLASS_FP},
            {offsetof(struct byw_config, lat_sfu), offsetof(struct byw_config, collect_sfu),
             offsetof(struct byw_config, ii_sfu), BYW_CLASS_SFU},
            {offsetof(struct byw_config, lat_dp), offsetof(struct byw_config, collect_dp),
             offsetof(struct byw_config, ii_dp), BYW_CLASS_DP}};

enum { UNITS = sizeof(unit) / sizeof(unit[0]) };

static inline uint32_t value(const struct byw_config *config, size_t offset)
{
    return *(const uint32_t *)(const void *)((const char *)config + offset);
}

#endif
