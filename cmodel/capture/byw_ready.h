/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ready.h - what a capture needs, checked before the program starts: the runtime's libraries,
 * clang, the cache of compiled kernels, and BYWAY_DEVICE.
 */
#ifndef BYW_READY_H
#define BYW_READY_H

#include <limits.h>

#include "capture/byw_cl_sweeper.h"
#include "common/byw_status.h"

#define BYW_READY_OPENCL "libOpenCL.so.1"

struct byw_ready {
    char folder[PATH_MAX]; /* of the libraries, in a form that the loader's lists accept */
    char cache[PATH_MAX]; /* folder to use instead of the cache; empty: use the cache */
    /* descriptor of the libraries' folder, if `folder` is a /proc path that needs it; else -1 */
    int fd;
    struct byw_cl_sweeper sweeper; /* removes `cache` */
};

/* BYW_OK: *ready must be closed after the program has ended; remark.text has a sentence when the
 * cache is not used, else it is empty.  Else the message says what is missing and the command that
 * helps. */
enum byw_status byw_ready_open(struct byw_ready *ready, struct byw_diag *remark,
                               struct byw_diag *diag);
void byw_ready_close(struct byw_ready *ready);

/* Folder of the running binary. */
void byw_ready_self(char binary[PATH_MAX - 32]);

/* The folder of the tracing libraries; BYW_ENOENT: they are not built. */
enum byw_status byw_ready_runtime(char folder[PATH_MAX], struct byw_diag *diag);

/* Whether kernels can be compiled in the cache: it can be written and has room. BYW_ECHECK: another
 * user owns the folder or can change it. */
enum byw_status byw_ready_cache(struct byw_diag *diag);

#endif
