/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_provenance.h - the origin of a result: its member `provenance`.
 *
 * All members are text except `processors`:
 *
 *     version, commit, sources   of byway: its number, the commit it was built from ("-dirty": with
 *                                changes), and a checksum of the code that determines results
 *     command                    the command that repeats it
 *     trace, trace_xxh128        path and checksum (trace/file/byw_trace_sum.h); null: the trace
 *                                was read from a pipe
 *     started                    when the run started, in UTC
 *     host, system, processors   where it ran
 *     libraries                  names and versions
 *
 * Results do not depend on it: comparisons ignore it, as they ignore `sim`.
 */
#ifndef BYW_PROVENANCE_H
#define BYW_PROVENANCE_H

#include <jansson.h>

/* A new reference, NULL if memory runs out. command and commit stay owned by the caller; sum: of
 * the trace, NULL: computed here. */
json_t *byw_provenance_json(const char *command, const char *commit, const char *trace,
                            const char *sum);

/* Identity of the build, "VERSION SOURCES": changes whenever a result could. */
const char *byw_provenance_build(void);

#endif
