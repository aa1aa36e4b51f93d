/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_source.h - bytes of an input file, decompressed on the way.
 *
 * The compression (none, xz, zstd) is found from the file's first bytes, never from its name.
 * Concatenated xz streams and zstd frames are read through, as their tools do.  A compressed file
 * that stops before its end is an error, not an end.  Memory: one buffer of 256 KB each side plus
 * what the decompressor needs (xz dictionaries above 256 MB and zstd windows above 128 MB are
 * refused).
 */
#ifndef BYW_SOURCE_H
#define BYW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

struct byw_source;

/* Path of the file that a list names (`length` bytes): next to the list, as written, or with a
 * compression's suffix added or taken away, because lists are often written before their files
 * are compressed.  false: there is no such file. */
bool byw_source_beside(const char *list, const char *name, size_t length, char *path, size_t room);

/* BYW_ENOENT no such file; BYW_EIO; BYW_EUNSUPPORTED xz in a build without liblzma. */
enum byw_status byw_source_open(const char *path, struct byw_source **source,
                                struct byw_diag *diag);
void byw_source_close(struct byw_source *source);

/* Name for messages, and the file's bytes on disk (0 for a pipe). */
const char *byw_source_path(const struct byw_source *source);
uint64_t byw_source_file_bytes(const struct byw_source *source);

/* The next bytes without taking them: at least `need` of them unless the input ends before.
 * *data stays valid until the next call.  need <= BYW_SOURCE_WINDOW. */
#define BYW_SOURCE_WINDOW ((size_t)256 * 1024)
enum byw_status byw_source_peek(struct byw_source *source, size_t need, const uint8_t **data,
                                size_t *size, struct byw_diag *diag);
/* Takes `count` of the peeked bytes. */
void byw_source_take(struct byw_source *source, size_t count);

/* Up to `size` bytes into data; *got is less only at the end of the input. */
enum byw_status byw_source_read(struct byw_source *source, void *data, size_t size, size_t *got,
                                struct byw_diag *diag);
/* Passes over `size` bytes (seeks where it can); *got is less only at the end of the input. */
enum byw_status byw_source_skip(struct byw_source *source, uint64_t size, uint64_t *got,
                                struct byw_diag *diag);

#endif
