/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_named.h - things of one kind (machines, policies, traces): as given, and as shown.
 *
 * Each is once in the list however often it is given.  A short name that another has gives way to
 * the path.
 */
#ifndef BYW_NAMED_H
#define BYW_NAMED_H

#include "study/job/byw_setup.h"

struct byw_named {
    const char *noun; /* of the option */
    size_t most, count, given_room, name_room;
    char **given, **name;
};

/* The place of a thing that is added unless it is there; *added (may be NULL).  BYW_EINVAL when
 * there are `most` already. */
enum byw_status byw_named_add(struct byw_named *list, const char *given, size_t *place, bool *added,
                              struct byw_diag *diag);
void byw_named_release(struct byw_named *list);

#endif
