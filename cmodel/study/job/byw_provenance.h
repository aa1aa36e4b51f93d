/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_provenance.h - where a result comes from: its member `provenance`.
 *
 * All of it is text but `processors`:
 *
 *     version, commit, sources   of byway: its number, the commit it was built from ("-dirty": with
 *                                changes), and a checksum of the code that decides results
 *     command                    which repeats it
 *     trace, trace_xxh128        path and checksum (trace/stats/byw_trace_sum.h); null: read from a
 * pipe started                    in UTC host, system, processors   where it ran libraries names
 * and versions
 *
 * Results are the same whatever it says: comparisons leave it out, as they do `sim`.
 */
#ifndef BYW_PROVENANCE_H
#define BYW_PROVENANCE_H

#include <jansson.h>

/* A new reference, NULL when memory is short.  command and commit are the caller's; sum: of the
 * trace, NULL: computed here. */
json_t *byw_provenance_json(const char *command, const char *commit, const char *trace,
                            const char *sum);

/* What the build is: changes whenever a result could.  "VERSION SOURCES". */
const char *byw_provenance_build(void);

#endif
