/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_store.h - the folder with the results of a sweep: DIR/runs/ID.json, one per run.
 *
 * A result appears whole or not at all (common/byw_file.h), so a sweep that is killed, or whose
 * disk is full, leaves valid results, and the next one resumes. Several processes, on one machine
 * or on several with a shared file system, can fill one folder: the process that runs a point holds
 * a lock on a byte of DIR/claims, which the system releases if it is killed.
 */
#ifndef BYW_STORE_H
#define BYW_STORE_H

#include "study/job/byw_result_json.h"
#include "study/job/byw_setup.h"

struct byw_store;

enum byw_store_mode {
    BYW_STORE_READ, /* there must be results */
    BYW_STORE_WRITE, /* the folder is created if it does not exist */
    BYW_STORE_LOOK, /* nothing is created or removed; a missing folder has no results */
};

/* BYW_ENOENT if it has no readable results, BYW_EIO if it cannot be written. */
enum byw_status byw_store_open(const char *path, enum byw_store_mode mode, struct byw_store **store,
                               struct byw_diag *diag);
void byw_store_close(struct byw_store *store);
const char *byw_store_path(const struct byw_store *store);

/* Whether a result exists (not whether it is valid). */
bool byw_store_has(const struct byw_store *store, const char *id);
/* False if another process has claimed the point. _release drops the claim. */
bool byw_store_claim(struct byw_store *store, const char *id);
void byw_store_release(struct byw_store *store, const char *id);

/* Stores a result, whose member `run_id` becomes id. */
enum byw_status byw_store_put(struct byw_store *store, const char *id, json_t *result,
                              struct byw_diag *diag);
/* A new reference. BYW_EFORMAT for a file that is not the result with that id (truncated or
 * changed). */
enum byw_status byw_store_get(const struct byw_store *store, const char *id, json_t **result,
                              struct byw_diag *diag);
/* The same, with *result NULL if there is none; a file that is not the result with that id is
 * removed (BYW_STORE_LOOK: ignored). */
enum byw_status byw_store_find(struct byw_store *store, const char *id, json_t **result,
                               struct byw_diag *diag);
/* Ids of all results, sorted. */
enum byw_status byw_store_list(const struct byw_store *store, struct byw_names *ids,
                               struct byw_diag *diag);

#endif
