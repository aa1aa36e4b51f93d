/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/cuda/byw_cu_fatbin.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#ifdef HAVE_LZ4
#include <lz4.h>
#define WITHOUT_LZ4 false
#else
#define WITHOUT_LZ4 true
#endif

#define WRAPPER 0x466243b1u
#define LINKED 2u /* version of a wrapper that lists the parts of a linked program */
#define CONTAINER 0xba55ed50u
#define ELF 0x464c457fu
#define PTX_KIND 1u
#define LZ4 0x2000u /* flags of an entry */
#define ZSTD 0x8000u
#define SPECIFIC 0x100000u /* for one architecture only: sm_90a */
#define ENTRY_LEAST 64u /* size of an entry's header */
#define TEXT_MOST                                                                                  \
    (1ull << 30) /* largest PTX accepted, so that a damaged size cannot ask for                    \
                    more */
#define LZ4_MOST 255u /* largest ratio of text to compressed bytes */

/* Little-endian fields of an entry, from its start. */
enum {
    ENTRY_KIND = 0,
    ENTRY_HEADER = 4,
    ENTRY_SIZE = 8, /* of the payload, padded */
    ENTRY_PAYLOAD = 16, /* compressed bytes */
    ENTRY_TARGET = 28,
    ENTRY_FLAGS = 40,
    ENTRY_EXPANDED = 56
};

static uint64_t field(const unsigned char *at, unsigned bytes)
{
    uint64_t value = 0;

    memcpy(&value, at, bytes);
    return value;
}

/* Unpacks an LZ4 block; false if it is damaged or does not fill `size` bytes. */
static bool expand_lz4(const unsigned char *data, size_t length, char *out, size_t size)
{
#ifdef HAVE_LZ4
    return length <= INT_MAX &&
           LZ4_decompress_safe((const char *)data, out, (int)length, (int)size) == (int)size;
#else
    (void)data, (void)length, (void)out, (void)size;
    return false;
#endif
}

/* Unpacks an entry's PTX. */
static enum byw_status take(const unsigned char *entry, uint64_t header, uint64_t size, char **text,
                            size_t *length, struct byw_diag *diag)
{
    uint64_t flags = field(entry + ENTRY_FLAGS, 8), packed = field(entry + ENTRY_PAYLOAD, 4);
    uint64_t expanded = field(entry + ENTRY_EXPANDED, 8);
    const unsigned char *data = entry + header;
    bool good = true;

    if ((flags & (LZ4 | ZSTD)) == 0)
        expanded = packed = packed != 0 && packed < size ? packed : size;
    if (packed > size || expanded > TEXT_MOST ||
        ((flags & ZSTD) == 0 && expanded > (packed + 1) * LZ4_MOST))
        return byw_diag_set(diag, BYW_EFORMAT, "fat binary: damaged sizes of its PTX");
    if ((flags & (LZ4 | ZSTD)) == LZ4 && WITHOUT_LZ4)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "fat binary: its PTX is compressed by LZ4, and byway was built without "
                            "liblz4; apt-get install liblz4-dev, then make");
    *text = calloc(1, expanded + 1);
    if (*text == NULL)
        return byw_no_memory(diag, "PTX");
    if ((flags & ZSTD) != 0)
        good = ZSTD_decompress(*text, expanded, data, packed) == expanded;
    else if ((flags & LZ4) != 0)
        good = expand_lz4(data, packed, *text, expanded);
    else
        memcpy(*text, data, expanded);
    *length = strlen(*text);
    if (good)
        return BYW_OK;
    free(*text);
    *text = NULL;
    return byw_diag_set(diag, BYW_EFORMAT, "fat binary: its compressed PTX is damaged");
}

static bool is_specific(const unsigned char *entry)
{
    return (field(entry + ENTRY_FLAGS, 8) & SPECIFIC) != 0;
}

/* Whether a device of the target can run an entry. */
static bool fits(const unsigned char *entry, unsigned target)
{
    uint64_t own = field(entry + ENTRY_TARGET, 4);

    return is_specific(entry) ? own == target : own <= target;
}

/* Whether entry `x` fits the target better than `y`. */
static bool is_better(const unsigned char *x, const unsigned char *y, unsigned target)
{
    uint64_t a = field(x + ENTRY_TARGET, 4), b = field(y + ENTRY_TARGET, 4);

    if (fits(x, target) != fits(y, target))
        return fits(x, target);
    if (a == b)
        return is_specific(x) && fits(x, target);
    return fits(x, target) ? a > b : a < b;
}

static enum byw_status search(const unsigned char *image, uint64_t room, unsigned target,
                              char **text, size_t *length, struct byw_diag *diag)
{
    uint64_t at = field(image + 6, 2), end = at + field(image + 8, 8), best_size = 0;
    const unsigned char *best = NULL;

    if (at < 16 || end < at || (room != 0 && end > room))
        return byw_diag_set(diag, BYW_EFORMAT, "fat binary: it is truncated");
    while (end - at >= ENTRY_LEAST) {
        const unsigned char *entry = image + at;
        uint64_t header = field(entry + ENTRY_HEADER, 4), size = field(entry + ENTRY_SIZE, 8);

        if (header < ENTRY_LEAST || header > end - at || size > end - at - header)
            return byw_diag_set(diag, BYW_EFORMAT, "fat binary: damaged entry at byte %llu",
                                (unsigned long long)at);
        if (field(entry + ENTRY_KIND, 2) == PTX_KIND &&
            (best == NULL || is_better(entry, best, target))) {
            best = entry;
            best_size = size;
        }
        at += header + size;
    }
    if (best == NULL)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "the program has machine code without PTX; compile it with byway nvcc, "
                            "or nvcc -arch=sm_NN, which embeds PTX");
    return take(best, field(best + ENTRY_HEADER, 4), best_size, text, length, diag);
}

/* Whether a unit is the toolkit's libcudadevrt, whose functions byway provides. */
static bool is_device_runtime(const char *text)
{
    return strstr(text, "cnpSetLastError") != NULL;
}

/* Appends PTX to *text as another unit; takes ownership of `more`. */
static enum byw_status join(char **text, size_t *length, char *more, size_t size,
                            struct byw_diag *diag)
{
    char *all;

    if (is_device_runtime(more)) {
        free(more);
        return BYW_OK;
    }
    all = realloc(*text, *length + size + 2);

    if (all != NULL) {
        all[*length] = '\n';
        memcpy(all + *length + 1, more, size + 1);
        *text = all;
        *length += size + 1;
    }
    free(more);
    return all != NULL ? BYW_OK : byw_no_memory(diag, "PTX");
}

/* A program linked by nvlink contains only machine code; its wrapper lists the inputs. */
static enum byw_status search_linked(const unsigned char *wrapper, unsigned target, char **text,
                                     size_t *length, struct byw_diag *diag)
{
    const void *const *part;
    enum byw_status status = BYW_OK;

    memcpy(&part, wrapper + 16, sizeof(part));
    *text = calloc(1, 1);
    *length = 0;
    for (; part != NULL && *part != NULL && status == BYW_OK; part++) {
        char *more;
        size_t size;

        status = byw_cu_find_ptx(*part, 0, target, &more, &size, diag);
        if (status == BYW_OK)
            status = join(text, length, more, size, diag);
    }
    if (status != BYW_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* The wrapper that nvcc adds to a program has the address of the fat binary. */
static enum byw_status unwrap(const unsigned char *wrapper, unsigned target, char **text,
                              size_t *length, struct byw_diag *diag)
{
    const unsigned char *data;
    enum byw_status status;

    memcpy(&data, wrapper + 8, sizeof(data));
    if (data != NULL && field(data, 4) == WRAPPER)
        return byw_diag_set(diag, BYW_EFORMAT, "fat binary: its wrapper contains another wrapper");
    status = byw_cu_find_ptx(data, 0, target, text, length, diag);
    return status == BYW_EUNSUPPORTED && field(wrapper + 4, 4) == LINKED
               ? search_linked(wrapper, target, text, length, diag)
               : status;
}

enum byw_status byw_cu_find_ptx(const void *image, size_t room, unsigned target, char **text,
                                size_t *length, struct byw_diag *diag)
{
    const unsigned char *bytes = image;
    uint32_t magic;

    *text = NULL;
    if (image == NULL || (room != 0 && room < 16))
        return byw_diag_set(diag, BYW_EFORMAT, "the module image is empty");
    magic = (uint32_t)field(bytes, 4);
    if (magic == WRAPPER && room != 0)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "fat binary: the file contains the wrapper of one, which refers to "
                            "memory; expected the fat binary itself");
    if (magic == WRAPPER)
        return unwrap(bytes, target, text, length, diag);
    if (magic == CONTAINER)
        return search(bytes, room, target, text, length, diag);
    if (magic == ELF)
        return byw_diag_set(
            diag, BYW_EUNSUPPORTED,
            "the module is machine code (a cubin) without PTX, which only a GPU can "
            "run; give the driver PTX or a fat binary with PTX");
    *length = room != 0 ? strnlen(image, room) : strlen(image);
    *text = strndup(image, *length);
    return *text != NULL ? BYW_OK : byw_no_memory(diag, "PTX");
}
