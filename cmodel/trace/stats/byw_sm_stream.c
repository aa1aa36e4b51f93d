/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_sm_stream.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

#define TOTAL_WORDS ((size_t)8 << 20) /* for all SMs together: 64 MB */
#define FIRST ((uint64_t)1 << 63) /* marks the first line of an access; line numbers are < 2^57 */

struct warp_lines {
    size_t at, end; /* range of its words that have not been read */
};

/* The lines of the CTAs that an SM holds, warp by warp, oldest CTA first. */
struct batch {
    uint32_t ctas;
    size_t words, room;
    uint64_t *word;
    size_t warps, warp_room;
    struct warp_lines *warp;
};

struct byw_sm_stream {
    struct byw_sm_stream_options options;
    struct byw_sm_stream_sink sink;
    struct batch *batch; /* array, by SM */
    uint32_t sm; /* the SM that got the last CTA */
    size_t share; /* words of one SM */
    size_t first_warp; /* first warp in its batch of the CTA being filled */
};

enum byw_status byw_sm_stream_create(const struct byw_sm_stream_options *options,
                                     const struct byw_sm_stream_sink *sink,
                                     struct byw_sm_stream **stream, struct byw_diag *diag)
{
    struct byw_sm_stream *s;

    if (options->sms == 0 || options->sms > BYW_STREAM_SMS_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "%u SMs; expected 1 to %d", options->sms,
                            BYW_STREAM_SMS_MAX);
    if (options->ctas == 0 || options->ctas > BYW_STREAM_CTAS_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "%u CTAs per SM; expected 1 to %d", options->ctas,
                            BYW_STREAM_CTAS_MAX);
    s = calloc(1, sizeof(*s));
    if (s != NULL)
        s->batch = calloc(options->sms, sizeof(*s->batch));
    if (s == NULL || s->batch == NULL) {
        free(s);
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the streams of %u SMs",
                            options->sms);
    }
    s->options = *options;
    s->sink = *sink;
    s->sm = options->sms - 1;
    s->share = TOTAL_WORDS / options->sms;
    *stream = s;
    return BYW_OK;
}

void byw_sm_stream_free(struct byw_sm_stream *stream)
{
    if (stream == NULL)
        return;
    for (uint32_t i = 0; i < stream->options.sms; i++) {
        free(stream->batch[i].word);
        free(stream->batch[i].warp);
    }
    free(stream->batch);
    free(stream);
}

/* Delivers the next access of a warp. */
static bool take_turn(struct byw_sm_stream *s, uint32_t sm, struct warp_lines *warp)
{
    const uint64_t *word = s->batch[sm].word;
    uint64_t line[BYW_ACCESS_UNITS];
    uint32_t n = 0;

    do {
        line[n++] = word[warp->at++] & ~FIRST;
    } while (warp->at < warp->end && (word[warp->at] & FIRST) == 0);
    return s->sink.access(s->sink.ctx, sm, line, n);
}

/* Runs the CTAs of an SM to their end. */
static bool drain(struct byw_sm_stream *s, uint32_t sm)
{
    struct batch *b = &s->batch[sm];

    while (b->warps != 0) {
        size_t kept = 0;

        for (size_t w = 0; w < b->warps; w++) {
            struct warp_lines warp = b->warp[w];

            if (warp.at == warp.end)
                continue;
            if (!take_turn(s, sm, &warp))
                return false;
            b->warp[kept++] = warp;
        }
        b->warps = kept;
    }
    b->ctas = 0;
    b->words = 0;
    return true;
}

bool byw_sm_stream_finish(struct byw_sm_stream *stream)
{
    for (uint32_t i = 0; i < stream->options.sms; i++) {
        if (!drain(stream, i))
            return false;
    }
    return true;
}

bool byw_sm_stream_launch(struct byw_sm_stream *stream)
{
    return byw_sm_stream_finish(stream);
}

static bool add_warp(struct batch *b)
{
    if (!BYW_ARRAY_ROOM(b->warp, b->warp_room, b->warps + 1u))
        return false;
    b->warp[b->warps++] = (struct warp_lines){.at = b->words, .end = b->words};
    return true;
}

bool byw_sm_stream_cta(struct byw_sm_stream *stream, const struct byw_cta *cta)
{
    uint32_t sm = stream->sm = (stream->sm + 1) % stream->options.sms;
    struct batch *b = &stream->batch[sm];

    if (b->ctas == stream->options.ctas || b->words >= stream->share ||
        (b->ctas != 0 && b->warps + cta->warp_count > BYW_STREAM_WARPS)) {
        if (!drain(stream, sm))
            return false;
    }
    b->ctas++;
    stream->first_warp = b->warps;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        if (!add_warp(b))
            return false;
    }
    return true;
}

bool byw_sm_stream_access(struct byw_sm_stream *stream, uint32_t warp,
                          const struct byw_access *access)
{
    struct batch *b = &stream->batch[stream->sm];
    struct warp_lines *lines = &b->warp[stream->first_warp + warp];
    uint64_t *word;

    if (!BYW_ARRAY_ROOM(b->word, b->room, b->words + BYW_ACCESS_UNITS))
        return false;
    if (lines->at == lines->end)
        lines->at = b->words;
    word = b->word + b->words;
    for (uint32_t i = 0; i < access->lines; i++) {
        uint32_t j = i;

        for (; j > 0 && word[j - 1] < access->line[i]; j--)
            word[j] = word[j - 1];
        word[j] = access->line[i];
    }
    word[0] |= FIRST;
    b->words += access->lines;
    lines->end = b->words;
    return true;
}
