/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_store.h - compiled programs in the cache: loaded only if this user alone could have
 * written them (common/byw_private.h) and they are complete; private to the compilers.
 *
 * A stored object ends with a seal: a checksum of its content and its name. An object without a
 * seal, or with a wrong one, is removed and compiled again.
 */
#ifndef BYW_CL_STORE_H
#define BYW_CL_STORE_H

#include <stdbool.h>

#include "capture/compile/byw_cl_workshop.h"

struct byw_cl_store {
    char folder[BYW_CL_PATH]; /* where programs are compiled */
    bool keeps; /* false: the cache cannot be trusted, so `folder` is for temporary files only, and
                   nothing is kept */
};

/* Finds the folder of the cache. If others can change its files, reports once which folder is used
 * instead.  BYW_EIO: no folder can be written. */
enum byw_status byw_cl_store_open(struct byw_cl_store *store, struct byw_diag *diag);

/* Loads the object with this name; false: it must be compiled. */
bool byw_cl_store_take(const struct byw_cl_store *store, const char *name,
                       struct byw_cl_binary **binary);

/* Loads a new object and then keeps it under this name. */
enum byw_status byw_cl_store_put(const struct byw_cl_store *store, const char *object,
                                 const char *name, struct byw_cl_binary **binary,
                                 struct byw_diag *diag);

/* _seal appends a seal and syncs the file; _is_sealed: whether an open file has the right one
 * (byw_cl_seal.c). */
bool byw_cl_seal(const char *path, const char *name);
bool byw_cl_is_sealed(int fd, const char *name);

#endif
