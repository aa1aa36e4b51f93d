/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cache.h - the cache on disk: compiled kernels and decoded text traces.  It is in
 * $BYWAY_CACHE, else $XDG_CACHE_HOME/byway, else ~/.cache/byway; where the last two cannot be
 * written, in $TMPDIR/byway-UID or /tmp/byway-UID.  It is used only if nobody else can change what
 * is in it (byw_private.h).  Kernels are in that folder, traces in its folder `traces`.
 *
 * Kernels and traces together take at most BYWAY_CACHE_MB megabytes (10^6 bytes, default 4000):
 * after an addition, the least recently used files are removed.  Files are written under another
 * name and then renamed, and are removed by unlinking, so processes that share the cache need no
 * lock: a process that has a removed file open can still read it, and one that does not find it
 * creates it again.  Files that byway does not write there are never counted or removed.
 */
#ifndef BYW_CACHE_H
#define BYW_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

enum byw_cache_part { BYW_CACHE_KERNELS, BYW_CACHE_TRACES, BYW_CACHE_PARTS };

enum { BYW_CACHE_PATH = PATH_MAX };

/* Files and bytes of each part, and the limit in bytes. */
struct byw_cache_use {
    uint64_t files[BYW_CACHE_PARTS], bytes[BYW_CACHE_PARTS], limit;
};

/* Returns the folder of a part. make: creates it if needed and checks that it is private. BYW_EIO:
 * it cannot be written; BYW_ECHECK: others can change its content, so nothing in it may be used. */
enum byw_status byw_cache_folder(enum byw_cache_part part, bool make, char folder[BYW_CACHE_PATH],
                                 struct byw_diag *diag);

/* BYW_EINVAL if BYWAY_CACHE_MB cannot be parsed. */
enum byw_status byw_cache_limit(uint64_t *bytes, struct byw_diag *diag);

/* Marks the file as used now. */
void byw_cache_touch(const char *path);

/* Removes files until the cache is within its limit; files that cannot be removed stay. */
void byw_cache_trim(void);

enum byw_status byw_cache_look(struct byw_cache_use *use, struct byw_diag *diag);

/* Empties the cache; *use: what was removed. */
enum byw_status byw_cache_clear(struct byw_cache_use *use, struct byw_diag *diag);

#endif
