/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_traceg.h - one instruction line of an Accel-Sim .traceg file.
 *
 *     [tb_x tb_y tb_z warp] [line] PC mask ndst dst.. opcode nsrc src.. width
 *         [mode addresses] [imm]
 *
 * The first four only before tracer version 3, `line` only with line information, the immediate
 * from version 4 on.  Modes: 0, one address per active lane; 1, the first active lane's address and
 * the step from lane to lane; 2, the first active lane's address and the steps between active
 * lanes (n - 1 of them; files with n are read as well, the last one means nothing).
 */
#ifndef BYW_TRACEG_H
#define BYW_TRACEG_H

#include <stddef.h>

#include "trace/byw_bytes.h"
#include "trace/byw_inst.h"
#include "trace/byw_sass.h"
#include "trace/byw_scan.h"

#define BYW_TRACEG_REGS 255 /* R0 .. R254; R255 is the zero register */
#define BYW_TRACEG_LANES 32
#define BYW_TRACEG_OPERANDS 64
#define BYW_TRACEG_MEMOS 2048 /* a power of two */
#define BYW_TRACEG_KEPT 10 /* registers of a line that is kept */
#define BYW_TRACEG_BANK_ROW 128 /* bytes of one word from each shared-memory bank */
#define BYW_TRACEG_DEGREES 256 /* a power of two */
#define BYW_TRACEG_RUNS 1024 /* a power of two */
#define BYW_TRACEG_RUN_LINES 8
#define BYW_TRACEG_RUN_TEXT 448

/* What a line says up to its addresses, before it is placed in its warp. */
struct byw_traceg_inst {
    struct byw_inst inst;
    bool addressed; /* addresses follow, */
    uint8_t mode; /* in this mode */
    uint8_t space; /* enum byw_sass_space */
    uint8_t dst_count, src_count;
};

/* Lines repeat to the letter all the time, up to their addresses if they have any: what they say is
 * kept. */
struct byw_traceg_memo {
    uint32_t kernel; /* byw_traceg.kernels when it was read; in others it means nothing */
    char text[64];
    uint8_t length; /* of the text; 0: empty */
    struct byw_traceg_inst says;
    uint8_t reg[BYW_TRACEG_KEPT]; /* destinations, then sources */
};

/* So do runs of lines without addresses: they are compared and placed as one. */
struct byw_traceg_run {
    uint32_t kernel; /* likewise */
    uint32_t lines; /* 1 at least */
    uint16_t end[BYW_TRACEG_RUN_LINES]; /* of each line, behind its newline */
    char text[BYW_TRACEG_RUN_TEXT];
    struct {
        struct byw_traceg_inst says;
        uint8_t reg[BYW_TRACEG_KEPT];
    } line[BYW_TRACEG_RUN_LINES];
};

/* Conflict degree of a shared access with a stride. */
struct byw_traceg_degree {
    uint64_t mask;
    int32_t stride;
    uint8_t base, width; /* base modulo the banks' width */
    uint8_t degree; /* 0: empty */
};

/* A record that is in the CTA no more turns out to be needed `use` instructions later. */
struct byw_traceg_late {
    uint32_t warp, record, use;
};

struct byw_traceg {
    /* of the kernel's header */
    bool prefix; /* tracer version < 3 */
    bool line_info; /* a source line number leads */
    uint64_t shared_base, local_base; /* windows of generic addresses, 0 unknown */

    /* of the warp being read: who wrote each register last, if nobody needed it since */
    uint32_t position; /* instructions of this warp so far */
    uint32_t gone; /* of these, those whose records are not in the CTA any more */
    uint32_t gone_warp; /* the warp they are of */
    uint32_t writer[BYW_TRACEG_REGS]; /* position + 1, or 0 */
    uint32_t late_count; /* results of gone records that were needed since they went */
    struct byw_traceg_late late[BYW_TRACEG_REGS];

    struct byw_traceg_memo memo[BYW_TRACEG_MEMOS + 1]; /* the last: of lines that are not kept */
    uint16_t last; /* memo of the line read last */
    struct byw_traceg_run run[BYW_TRACEG_RUNS]; /* by what they begin with */
    uint16_t next_run; /* where one that begins with the next line goes; _RUNS: nowhere */
    bool running; /* what was read last is the end of that one so far */
    uint32_t kernels; /* started */
    struct byw_traceg_degree degree[BYW_TRACEG_DEGREES];
    uint8_t reg[2 * BYW_TRACEG_OPERANDS]; /* of the line being read */

    /* opcodes met so far */
    struct byw_intern names;
    struct byw_sass *sass;
    uint32_t sass_room;
    uint64_t unknown;
    char first_unknown[32];
};

/* A parser begins as zeroed memory; nothing that a trace does not use is ever touched. */
void byw_traceg_release(struct byw_traceg *parser);
/* Forgets the lines met: call when the fields of the kernel's header have changed. */
void byw_traceg_start_kernel(struct byw_traceg *parser);
/* Forgets the registers: call at each warp's start. */
void byw_traceg_start_warp(struct byw_traceg *parser);
/* The records of the warp in hand, number `warp` of its CTA, have been taken out of it; what `late`
 * has is used up. */
void byw_traceg_cut(struct byw_traceg *parser, uint32_t warp);

/* Appends the instruction of the line (without its newline) to the CTA's last warp and sets `use`
 * of the earlier ones that it waits for: an instruction's result is needed by the first later one
 * of its warp that reads or writes one of its destination registers, because that is what a
 * scoreboard holds back.  Returns NULL, or what was expected in the line. */
const char *byw_traceg_line(struct byw_traceg *parser, const char *line, size_t length,
                            struct byw_cta *cta);

/* What warps do is mostly what others did before.  If the text at `at` (of bytes up to `end`)
 * begins with lines of a known run, `most` at the utmost, appends their instructions without
 * reading them, says how many in *lines and returns their bytes, newlines included; else 0.  It
 * knows the lines that _whole has told it about, each after a call that found nothing: `whole` is
 * the bytes of the line that byw_traceg_line() has read. */
size_t byw_traceg_again(struct byw_traceg *parser, const char *at, const char *end, uint32_t most,
                        struct byw_cta *cta, uint32_t *lines);
void byw_traceg_whole(struct byw_traceg *parser, const char *line, size_t whole);

/* Puts the last instruction of the warp behind the others: they wait for each other's registers,
 * destinations and then sources in `reg`.  For the parser's own files. */
static inline void byw_traceg_place(struct byw_traceg *parser, struct byw_inst *inst,
                                    const struct byw_traceg_inst *says, const uint8_t *reg)
{
    uint32_t position = ++parser->position; /* from 1, as writers are noted */

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

/* Reads the addresses that the line's text says follow.  NULL, or what was expected.  For the
 * parser's own files. */
const char *byw_traceg_addresses(struct byw_traceg *parser, struct byw_scan *scan,
                                 const struct byw_traceg_inst *says, struct byw_inst *inst,
                                 struct byw_cta *cta);

#endif
