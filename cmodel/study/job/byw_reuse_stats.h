/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reuse_stats.h - reuse in streams of line references (trace/stats/byw_reuse.h) as shares, for
 * figures and claims:
 *
 *   requests            references
 *   no_reuse, reused    shares of the references: to lines referenced once; to others
 *   launch_no_reuse     no_reuse if a launch begins with an empty L1; runs only
 *   lines.1 .2 .3 .4    shares of the lines that are referenced once, twice, 3 times, more often
 *   distance.0 .1 .2 .4 ... .2048   shares of the re-references by re-reference distance; a bin is
 *                       named by its lowest distance
 */
#ifndef BYW_REUSE_STATS_H
#define BYW_REUSE_STATS_H

#include <jansson.h>

#include "top/byw_recorder.h"
#include "trace/stats/byw_reuse.h"

/* New reference; NULL when memory is short. */
json_t *byw_reuse_stats_json(const struct byw_reuse_counts *counts);

/* Reuse among the loads that the L1Ds of a run did not bypass, with each SM as a separate stream.
 * BYW_ENOMEM. */
enum byw_status byw_reuse_stats_run(const struct byw_recorder *recorders, uint32_t count,
                                    json_t **json);

#endif
