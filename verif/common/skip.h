/* SPDX-License-Identifier: Apache-2.0
 *
 * skip.h - ends a cmocka test that cannot run here.  `make test` prints the reason, which says what
 * is missing and how to get it: skip_because("no X; apt-get install X").
 */
#ifndef BYW_VERIF_SKIP_H
#define BYW_VERIF_SKIP_H

#define skip_because(...)                                                                          \
    do {                                                                                           \
        print_message("# SKIP " __VA_ARGS__);                                                      \
        print_message("\n");                                                                       \
        skip();                                                                                    \
    } while (0)

#endif
