/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_source.h - the bytes of an input file, decompressed while reading.
 *
 * The compression (none, xz, zstd) is detected from the file's first bytes, never from its name.
 * Like the tools xz and zstd, it reads through concatenated xz streams and zstd frames.  A
 * compressed file that is cut short is an error, not an end.  Memory: one buffer of 256 KB on each
 * side plus the decompressor's needs (xz dictionaries above 256 MB and zstd windows above 128 MB
 * are rejected).
 */
#ifndef BYW_SOURCE_H
#define BYW_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

struct byw_source;

/* Path of a file named in a list (`length` bytes): next to the list, as written, or with a
 * compression suffix added or removed, because lists are often written before their files are
 * compressed.  False: there is no such file. */
bool byw_source_beside(const char *list, const char *name, size_t length, char *path, size_t room);

/* BYW_ENOENT: no such file. BYW_EIO: it cannot be read. BYW_EUNSUPPORTED: xz in a build without
 * liblzma. */
enum byw_status byw_source_open(const char *path, struct byw_source **source,
                                struct byw_diag *diag);
void byw_source_close(struct byw_source *source);

/* Name for messages; size of the file in bytes on disk (0 for a pipe). */
const char *byw_source_path(const struct byw_source *source);
uint64_t byw_source_file_bytes(const struct byw_source *source);

/* The next bytes, without taking them: at least `need` unless the input ends before.  *data is
 * valid until the next call. need <= BYW_SOURCE_WINDOW. */
#define BYW_SOURCE_WINDOW ((size_t)256 * 1024)
enum byw_status byw_source_peek(struct byw_source *source, size_t need, const uint8_t **data,
                                size_t *size, struct byw_diag *diag);
/* Takes `count` of the peeked bytes. */
void byw_source_take(struct byw_source *source, size_t count);

/* Reads up to `size` bytes into data; *got is less only at the end of the input. */
enum byw_status byw_source_read(struct byw_source *source, void *data, size_t size, size_t *got,
                                struct byw_diag *diag);
/* Skips `size` bytes (by seeking if possible); *got is less only at the end of the input. */
enum byw_status byw_source_skip(struct byw_source *source, uint64_t size, uint64_t *got,
                                struct byw_diag *diag);

#endif
