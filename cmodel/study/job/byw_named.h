/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_named.h - items of one kind (machines, policies, traces): as given, and as shown.
 *
 * An item is listed once even if given repeatedly. If two have the same short name, they are shown
 * by path.
 */
#ifndef BYW_NAMED_H
#define BYW_NAMED_H

#include "study/job/byw_setup.h"

struct byw_named {
    const char *noun; /* name of the option, for messages */
    size_t most, count, given_room, name_room;
    char **given, **name;
};

/* Index of an item, which is added if new; *added (may be NULL): whether it was. BYW_EINVAL if
 * there are already `most`. */
enum byw_status byw_named_add(struct byw_named *list, const char *given, size_t *place, bool *added,
                              struct byw_diag *diag);
void byw_named_release(struct byw_named *list);

#endif
