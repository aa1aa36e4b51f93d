/* SPDX-License-Identifier: Apache-2.0
 *
 * test.h - cmocka, with the headers that must come before it.
 *
 * skip_because("no X; apt-get install X") ends a test that cannot run here.  `make test` prints the
 * reason, which must say what is missing and how to get it.
 */
#ifndef BYW_VERIF_TEST_H
#define BYW_VERIF_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define skip_because(...)                                                                          \
    do {                                                                                           \
        print_message("# SKIP " __VA_ARGS__);                                                      \
        print_message("\n");                                                                       \
        skip();                                                                                    \
    } while (0)

#endif
