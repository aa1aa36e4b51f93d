/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_traceg_runs.c - Runs of lines without addresses, so that repeated lines are parsed once.
 *
 * A run is found by a hash of its first bytes, which may extend into its second line.  Its leading
 * lines that equal the text are used, up to the first that differs.  A run is recorded while lines
 * are parsed one by one, and ends at a line with addresses, at a known run, or when it is full.
 */
#include <string.h>

#include "trace/accelsim/byw_traceg.h"

enum { KEY_WORDS = 5 }; /* length of the hashed text in words of eight bytes */

static uint32_t slot(const char *at)
{
    static const uint64_t factor[KEY_WORDS] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u,
                                               0x94d049bb133111ebu, 0xd6e8feb86659fd93u,
                                               0xa0761d6478bd642fu};
    uint64_t word[KEY_WORDS], sum = 0;

    memcpy(word, at, sizeof(word));
    for (unsigned i = 0; i < KEY_WORDS; i++)
        sum += (word[i] ^ word[i] >> 32) * factor[i];
    return (uint32_t)(sum >> 32) % BYW_TRACEG_RUNS;
}

/* Number of lines of the run, at most `most`, with which the text starts. */
static uint32_t same_lines(const struct byw_traceg_run *run, const char *at, size_t left,
                           uint32_t most)
{
    size_t begin = 0;

    if (run->lines < most)
        most = run->lines;
    if (run->end[most - 1] <= left && memcmp(run->text, at, run->end[most - 1]) == 0)
        return most;
    for (uint32_t i = 0; i < most; i++) {
        if (run->end[i] > left || memcmp(run->text + begin, at + begin, run->end[i] - begin) != 0)
            return i;
        begin = run->end[i];
    }
    return most;
}

size_t byw_traceg_again(struct byw_traceg *parser, const char *at, const char *end, uint32_t most,
                        struct byw_cta *cta, uint32_t *lines)
{
    size_t left = (size_t)(end - at);
    uint32_t number = left < KEY_WORDS * sizeof(uint64_t) ? BYW_TRACEG_RUNS : slot(at), same = 0;
    const struct byw_traceg_run *run = &parser->run[number];
    struct byw_inst *inst = NULL;

    if (!parser->running)
        parser->next_run = (uint16_t)number;
    if (number != BYW_TRACEG_RUNS && run->kernel == parser->kernels && most != 0)
        same = same_lines(run, at, left, most);
    if (same != 0)
        inst = byw_cta_add_insts(cta, same);
    if (inst == NULL)
        return 0;
    for (uint32_t i = 0; i < same; i++) {
        inst[i] = run->line[i].says.inst;
        byw_traceg_place(parser, &inst[i], &run->line[i].says, run->line[i].reg);
    }
    parser->running = false;
    *lines = same;
    return run->end[same - 1];
}

void byw_traceg_whole(struct byw_traceg *parser, const char *line, size_t whole)
{
    const struct byw_traceg_memo *memo = &parser->memo[parser->last];
    struct byw_traceg_run *run = &parser->run[parser->next_run];
    uint32_t i = parser->running ? run->lines : 0;
    size_t begin = i != 0 ? run->end[i - 1] : 0;

    if (parser->next_run == BYW_TRACEG_RUNS || memo->length == 0 || memo->says.addressed ||
        whole > sizeof(run->text) - begin) {
        parser->running = false;
        return;
    }
    memcpy(run->text + begin, line, whole);
    run->end[i] = (uint16_t)(begin + whole);
    run->line[i].says = memo->says;
    memcpy(run->line[i].reg, memo->reg, sizeof(memo->reg));
    run->kernel = parser->kernels;
    run->lines = i + 1;
    parser->running = run->lines < BYW_TRACEG_RUN_LINES;
}
