/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_search.h - a policy with a searched key: search.key names it, search.values the values to
 * try.
 *
 * The run is made with each value, and the one with the highest IPC is the result (the first of
 * equal ones); its member `search` has the key, the value, and IPC and hit rate for every value. So
 * a policy file can say "the best static distance for each workload".
 */
#ifndef BYW_SEARCH_H
#define BYW_SEARCH_H

#include "common/byw_config.h"

enum { BYW_SEARCH_VALUES = 512 };

/* Whether the configuration requests a search. */
bool byw_search_wanted(const struct byw_config *config);

/* Parses "1-16 20-64/4 100": ranges with a step, in the given order.  BYW_EINVAL with a sentence;
 * every value is one that search.key accepts. */
enum byw_status byw_search_list(const struct byw_config *config, uint32_t values[BYW_SEARCH_VALUES],
                                size_t *count, struct byw_diag *diag);

/* Sets search.key to a value. */
enum byw_status byw_search_set(struct byw_config *config, uint32_t value, struct byw_diag *diag);

#endif
