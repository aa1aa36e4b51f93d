/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_counters.h - the counters of a result as a table: names, units, meanings, values.
 *
 * The rows are in byw_counters.def, those of mechanisms without hardware with the mechanism.
 * byw_counters_read() gives the value of each row that its source can give: rows about the whole
 * run need `run`, rows about an L1 need `l1`, and so on; the others are not set.
 */
#ifndef BYW_COUNTERS_H
#define BYW_COUNTERS_H

#include "study/job/byw_energy.h"

enum byw_counter_scope {
    BYW_SCOPE_RUN,
    BYW_SCOPE_L1,
    BYW_SCOPE_ENERGY,
    BYW_SCOPE_COST,
    BYW_SCOPE_SM,
    BYW_SCOPE_KERNEL,
    BYW_SCOPE_LOAD,
};

struct byw_counter {
    enum byw_counter_scope scope;
    const char *path; /* path in the JSON: "l1d.hits", "per_sm[].cycles_active" */
    const char *unit;
    const char *when; /* the event at which it counts, as text */
};

struct byw_counter_value {
    bool set, real;
    uint64_t count; /* !real */
    double ratio; /* real */
};

/* Performance of the simulator itself. */
struct byw_cost {
    double seconds; /* user CPU time */
    double peak_rss_mb;
};

/* Activity of an instruction below the L1s, and its energy without leakage. */
struct byw_load_use {
    struct byw_mem_use below;
    struct byw_energy energy;
};

/* Sources of values; NULL if not available. */
struct byw_counter_source {
    const struct byw_gpu_result *run;
    const struct byw_l1_stats *l1;
    const struct byw_energy *energy;
    const struct byw_cost *cost; /* given together with `run` */
    const struct byw_gpu_sm *sm;
    const struct byw_gpu_kernel *kernel;
    const struct byw_load_use *load;
    const struct byw_config *config; /* needed with l1: determines which mechanisms have counters */
};

size_t byw_counter_count(void);
struct byw_counter byw_counter(size_t i); /* i < byw_counter_count() */

/* values[byw_counter_count()] */
void byw_counters_read(const struct byw_counter_source *source, struct byw_counter_value *values);

#endif
