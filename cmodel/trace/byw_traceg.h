/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_traceg.h - one instruction line of an Accel-Sim .traceg file.
 *
 *     [tb_x tb_y tb_z warp] [line] PC mask ndst dst.. opcode nsrc src.. width [mode addresses]
 * [imm]
 *
 * The first four only before tracer version 3, `line` only with line information, the immediate
 * from version 4 on.  Modes: 0, one address per active lane; 1, the first active lane's address and
 * the step from lane to lane; 2, the first active lane's address and the steps between active
 * lanes (n - 1 of them; files with n are read as well, the last one means nothing).
 */
#ifndef BYW_TRACEG_H
#define BYW_TRACEG_H

#include "trace/byw_bytes.h"
#include "trace/byw_inst.h"
#include "trace/byw_sass.h"

#define BYW_TRACEG_REGS 255 /* R0 .. R254; R255 is the zero register */
#define BYW_TRACEG_LANES 32
#define BYW_TRACEG_OPERANDS 64
#define BYW_TRACEG_MEMOS 2048 /* a power of two */
#define BYW_TRACEG_KEPT 10 /* registers of a line that is kept */
#define BYW_TRACEG_BANK_ROW 128 /* bytes of one word from each shared-memory bank */

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
    char text[64];
    uint8_t length; /* of the text; 0: empty */
    uint8_t whole; /* of the text with the rest of its line, newline included; 0: not known, or
                      addresses follow */
    uint16_t next; /* the memo of the line that came behind when this one was met last */
    uint8_t degree; /* conflict degree of a shared access with these (0: none known): */
    uint8_t degree_base; /* base modulo the banks' width */
    int32_t degree_stride;
    struct byw_traceg_inst says;
    uint8_t reg[BYW_TRACEG_KEPT]; /* destinations, then sources */
};

struct byw_traceg {
    /* of the kernel's header */
    bool prefix; /* tracer version < 3 */
    bool line_info; /* a source line number leads */
    uint64_t shared_base, local_base; /* windows of generic addresses, 0 unknown */

    /* of the warp being read: who wrote each register last, if nobody needed it since */
    uint32_t position; /* instructions of this warp so far */
    uint32_t writer[BYW_TRACEG_REGS]; /* position + 1, or 0 */

    struct byw_traceg_memo memo[BYW_TRACEG_MEMOS + 1]; /* the last: of lines that are not kept */
    uint16_t last; /* memo of the line before */
    uint8_t reg[2 * BYW_TRACEG_OPERANDS]; /* of the line being read */

    /* opcodes met so far */
    struct byw_intern names;
    struct byw_sass *sass;
    uint32_t sass_room;
    uint64_t unknown;
    char first_unknown[32];
};

void byw_traceg_init(struct byw_traceg *parser);
void byw_traceg_release(struct byw_traceg *parser);
/* Forgets the lines met: call when the fields of the kernel's header have changed. */
void byw_traceg_start_kernel(struct byw_traceg *parser);
/* Forgets the registers: call at each warp's start. */
void byw_traceg_start_warp(struct byw_traceg *parser);

/* Appends the instruction of the line (without its newline) to the CTA's last warp and sets `use`
 * of the earlier ones that it waits for: an instruction's result is needed by the first later one
 * of its warp that reads or writes one of its destination registers, because that is what a
 * scoreboard holds back.  Returns NULL, or what was expected in the line. */
const char *byw_traceg_line(struct byw_traceg *parser, const char *line, size_t length,
                            struct byw_cta *cta);

/* What warps do is mostly what the warp before did.  If the line at `at` (of bytes up to `end`) is
 * the one that came behind the line before when that was met last, appends its instruction without
 * reading it and returns its bytes, newline included; else 0.  It knows the lines that _whole has
 * told it about: `whole` is the bytes of the line that byw_traceg_line() read last. */
size_t byw_traceg_again(struct byw_traceg *parser, const char *at, const char *end,
                        struct byw_cta *cta);
void byw_traceg_whole(struct byw_traceg *parser, const char *line, size_t whole);

/* For reading other lines of the file: they skip blanks and return false if no number is there. */
struct byw_scan {
    const char *at, *end;
};
bool byw_scan_hex(struct byw_scan *scan, uint64_t *value); /* with or without 0x */
bool byw_scan_decimal(struct byw_scan *scan, int64_t *value);
bool byw_scan_u32(struct byw_scan *scan, uint32_t *value);

#endif
