/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_file.h"
#include "trace/export/byw_trace_convert.h"
#include "trace/file/byw_trace.h"

enum {
    RECORD = 24, /* u32 time, u64 line, u32 bytes, i64 next */
    LINE_AT = 4,
    NEXT_AT = 16,
    BLOCK = 65536, /* records processed at a time */
};

/* Requests are written to a temporary file without their `next`, which is known only once the trace
 * has been read.  A second pass, from the end backwards, fills it in; a third pass copies the
 * file. */
struct oracle {
    const struct byw_trace_convert_options *options;
    struct byw_sm_stream *stream;
    FILE *temp;
    uint8_t *block; /* room for BLOCK records */
    uint64_t requests;
    uint64_t accesses; /* warp accesses of the SM so far, which serve as the time */
    struct later {
        uint64_t line; /* plus one; 0: free */
        uint64_t number; /* number, from 1, of the earliest known later request to the line */
    } * later; /* hash table with open addressing */
    size_t later_mask, later_count;
};

static void put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_u64(uint8_t *at, uint64_t value)
{
    put_u32(at, (uint32_t)value);
    put_u32(at + 4, (uint32_t)(value >> 32));
}

static uint64_t get_u64(const uint8_t *at)
{
    uint64_t value = 0;

    for (unsigned i = 8; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static bool take_access(void *ctx, uint32_t sm, const uint64_t *line, uint32_t count)
{
    struct oracle *o = ctx;
    uint32_t now = o->accesses < UINT32_MAX ? (uint32_t)o->accesses : UINT32_MAX;

    if (sm != o->options->sm)
        return true;
    o->accesses++;
    o->requests += count;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t record[RECORD] = {0};

        put_u32(record, now);
        put_u64(record + LINE_AT, line[i]);
        put_u32(record + 12, BYW_TRACE_LINE_BYTES);
        fwrite(record, RECORD, 1, o->temp); /* an error is recorded in the stream */
    }
    return true;
}

static bool stream_cta(struct byw_sm_stream *stream, const struct byw_cta *cta)
{
    struct byw_access access;

    if (!byw_sm_stream_cta(stream, cta))
        return false;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_inst *inst = cta->inst + cta->warp[w].first;

        for (uint32_t i = 0; i < cta->warp[w].count; i++) {
            if (!byw_access_is_cached(&inst[i]))
                continue;
            byw_access_of(&inst[i], cta, &access);
            if (!byw_sm_stream_access(stream, w, &access))
                return false;
        }
    }
    return true;
}

/* First pass.  If a loop ends with BYW_OK, memory ran out. */
static enum byw_status collect(struct oracle *o, struct byw_trace *trace, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_cta cta;
    enum byw_status st;

    byw_cta_init(&cta);
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        if (!byw_sm_stream_launch(o->stream))
            break;
        while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK) {
            if (!stream_cta(o->stream, &cta))
                break;
        }
        if (st != BYW_END)
            break;
    }
    byw_cta_release(&cta);
    if (st == BYW_END && !byw_sm_stream_finish(o->stream))
        st = BYW_OK;
    if (st == BYW_OK)
        return byw_no_memory(diag, "the requests of an SM");
    return st == BYW_END ? BYW_OK : st;
}

static struct later *later_place(struct later *later, size_t mask, uint64_t key)
{
    size_t i = (size_t)((key * 0x9e3779b97f4a7c15ull) >> 20) & mask;

    while (later[i].line != 0 && later[i].line != key)
        i = (i + 1) & mask;
    return &later[i];
}

static bool grow_later(struct oracle *o)
{
    size_t room = o->later == NULL ? 4096 : 2 * (o->later_mask + 1);
    struct later *later = calloc(room, sizeof(*later));

    if (later == NULL)
        return false;
    for (size_t i = 0; o->later != NULL && i <= o->later_mask; i++) {
        if (o->later[i].line != 0)
            *later_place(later, room - 1, o->later[i].line) = o->later[i];
    }
    free(o->later);
    o->later = later;
    o->later_mask = room - 1;
    return true;
}

/* Sets `next` of request `number` (from 1); all later requests are known. */
static bool set_next(struct oracle *o, uint8_t *record, uint64_t number)
{
    uint64_t key = get_u64(record + LINE_AT) + 1;
    struct later *later;

    if ((o->later == NULL || 2 * o->later_count > o->later_mask) && !grow_later(o))
        return false;
    later = later_place(o->later, o->later_mask, key);
    put_u64(record + NEXT_AT, later->line != 0 ? later->number : UINT64_MAX);
    o->later_count += later->line == 0;
    *later = (struct later){.line = key, .number = number};
    return true;
}

static bool seek(FILE *file, uint64_t record)
{
    return fseeko(file, (off_t)(record * RECORD), SEEK_SET) == 0;
}

static enum byw_status temp_failed(struct byw_diag *diag)
{
    return byw_diag_set(
        diag, BYW_EIO,
        "the temporary file of the requests: %s; expected room for 24 bytes per request",
        strerror(errno));
}

/* Second pass, block by block from the end. */
static enum byw_status look_ahead(struct oracle *o, struct byw_diag *diag)
{
    uint64_t end = o->requests;

    while (end != 0) {
        uint64_t first = end > BLOCK ? end - BLOCK : 0;
        size_t count = (size_t)(end - first);

        if (!seek(o->temp, first) || fread(o->block, RECORD, count, o->temp) != count)
            return temp_failed(diag);
        for (size_t i = count; i-- > 0;) {
            if (!set_next(o, o->block + i * RECORD, first + i + 1))
                return byw_no_memory(diag, "the lines of an SM");
        }
        if (!seek(o->temp, first) || fwrite(o->block, RECORD, count, o->temp) != count)
            return temp_failed(diag);
        end = first;
    }
    return BYW_OK;
}

static bool copy_out(struct oracle *o, FILE *out)
{
    size_t count;

    if (!seek(o->temp, 0))
        return false;
    while ((count = fread(o->block, RECORD, BLOCK, o->temp)) != 0)
        fwrite(o->block, RECORD, count, out);
    return ferror(o->temp) == 0;
}

static enum byw_status write_oracle(struct oracle *o, struct byw_trace *trace, const char *path,
                                    struct byw_diag *diag)
{
    struct byw_file *file;
    enum byw_status st = byw_file_create(path, &file, diag);

    if (st != BYW_OK)
        return st;
    st = collect(o, trace, diag);
    if (st == BYW_OK && (fflush(o->temp) != 0 || ferror(o->temp) != 0))
        st = temp_failed(diag);
    if (st == BYW_OK)
        st = look_ahead(o, diag);
    if (st == BYW_OK && !copy_out(o, byw_file_stream(file)))
        st = temp_failed(diag);
    if (st == BYW_OK)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}

enum byw_status byw_trace_to_oracle(struct byw_trace *trace, const char *path,
                                    const struct byw_trace_convert_options *options,
                                    struct byw_diag *diag)
{
    struct oracle o = {.options = options};
    const struct byw_sm_stream_sink sink = {.access = take_access, .ctx = &o};
    enum byw_status st = byw_sm_stream_create(&options->streams, &sink, &o.stream, diag);

    if (st != BYW_OK)
        return st;
    if (options->sm >= options->streams.sms)
        st = byw_diag_set(diag, BYW_EINVAL, "--sm is %u; expected 0 to %u", options->sm,
                          options->streams.sms - 1);
    if (st == BYW_OK) {
        o.block = malloc((size_t)BLOCK * RECORD);
        o.temp = tmpfile();
        if (o.temp == NULL)
            st = temp_failed(diag);
        else if (o.block == NULL)
            st = byw_no_memory(diag, "the requests of an SM");
        else
            st = write_oracle(&o, trace, path, diag);
    }
    if (o.temp != NULL)
        fclose(o.temp);
    free(o.block);
    free(o.later);
    byw_sm_stream_free(o.stream);
    return st;
}
