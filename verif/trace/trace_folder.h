/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_folder.h - a folder for the files that a test program writes.
 *
 * cmocka_run_group_tests(tests, make_folder, remove_folder); each test removes its own files, and
 * the program fails at its end if one remains.
 */
#ifndef TRACE_FOLDER_H
#define TRACE_FOLDER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/test.h"

static char folder[96];

static void path_of(char path[192], const char *name)
{
    snprintf(path, 192, "%s/%s", folder, name);
}

static int make_folder(void **state)
{
    const char *dir = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof(folder), "%.60s/byway-trace-XXXXXX", dir != NULL ? dir : "/tmp");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Removes an Accel-Sim trace: its folder with kernel-1.traceg and so on, and kernelslist.g. */
static inline void remove_text(const char *path, uint32_t kernels)
{
    char name[256];

    for (uint32_t k = 1; k <= kernels; k++) {
        snprintf(name, sizeof(name), "%s/kernel-%u.traceg", path, k);
        assert_int_equal(unlink(name), 0);
    }
    snprintf(name, sizeof(name), "%s/kernelslist.g", path);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(path), 0);
}

#endif
