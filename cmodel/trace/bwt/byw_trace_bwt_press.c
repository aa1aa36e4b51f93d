/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_trace_bwt_press.h"

#include <stdlib.h>
#include <zstd.h>

#define LARGE (1u << 18) /* bytes from which a block uses a digested prefix and its history */
#define WINDOW_LOG 22 /* covers a prefix and a block of the target size */
#define HARD_LEVEL 1 /* level after a block that kept more than HARD / HARD_OF of its bytes */
#define HARD 3
#define HARD_OF 4
#define MIXED_LEVEL 4 /* highest level after a block that kept more than 1 / MIXED_OF */
#define MIXED_OF 16 /* a block that keeps less is regular: more effort pays */
#define REGULAR_LEVEL 12

struct byw_bwt_press {
    ZSTD_CCtx *context;
    int level;
    struct byw_bytes again; /* output of a second attempt */
    uint32_t code; /* kernel code of the last large block */
    size_t raw, stored; /* sizes of the last large block; raw 0: there is none */
    /* zstd's preprocessed prefix; refPrefix would preprocess it again for every block. */
    ZSTD_CDict *digest;
    const struct byw_bytes *digested; /* NULL: none */
    int digest_level;
};

struct byw_bwt_press *byw_bwt_press_create(int level)
{
    struct byw_bwt_press *press = calloc(1, sizeof(*press));

    if (press == NULL)
        return NULL;
    press->level = level;
    press->context = ZSTD_createCCtx();
    if (press->context == NULL) {
        free(press);
        return NULL;
    }
    return press;
}

void byw_bwt_press_free(struct byw_bwt_press *press)
{
    if (press == NULL)
        return;
    ZSTD_freeCDict(press->digest);
    byw_bytes_release(&press->again);
    ZSTD_freeCCtx(press->context);
    free(press);
}

static bool digest(struct byw_bwt_press *press, const struct byw_bytes *prefix, int level)
{
    if (press->digested == prefix && press->digest_level == level)
        return true;
    ZSTD_freeCDict(press->digest);
    press->digest = ZSTD_createCDict(prefix->data, prefix->size, level);
    press->digested = press->digest == NULL ? NULL : prefix;
    press->digest_level = level;
    return press->digest != NULL;
}

/* The level after a large block of the same kernel. */
static int level_for(const struct byw_bwt_press *press)
{
    if (press->stored > press->raw / HARD_OF * HARD && press->level > HARD_LEVEL)
        return HARD_LEVEL;
    if (press->stored > press->raw / MIXED_OF && press->level > MIXED_LEVEL)
        return MIXED_LEVEL;
    return press->level;
}

static size_t compress(struct byw_bwt_press *press, const struct byw_bytes *raw,
                       const struct byw_bytes *prefix, int level, struct byw_bytes *out)
{
    size_t size;

    if (!byw_bytes_reserve(out, ZSTD_compressBound(raw->size)))
        return SIZE_MAX;
    ZSTD_CCtx_reset(press->context, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(press->context, ZSTD_c_compressionLevel, level);
    if (prefix != NULL) {
        ZSTD_CCtx_setParameter(press->context, ZSTD_c_windowLog, WINDOW_LOG);
        if (raw->size >= LARGE && level != REGULAR_LEVEL && digest(press, prefix, level))
            ZSTD_CCtx_refCDict(press->context, press->digest);
        else
            ZSTD_CCtx_refPrefix(press->context, prefix->data, prefix->size);
    }
    size = ZSTD_compress2(press->context, out->data, out->room, raw->data, raw->size);
    return ZSTD_isError(size) ? SIZE_MAX : size;
}

/* Compresses a block again with more effort; `size` is its size so far. */
static size_t try_again(struct byw_bwt_press *press, const struct byw_bytes *raw,
                        const struct byw_bytes *prefix, struct byw_bytes *out, size_t size)
{
    size_t again = compress(press, raw, prefix, REGULAR_LEVEL, &press->again);

    if (again < size) {
        struct byw_bytes swap = *out;

        *out = press->again;
        press->again = swap;
        return again;
    }
    return size;
}

size_t byw_bwt_press(struct byw_bwt_press *press, uint32_t code, const struct byw_bytes *raw,
                     const struct byw_bytes *prefix, struct byw_bytes *out, bool *prefixed)
{
    bool large = raw->size >= LARGE, known = press->raw != 0 && press->code == code;
    int level = large && known ? level_for(press) : press->level;
    size_t size;

    *prefixed = prefix != NULL && (level != HARD_LEVEL || press->level == HARD_LEVEL);
    if (!*prefixed)
        prefix = NULL;
    size = compress(press, raw, prefix, level, out);
    if (size < raw->size / MIXED_OF && level < REGULAR_LEVEL && !(large && known))
        size = try_again(press, raw, prefix, out, size);
    if (large && size != SIZE_MAX) {
        press->code = code;
        press->raw = raw->size;
        press->stored = size;
    }
    return size;
}
