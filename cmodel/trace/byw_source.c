/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "common/byw_input.h"

#define XZ_MEMORY_MAX (272ull << 20)
#define ZSTD_WINDOW_LOG_MAX 27

enum packing { PLAIN, XZ, ZSTD };

struct byw_source {
    char *path;
    FILE *stream;
    uint64_t file_bytes;
    uint64_t file_at; /* bytes taken from the stream so far */
    bool regular;
    enum packing packing;
    bool stream_end; /* the end of the file was reached */
    bool at_end; /* nothing more will be added to `out` */
    bool open_frame; /* ZSTD: inside a frame */
    ZSTD_DCtx *zstd;
#ifdef HAVE_LZMA
    lzma_stream lzma;
#endif
    uint8_t *in; /* packed bytes; in_at .. in_end are unused so far */
    size_t in_at, in_end;
    uint8_t *out; /* plain bytes; out_at .. out_end have not been taken yet */
    size_t out_at, out_end;
};

static enum byw_status damaged(const struct byw_source *s, const char *what, struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: the compressed data is damaged or cut short near byte %llu (%s)",
                        s->path, (unsigned long long)s->file_at, what);
}

static enum byw_status read_file(struct byw_source *s, uint8_t *to, size_t room, size_t *got,
                                 struct byw_diag *diag)
{
    *got = s->stream_end ? 0 : fread(to, 1, room, s->stream);
    s->file_at += *got;
    if (*got < room && !s->stream_end) {
        if (ferror(s->stream))
            return byw_diag_set(diag, BYW_EIO, "%s: read failed at byte %llu (%s)", s->path,
                                (unsigned long long)s->file_at, strerror(errno));
        s->stream_end = true;
    }
    return BYW_OK;
}

static enum byw_status fill_zstd(struct byw_source *s, struct byw_diag *diag)
{
    ZSTD_inBuffer in = {.src = s->in, .size = s->in_end, .pos = s->in_at};
    ZSTD_outBuffer out = {.dst = s->out, .size = BYW_SOURCE_WINDOW, .pos = s->out_end};
    size_t left = ZSTD_decompressStream(s->zstd, &out, &in);

    if (ZSTD_isError(left))
        return damaged(s, ZSTD_getErrorName(left), diag);
    /* No progress, and no input left: the end of the file is missing. */
    if (s->stream_end && in.pos == s->in_at && out.pos == s->out_end) {
        if (s->open_frame)
            return damaged(s, "the last frame is not complete", diag);
        s->at_end = true;
    }
    if (in.pos != s->in_at || out.pos != s->out_end)
        s->open_frame = left != 0;
    s->in_at = in.pos;
    s->out_end = out.pos;
    return BYW_OK;
}

#ifdef HAVE_LZMA
static enum byw_status fill_xz(struct byw_source *s, struct byw_diag *diag)
{
    lzma_ret ret;

    s->lzma.next_in = s->in + s->in_at;
    s->lzma.avail_in = s->in_end - s->in_at;
    s->lzma.next_out = s->out + s->out_end;
    s->lzma.avail_out = BYW_SOURCE_WINDOW - s->out_end;
    ret = lzma_code(&s->lzma, s->stream_end ? LZMA_FINISH : LZMA_RUN);
    s->in_at = s->in_end - s->lzma.avail_in;
    s->out_end = BYW_SOURCE_WINDOW - s->lzma.avail_out;
    if (ret == LZMA_STREAM_END)
        s->at_end = true;
    else if (ret == LZMA_MEMLIMIT_ERROR)
        return damaged(s, "its dictionary is larger than 256 MB", diag);
    else if (ret == LZMA_BUF_ERROR && s->stream_end)
        return damaged(s, "the file ends inside a stream", diag);
    else if (ret != LZMA_OK && ret != LZMA_BUF_ERROR)
        return damaged(s, "liblzma rejects it", diag);
    return BYW_OK;
}
#endif

/* Moves the unread bytes to the front and adds at least one byte, unless the end is reached. */
static enum byw_status fill(struct byw_source *s, struct byw_diag *diag)
{
    size_t before, got;
    enum byw_status st;

    memmove(s->out, s->out + s->out_at, s->out_end - s->out_at);
    s->out_end -= s->out_at;
    s->out_at = 0;
    before = s->out_end;
    if (s->packing == PLAIN) {
        st = read_file(s, s->out + s->out_end, BYW_SOURCE_WINDOW - s->out_end, &got, diag);
        s->out_end += got;
        s->at_end = s->stream_end;
        return st;
    }
    while (!s->at_end && s->out_end == before) {
        if (s->in_at == s->in_end && !s->stream_end) {
            st = read_file(s, s->in, BYW_SOURCE_WINDOW, &got, diag);
            if (st != BYW_OK)
                return st;
            s->in_at = 0;
            s->in_end = got;
        }
#ifdef HAVE_LZMA
        st = (s->packing == XZ) ? fill_xz(s, diag) : fill_zstd(s, diag);
#else
        st = fill_zstd(s, diag);
#endif
        if (st != BYW_OK)
            return st;
    }
    return BYW_OK;
}

static enum byw_status start_unpacking(struct byw_source *s, struct byw_diag *diag)
{
    static const uint8_t xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    static const uint8_t zstd_magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    enum byw_status st = read_file(s, s->in, BYW_SOURCE_WINDOW, &s->in_end, diag);

    if (st != BYW_OK)
        return st;
    if (s->in_end >= sizeof(zstd_magic) && memcmp(s->in, zstd_magic, sizeof(zstd_magic)) == 0) {
        s->packing = ZSTD;
        s->zstd = ZSTD_createDCtx();
        if (s->zstd == NULL)
            return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while decompressing", s->path);
        ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
        return BYW_OK;
    }
    if (s->in_end >= sizeof(xz_magic) && memcmp(s->in, xz_magic, sizeof(xz_magic)) == 0) {
        s->packing = XZ;
#ifdef HAVE_LZMA
        if (lzma_stream_decoder(&s->lzma, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
            return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while decompressing", s->path);
        return BYW_OK;
#else
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: the file is xz compressed and this build has no liblzma; install "
                            "liblzma-dev and build again, or unpack it with xz -d",
                            s->path);
#endif
    }
    memcpy(s->out, s->in, s->in_end);
    s->out_end = s->in_end;
    s->at_end = s->stream_end;
    return BYW_OK;
}

enum byw_status byw_source_open(const char *path, struct byw_source **source, struct byw_diag *diag)
{
    struct byw_source *s = calloc(1, sizeof(*s));
    enum byw_status st;
    struct stat info;

    if (s != NULL) {
        s->path = strdup(path);
        s->in = malloc(BYW_SOURCE_WINDOW);
        s->out = malloc(BYW_SOURCE_WINDOW);
    }
    if (s == NULL || s->path == NULL || s->in == NULL || s->out == NULL) {
        byw_source_close(s);
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while opening it", path);
    }
    st = byw_input_open(path, BYW_INPUT_STREAM, "a trace file", &s->stream, diag);
    if (st != BYW_OK) {
        byw_source_close(s);
        return st;
    }
    s->regular = fstat(fileno(s->stream), &info) == 0 && S_ISREG(info.st_mode);
    s->file_bytes = s->regular ? (uint64_t)info.st_size : 0;
    st = start_unpacking(s, diag);
    if (st != BYW_OK) {
        byw_source_close(s);
        return st;
    }
    *source = s;
    return BYW_OK;
}

void byw_source_close(struct byw_source *source)
{
    if (source == NULL)
        return;
    ZSTD_freeDCtx(source->zstd);
#ifdef HAVE_LZMA
    lzma_end(&source->lzma);
#endif
    if (source->stream != NULL)
        fclose(source->stream);
    free(source->path);
    free(source->in);
    free(source->out);
    free(source);
}

const char *byw_source_path(const struct byw_source *source)
{
    return source->path;
}

uint64_t byw_source_file_bytes(const struct byw_source *source)
{
    return source->file_bytes;
}

enum byw_status byw_source_peek(struct byw_source *source, size_t need, const uint8_t **data,
                                size_t *size, struct byw_diag *diag)
{
    while (source->out_end - source->out_at < need && !source->at_end) {
        enum byw_status st = fill(source, diag);

        if (st != BYW_OK)
            return st;
    }
    *data = source->out + source->out_at;
    *size = source->out_end - source->out_at;
    return BYW_OK;
}

void byw_source_take(struct byw_source *source, size_t count)
{
    source->out_at += count;
}

enum byw_status byw_source_read(struct byw_source *source, void *data, size_t size, size_t *got,
                                struct byw_diag *diag)
{
    uint8_t *to = data;

    *got = 0;
    while (*got < size) {
        const uint8_t *from;
        size_t have;
        enum byw_status st = byw_source_peek(source, 1, &from, &have, diag);

        if (st != BYW_OK)
            return st;
        if (have == 0)
            break;
        if (have > size - *got)
            have = size - *got;
        memcpy(to + *got, from, have);
        byw_source_take(source, have);
        *got += have;
    }
    return BYW_OK;
}

enum byw_status byw_source_skip(struct byw_source *source, uint64_t size, uint64_t *got,
                                struct byw_diag *diag)
{
    uint64_t left = size;

    while (left > 0) {
        const uint8_t *from;
        size_t have = source->out_end - source->out_at;
        enum byw_status st;

        /* Beyond the buffer of an uncompressed regular file a seek is enough.  It must stay within
         * the file, because a seek beyond the end succeeds. */
        if (have == 0 && source->packing == PLAIN && source->regular && left > BYW_SOURCE_WINDOW &&
            left <= INT64_MAX && source->file_at + left <= source->file_bytes) {
            if (fseeko(source->stream, (off_t)left, SEEK_CUR) != 0)
                return byw_diag_set(diag, BYW_EIO, "%s: seek failed (%s)", source->path,
                                    strerror(errno));
            source->file_at += left;
            left = 0;
            break;
        }
        st = byw_source_peek(source, 1, &from, &have, diag);
        if (st != BYW_OK)
            return st;
        if (have == 0)
            break;
        if (have > left)
            have = (size_t)left;
        byw_source_take(source, have);
        left -= have;
    }
    *got = size - left;
    return BYW_OK;
}

bool byw_source_beside(const char *list, const char *name, size_t length, char *path, size_t room)
{
    static const char *const suffix[] = {"", ".xz", ".zst"};
    const char *slash = strrchr(list, '/');
    int folder = (slash != NULL && name[0] != '/') ? (int)(slash - list + 1) : 0;
    struct stat info;

    for (unsigned i = 0; i < 6; i++) {
        const char *tail = suffix[i % 3];

        if (i == 3) {
            const char *dot = memrchr(name, '.', length);

            if (dot == NULL)
                return false;
            length = (size_t)(dot - name);
        }
        if ((size_t)snprintf(path, room, "%.*s%.*s%s", folder, list, (int)length, name, tail) <
                room &&
            stat(path, &info) == 0 && S_ISREG(info.st_mode))
            return true;
    }
    return false;
}
