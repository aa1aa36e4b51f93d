/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_store.h - the folder with the results of a sweep: DIR/runs/ID.json, one for each run.
 *
 * A result appears whole or not at all (common/byw_file.h), so a sweep that is killed, or whose
 * disk is full, leaves results that are good, and the next one goes on from there.  Several
 * processes, on one machine or on several with one file system, can fill one folder: who runs a
 * point holds a lock on a byte of DIR/claims, which a killed process loses.
 */
#ifndef BYW_STORE_H
#define BYW_STORE_H

#include "study/job/byw_result_json.h"
#include "study/job/byw_setup.h"

struct byw_store;

enum byw_store_mode {
    BYW_STORE_READ, /* there must be results */
    BYW_STORE_WRITE, /* the folder is made unless it is there */
    BYW_STORE_LOOK, /* nothing is made or removed; a folder that is not there has no results */
};

/* BYW_ENOENT when it has no results to be read, BYW_EIO when it cannot be written. */
enum byw_status byw_store_open(const char *path, enum byw_store_mode mode, struct byw_store **store,
                               struct byw_diag *diag);
void byw_store_close(struct byw_store *store);
const char *byw_store_path(const struct byw_store *store);

/* Whether a result is there (not whether it is whole). */
bool byw_store_has(const struct byw_store *store, const char *id);
/* False when another process has the point.  The claim is given back by _release. */
bool byw_store_claim(struct byw_store *store, const char *id);
void byw_store_release(struct byw_store *store, const char *id);

/* Keeps a result, whose member `run_id` becomes id. */
enum byw_status byw_store_put(struct byw_store *store, const char *id, json_t *result,
                              struct byw_diag *diag);
/* A new reference.  BYW_EFORMAT for a file that is no result of that id (cut or changed by others).
 */
enum byw_status byw_store_get(const struct byw_store *store, const char *id, json_t **result,
                              struct byw_diag *diag);
/* The same, *result NULL where there is none; a file that is no result of that id is removed
 * (BYW_STORE_LOOK: does not count). */
enum byw_status byw_store_find(struct byw_store *store, const char *id, json_t **result,
                               struct byw_diag *diag);
/* Ids of all results, sorted. */
enum byw_status byw_store_list(const struct byw_store *store, struct byw_names *ids,
                               struct byw_diag *diag);

#endif
