/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_process.h - the captured process: its settings, the buffers of its programs, and the trace
 * that its launches write. OpenCL and CUDA are two interfaces to it.
 */
#ifndef BYW_CL_PROCESS_H
#define BYW_CL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/byw_cl_device.h"
#include "capture/run/byw_cl_run.h"

/* Reads the settings and reports to the command that the program has loaded the runtime, once; the
 * other functions call it where they need it. */
void byw_cl_process_start(void);

const struct byw_cl_device *byw_cl_device_claims(void);
bool byw_cl_tracing(void);
bool byw_cl_bounded(void); /* some launches may be untraced, and run without the log */

/* Lanes of a warp: the device's sub-groups. */
uint32_t byw_cl_warp_size(void);

/* Zeroed buffer memory at reproducible addresses; NULL if out of memory. */
void *byw_cl_arena_take(size_t size);
/* Allocates memory at the address of a buffer that was given back; false: something else is
 * there. */
bool byw_cl_arena_retake(void *data, size_t size);
/* Reserves addresses without access, at a multiple of `align`, a power of two of at least a
 * page. */
void *byw_cl_arena_reserve(size_t size, size_t align);
void byw_cl_arena_give(void *data, size_t size);
/* Bytes of the buffer that begins at an address; 0: there is none. */
size_t byw_cl_arena_size(const void *data);
/* Whether bytes lie in one buffer. */
bool byw_cl_arena_contains(const void *data, size_t size);

/* The buffer nearest to an address; false: there is none. Only while a kernel runs. */
bool byw_cl_arena_nearest(uint64_t address, uint64_t *base, uint64_t *size);

/* Runs a launch, traced if this process is captured and the launch is within its bounds. find_plain
 * sets program and kernel of `plain`, a copy of the launch, to the code compiled without the log;
 * it is called when something is not traced, and does nothing if there is no such code. A kernel
 * that faults ends the process, since its memory cannot be trusted. False: it could not be run. */
bool byw_cl_execute(struct byw_cl_launch *launch,
                    void (*find_plain)(void *context, struct byw_cl_launch *plain), void *context);

/* Called by a kernel: ends its launch at once, and byw_cl_execute() returns false. The trace has
 * the groups that have ended; ends the process where a part of the current group is written
 * already. */
_Noreturn void byw_cl_end_launch(void);

uint64_t byw_cl_now(void); /* nanoseconds of a clock that only goes forwards */

/* Prints a message as "byway: ..." on stderr. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void byw_cl_say(const char *format, ...);

/* Tells the command why a program could not be compiled or loaded.  broken: byway itself failed (no
 * clang, a full disk), so the trace would lack what ran on a GPU, and none is written. */
void byw_cl_refuse(const char *why, bool broken);

/* Counts a launch of a kernel that byway cannot run, and tells the command why. */
void byw_cl_skip_launch(const char *why);

#endif
