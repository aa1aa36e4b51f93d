/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_traceg.h - one instruction line of an Accel-Sim .traceg file.
 *
 *     [tb_x tb_y tb_z warp] [line] PC mask ndst dst.. opcode nsrc src.. width
 *         [mode addresses] [imm]
 *
 * The first four fields exist only before tracer version 3, `line` only with line information, the
 * immediate from version 4 on.  Modes: 0, one address per active lane; 1, the first active lane's
 * address and the step from lane to lane; 2, the first active lane's address and the steps between
 * active lanes (n - 1 of them; files with n are accepted, too, and the last one is ignored).
 */
#ifndef BYW_TRACEG_H
#define BYW_TRACEG_H

#include <stddef.h>

#include "trace/accelsim/byw_sass.h"
#include "trace/accelsim/byw_scan.h"
#include "trace/byw_bytes.h"
#include "trace/byw_inst.h"

#define BYW_TRACEG_REGS 255 /* R0 .. R254; R255 is the zero register */
#define BYW_TRACEG_LANES 32
#define BYW_TRACEG_OPERANDS 64
#define BYW_TRACEG_MEMOS 2048 /* a power of two */
#define BYW_TRACEG_KEPT 10 /* most registers of a line that is memorized */
#define BYW_TRACEG_BANK_ROW 128 /* bytes of one word from each shared-memory bank */
#define BYW_TRACEG_DEGREES 256 /* a power of two */
#define BYW_TRACEG_RUNS 1024 /* a power of two */
#define BYW_TRACEG_RUN_LINES 8
#define BYW_TRACEG_RUN_TEXT 448

/* The parsed part of a line that precedes its addresses, before it is appended to its warp. */
struct byw_traceg_inst {
    struct byw_inst inst;
    bool addressed; /* addresses follow */
    uint8_t mode; /* mode of the addresses that follow */
    uint8_t space; /* enum byw_sass_space */
    uint8_t dst_count, src_count;
};

/* Lines repeat verbatim very often, up to their addresses if they have any.  So their parsed
 * content is memorized. */
struct byw_traceg_memo {
    uint32_t kernel; /* byw_traceg.kernels when it was read; invalid in other kernels */
    char text[64];
    uint8_t length; /* length of the text; 0: the entry is empty */
    struct byw_traceg_inst says;
    uint8_t reg[BYW_TRACEG_KEPT]; /* destination registers, then source registers */
};

/* Runs of lines without addresses repeat, too: they are compared and appended as a whole. */
struct byw_traceg_run {
    uint32_t kernel; /* kernel number, as in byw_traceg_memo */
    uint32_t lines; /* number of lines, at least 1 */
    uint16_t end[BYW_TRACEG_RUN_LINES]; /* end of each line, after its newline */
    char text[BYW_TRACEG_RUN_TEXT];
    struct {
        struct byw_traceg_inst says;
        uint8_t reg[BYW_TRACEG_KEPT];
    } line[BYW_TRACEG_RUN_LINES];
};

/* Conflict degree of a strided shared access. */
struct byw_traceg_degree {
    uint64_t mask;
    int32_t stride;
    uint8_t base, width; /* base modulo the banks' width */
    uint8_t degree; /* 0: empty */
};

/* A record that has been removed from the CTA turns out to be needed `use` instructions later. */
struct byw_traceg_late {
    uint32_t warp, record, use;
};

struct byw_traceg {
    /* from the kernel's header */
    bool prefix; /* tracer version < 3 */
    bool line_info; /* lines start with a source line number */
    uint64_t shared_base, local_base; /* windows of generic addresses; 0: unknown */

    /* the warp being read, and the last writer of each register whose result no instruction has
     * needed yet */
    uint32_t position; /* instructions of this warp so far */
    uint32_t gone; /* of `position`: instructions whose records are no longer in the CTA */
    uint32_t gone_warp; /* warp of those records */
    uint32_t writer[BYW_TRACEG_REGS]; /* position + 1, or 0 */
    uint32_t late_count; /* removed records whose results were needed later */
    struct byw_traceg_late late[BYW_TRACEG_REGS];

    struct byw_traceg_memo memo[BYW_TRACEG_MEMOS + 1]; /* the last entry: lines that are not
                                                        * memorized */
    uint16_t last; /* memo of the last line read */
    struct byw_traceg_run run[BYW_TRACEG_RUNS]; /* runs, hashed by their first bytes */
    uint16_t next_run; /* slot for a run that starts with the next line; BYW_TRACEG_RUNS: none */
    bool running; /* the last line read is the current end of that run */
    uint32_t kernels; /* kernels started */
    struct byw_traceg_degree degree[BYW_TRACEG_DEGREES];
    uint8_t reg[2 * BYW_TRACEG_OPERANDS]; /* registers of the line being read */

    /* opcodes seen so far */
    struct byw_intern names;
    struct byw_sass *sass;
    size_t sass_room;
    uint64_t unknown;
    char first_unknown[32];
};

/* Zeroed memory is a valid parser.  Memory that a trace does not need is never touched. */
void byw_traceg_release(struct byw_traceg *parser);
/* Forgets the memorized lines.  Call when the fields of the kernel's header have changed. */
void byw_traceg_start_kernel(struct byw_traceg *parser);
/* Forgets the last writers of the registers.  Call at the start of each warp. */
void byw_traceg_start_warp(struct byw_traceg *parser);
/* The records of the current warp, number `warp` of its CTA, have been removed from the CTA.
 * `late` has been processed and is cleared. */
void byw_traceg_cut(struct byw_traceg *parser, uint32_t warp);

/* Appends the instruction of the line (without its newline) to the CTA's last warp, and sets `use`
 * of the earlier instructions that it waits for.  A result is needed by the first later instruction
 * of the warp that reads or writes one of its destination registers, because a scoreboard holds
 * that instruction back.  Returns NULL, or what was expected in the line. */
const char *byw_traceg_line(struct byw_traceg *parser, const char *line, size_t length,
                            struct byw_cta *cta);

/* Warps mostly repeat the instructions of other warps.  If the text at `at` (ending at `end`)
 * starts with lines of a known run, appends the instructions of at most `most` lines without
 * parsing them. *lines: their number.  Returns their length in bytes with newlines, or 0. Call
 * _whole for each line that _again did not find and byw_traceg_line() has read; runs are learned
 * from these. `whole`: the length of that line. */
size_t byw_traceg_again(struct byw_traceg *parser, const char *at, const char *end, uint32_t most,
                        struct byw_cta *cta, uint32_t *lines);
void byw_traceg_whole(struct byw_traceg *parser, const char *line, size_t whole);

/* Appends the last instruction of the warp to the others: resolves the dependences of its
 * registers, destinations and then sources in `reg`.  Private to the parser's files. */
static inline void byw_traceg_place(struct byw_traceg *parser, struct byw_inst *inst,
                                    const struct byw_traceg_inst *says, const uint8_t *reg)
{
    uint32_t position = ++parser->position; /* from 1, as in `writer` */

    for (uint32_t i = 0; i < (uint32_t)says->dst_count + says->src_count; i++) {
        uint32_t writer = parser->writer[reg[i]];

        if (writer == 0)
            continue;
        parser->writer[reg[i]] = 0;
        if (writer <= parser->gone)
            parser->late[parser->late_count++] = (struct byw_traceg_late){
                .warp = parser->gone_warp, .record = writer - 1, .use = position - writer};
        else if (inst[-(ptrdiff_t)(position - writer)].use == 0)
            inst[-(ptrdiff_t)(position - writer)].use = position - writer;
    }
    for (uint32_t i = 0; i < says->dst_count; i++)
        parser->writer[reg[i]] = position;
}

/* Reads the addresses that follow the line's text.  Returns NULL, or what was expected.  Private to
 * the parser's files. */
const char *byw_traceg_addresses(struct byw_traceg *parser, struct byw_scan *scan,
                                 const struct byw_traceg_inst *says, struct byw_inst *inst,
                                 struct byw_cta *cta);

#endif
