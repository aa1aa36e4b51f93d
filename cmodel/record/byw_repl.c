/* SPDX-License-Identifier: Apache-2.0 */
#include "record/byw_repl.h"

#include "common/byw_config.h"

static const struct byw_repl_ops *const registry[] = {
    [BYW_REPL_LRU] = &byw_repl_lru,
    [BYW_REPL_SRRIP] = &byw_repl_srrip,
};

const struct byw_repl_ops *byw_repl(uint32_t kind)
{
    return kind < sizeof(registry) / sizeof(registry[0]) ? registry[kind] : NULL;
}
