/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_files.h - a file as bytes, written and read whole.
 */
#ifndef TRACE_FILES_H
#define TRACE_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/test.h"

static inline void store(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline uint8_t *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data;

    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, f), *size);
    fclose(f);
    return data;
}

#endif
