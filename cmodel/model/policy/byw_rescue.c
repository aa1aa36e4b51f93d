/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_rescue.h"

#include "common/byw_mech.h"

struct byw_rescues byw_rescues_of(const struct byw_config *config)
{
    return (struct byw_rescues){
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    .unit = (uint8_t)config->unit,
#include "configs/byw_rescues.def"
#undef RESCUE
    };
}

bool byw_rescues_on(const struct byw_rescues *rescues)
{
    uint32_t on = 0;

#define RESCUE(unit, field, width, mech, key, choices, on_, paper, sentence, meaning)              \
    on |= rescues->unit;
#include "configs/byw_rescues.def"
#undef RESCUE
    return on != 0;
}

bool byw_rescue(const struct byw_rescues *rescues, const struct byw_refused *load)
{
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    if (byw_##unit(rescues->unit, load))                                                           \
        return true;
#include "configs/byw_rescues.def"
#undef RESCUE
    return false;
}

/* The registry entry (common/byw_mech.h) of each rule. */
#define RESCUE(unit_, field, width, mech, key, choices, on_, paper_, sentence_, meaning)           \
    const struct byw_mech byw_mech_##mech = {.name = #mech,                                        \
                                             .paper = paper_,                                      \
                                             .sentence = sentence_,                                \
                                             .enable = key,                                        \
                                             .on = on_,                                            \
                                             .unit = #unit_};
#include "configs/byw_rescues.def"
#undef RESCUE
