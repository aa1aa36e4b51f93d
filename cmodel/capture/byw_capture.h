/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_capture.h - runs a program under the tracing OpenCL runtime.
 *
 * Contract between the command and the runtime (libOpenCL.so.1), by environment variables:
 *
 *   BYWAY_TRACE   path of the BWT1 trace to write; unset or empty: kernels just run, untraced
 *   BYWAY_WARP    lanes of a warp, 32 (default) or 64
 *   BYWAY_LEVEL   zstd level of the trace, unset or 0 = the writer's default
 *   BYWAY_STATUS  number of an open socket on which the runtime reports (capture/byw_report.h)
 *                 milestones (enum byw_capture_note) and how its trace could be ended
 *   BYWAY_LEASH   number of the reading end of a pipe that only the command holds open: when it is
 *                 gone, every process that calls OpenCL is killed
 *   BYWAY_SOURCES  folder that gets the sources of the programs as 1.cl, 2.cl ...; a program whose
 *                 source is N.cl there is built from N.new.cl, if that exists
 *   BYWAY_CLANG   clang to compile kernels with, instead of the one that byw_clang.h finds
 *   BYWAY_CONSTANT  "global": buffers that are __constant arguments are read like __global ones
 *                 (byw_cl_scan.h)
 *   BYWAY_PTXAS   NVIDIA's assembler, which counts registers; "off": none (byw_ptxas.h)
 *   BYWAY_MACHINE  "off": traces get no machine code (byw_ptxas.h)
 *   BYWAY_STEPS   loop iterations a work-item may run (byw_cl_run.h)
 *   BYWAY_RESIDENT  work-groups that may wait for each other at a time (byw_cl_run.h)
 *   BYWAY_BOUNDS  "warn": reads out of bounds give zeros and are reported when the program ends
 *   BYWAY_MEMORY  limit in megabytes for one work-group's trace in memory; the trace is written in
 * parts, so only kernels that never end reach it BYWAY_CACHE   folder of compiled kernels, instead
 * of $XDG_CACHE_HOME/byway or ~/.cache/byway
 *
 * and those of capture/byw_bounds.h.
 *
 * The program itself is not changed: it is linked against any libOpenCL.so.1 and gets ours through
 * LD_LIBRARY_PATH or, if it searches elsewhere, through LD_AUDIT (cuda/audit).  The trace appears
 * when the program ends.  If it crashes, is killed or is ended by a signal or a time limit, the
 * trace has the finished launches and the work-groups of the last one that had been written; if
 * there are none, or a kernel accesses memory outside its buffers, there is no trace, and no
 * temporary file either.  The trace of a program that launches no kernel (a device query, a test of
 * copies) is empty. SIGINT, SIGQUIT, SIGTERM and SIGHUP are passed on to the program; a second one
 * kills it and all it started.  If the command is killed, the program is killed too, and no
 * temporary file remains.
 */
#ifndef BYW_CAPTURE_H
#define BYW_CAPTURE_H

#include "capture/byw_bounds.h"
#include "common/byw_status.h"

#define BYW_CAPTURE_ENV_TRACE "BYWAY_TRACE"
#define BYW_CAPTURE_ENV_WARP "BYWAY_WARP"
#define BYW_CAPTURE_ENV_LEVEL "BYWAY_LEVEL"
#define BYW_CAPTURE_ENV_STATUS "BYWAY_STATUS"
#define BYW_CAPTURE_ENV_LEASH "BYWAY_LEASH"
#define BYW_CAPTURE_ENV_SOURCES "BYWAY_SOURCES"
#define BYW_CAPTURE_ENV_PTX                                                                        \
    "BYWAY_PTX" /* folder that gets the PTX of traced kernels: 1.ptx ...                           \
                 */
#define BYW_CAPTURE_ENV_CONSTANT "BYWAY_CONSTANT"
#define BYW_CAPTURE_ENV_PTXAS "BYWAY_PTXAS"
#define BYW_CAPTURE_ENV_MACHINE "BYWAY_MACHINE"

/* "off": untraced kernels run as fibers only, never as loops over the work-items. */
#define BYW_CAPTURE_ENV_LOOPS "BYWAY_LOOPS"

enum byw_capture_note {
    BYW_CAPTURE_LOADED = 'L', /* the program called OpenCL, and used this runtime */
    BYW_CAPTURE_LAUNCHED = 'K', /* it launched a kernel */
    BYW_CAPTURE_FAILED = 'F', /* a kernel faulted, or the trace could not be written */
    BYW_CAPTURE_FINISHED = 'T', /* the trace is in place */
    BYW_CAPTURE_OPENED = 'O', /* a trace was opened; the message carries its file descriptor */
    BYW_CAPTURE_SEALED = 'S', /* the message says how to complete that file if the program dies */
    BYW_CAPTURE_REFUSED = 'R', /* byway could not compile or load a program; the message says why */
    BYW_CAPTURE_SKIPPED =
        'X', /* a launch of a kernel that byway cannot run; the message says why */
    BYW_CAPTURE_CUT = 'C', /* the program, or the kernel itself, ends a launch */
};

struct byw_capture_limits {
    struct byw_bounds_request bounds; /* which launches are kept */
    uint64_t seconds; /* time after which the program is ended; 0: never */
    int signal; /* result: the user's signal that ended the program; 0: none */
};

/* Runs argv[] (argv[0] found on PATH), tracing into `out`. warp: 32 or 64. The runtime is taken
 * from lib/ next to the running binary, or from ../lib, or from $BYWAY_LIB. BYW_OK: the trace
 * exists; diag then has a remark if the program's exit status was not 0, several of its processes
 * wrote a trace, it launched no kernel, or the time limit ended it, else it is empty. BYW_ENOENT:
 * no such program. BYW_ECHECK: there is no complete trace. Either byway lacks something that it
 * needs (byw_ready.h) and did not start the program; or it could not compile a kernel, or run one
 * that was launched; or the program ended too early or launched nothing that was traced. diag gives
 * the reason and the contents of the trace; an older trace stays unless a new one was written.
 * BYW_EINVAL: `warp` or an environment variable has a wrong value. */
enum byw_status byw_capture_run(const char *out, unsigned warp, char *const argv[],
                                struct byw_diag *diag);
enum byw_status byw_capture_run_limited(const char *out, unsigned warp,
                                        struct byw_capture_limits *limits, char *const argv[],
                                        struct byw_diag *diag);

#endif
