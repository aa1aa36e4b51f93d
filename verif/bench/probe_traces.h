/* SPDX-License-Identifier: Apache-2.0
 *
 * probe_traces.h - small traces for the comparison with Accel-Sim, in the text form that both
 * simulators read. Each stresses one part of an SM and its L1D; the same call writes the same
 * bytes.
 */
#ifndef PROBE_TRACES_H
#define PROBE_TRACES_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PROBE_BASE UINT64_C(0x7fc000000000)

/* A warp's instructions are counted before they are written, so its generator runs twice. */
struct probe {
    FILE *f; /* NULL: count only */
    uint32_t insts;
    uint32_t cta, warp; /* the warp that is being written */
    uint32_t turn; /* selects the registers of arithmetic */
    uint64_t random;
};

static inline uint32_t probe_random(struct probe *p, uint32_t below)
{
    p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((p->random >> 33) % below);
}

/* 16 bytes of code per static instruction. */
static inline void probe_say(struct probe *p, uint32_t pc, const char *rest)
{
    p->insts++;
    if (p->f != NULL)
        fprintf(p->f, "%04x ffffffff %s 0 \n", 16 * pc, rest);
}

/* Writes an instruction that only the lanes in `mask` execute. */
static inline void probe_say_lanes(struct probe *p, uint32_t pc, uint32_t mask, const char *rest)
{
    p->insts++;
    if (p->f != NULL)
        fprintf(p->f, "%04x %08x %s 0 \n", 16 * pc, mask, rest);
}

/* n instructions that read results of three to five instructions before. */
static inline void probe_alu(struct probe *p, uint32_t pc, uint32_t n)
{
    char text[64];

    for (uint32_t i = 0; i < n; i++, p->turn++) {
        uint32_t t = p->turn + 80;

        if (t % 2 == 0)
            snprintf(text, sizeof(text), "1 R%u IADD3 2 R%u R%u 0", 24 + t % 8, 24 + (t - 4) % 8,
                     24 + (t - 5) % 8);
        else
            snprintf(text, sizeof(text), "1 R%u FFMA 3 R%u R%u R%u 0", 24 + t % 8, 24 + (t - 4) % 8,
                     24 + (t - 5) % 8, 24 + (t - 3) % 8);
        probe_say(p, pc + i % 8, text);
    }
}

/* An access by opcode `op`: lane l at base + l * stride. reg: data register. */
static inline void probe_mem(struct probe *p, uint32_t pc, const char *op, uint32_t reg,
                             uint64_t base, int32_t stride)
{
    char text[96];

    if (op[0] == 'S')
        snprintf(text, sizeof(text), "0 %s 2 R2 R%u 4 1 0x%" PRIx64 " %d", op, reg, base, stride);
    else
        snprintf(text, sizeof(text), "1 R%u %s 1 R2 4 1 0x%" PRIx64 " %d", reg, op, base, stride);
    probe_say(p, pc, text);
}

/* An access by opcode `op` with an address per lane. */
static inline void probe_list(struct probe *p, uint32_t pc, const char *op, uint32_t reg,
                              const uint64_t addr[32])
{
    p->insts++;
    if (p->f == NULL)
        return;
    if (op[0] == 'S')
        fprintf(p->f, "%04x ffffffff 0 %s 2 R2 R%u 4 0", 16 * pc, op, reg);
    else
        fprintf(p->f, "%04x ffffffff 1 R%u %s 1 R2 4 0", 16 * pc, reg, op);
    for (uint32_t l = 0; l < 32; l++)
        fprintf(p->f, " 0x%" PRIx64, addr[l]);
    fprintf(p->f, " 0 \n");
}

/* An instruction that reads register reg. */
static inline void probe_use(struct probe *p, uint32_t pc, uint32_t reg)
{
    char text[64];

    snprintf(text, sizeof(text), "1 R3 FADD 2 R%u R3 0", reg);
    probe_say(p, pc, text);
}

/* --- the probes --------------------------------------------------------------------------- */

static inline void probe_chain(struct probe *p)
{
    for (uint32_t i = 0; i < 200; i++)
        probe_say(p, i % 16, "1 R4 FFMA 3 R4 R5 R6 0");
}

static inline void probe_arithmetic(struct probe *p)
{
    probe_alu(p, 0, 240);
}

/* A reduction step: values from the scratchpad, conflicts of two and four, a barrier per step. */
static inline void probe_shared(struct probe *p)
{
    for (uint32_t i = 0; i < 24; i++) {
        probe_mem(p, 0, "LDS", 8, 0, i % 3 == 2 ? 16 : 4);
        probe_mem(p, 1, "LDS", 9, 128, i % 3 == 1 ? 8 : 4);
        probe_use(p, 2, 8);
        probe_use(p, 3, 9);
        probe_alu(p, 4, 7);
        probe_mem(p, 12, "STS", 3, 256, 4);
        probe_say(p, 13, "0 BAR.SYNC 0 0");
    }
}

/* Steps of a 1-D stencil of three points, alternating between two arrays. */
static inline void probe_jacobi(struct probe *p)
{
    uint64_t at = PROBE_BASE + 128 * (p->cta * 8 + p->warp) + 4;

    for (uint32_t i = 0; i < 8; i++) {
        uint64_t from = at + (i % 2) * 0x100000, to = at + (1 - i % 2) * 0x100000;

        probe_mem(p, 0, "LDG.E", 8, from - 4, 4);
        probe_mem(p, 1, "LDG.E", 9, from, 4);
        probe_mem(p, 2, "LDG.E", 10, from + 4, 4);
        probe_alu(p, 3, 4);
        probe_use(p, 11, 8);
        probe_use(p, 12, 9);
        probe_use(p, 13, 10);
        probe_mem(p, 14, "STG.E", 3, to, 4);
        probe_say(p, 15, "0 BAR.SYNC 0 0");
    }
}

/* Lanes 512 bytes apart, as in the columns of a matrix of 128 x 128 floats: one warp's lines are in
 * eight sets; a step reads two columns and a row and stores the column. */
static inline void probe_columns(struct probe *p)
{
    for (uint32_t i = 0; i < 6; i++) {
        uint64_t column = PROBE_BASE + 4 * (p->cta * 8 + p->warp + i) % 512;
        uint64_t rows = column + 512 * 32 * ((p->warp + i) % 4);

        probe_alu(p, 0, 5);
        probe_mem(p, 8, "LDG.E", 8, rows, 512);
        probe_mem(p, 9, "LDG.E", 9, PROBE_BASE + 0x20000 + 512 * (p->warp % 4), 512);
        probe_mem(p, 10, "LDG.E", 10, PROBE_BASE + 512 * i, 4);
        probe_use(p, 11, 8);
        probe_use(p, 12, 9);
        probe_use(p, 13, 10);
        probe_mem(p, 14, "STG.E", 3, rows, 512);
    }
}

/* Loads whose lines other warps store to while they are in flight. */
static inline void probe_pending(struct probe *p)
{
    for (uint32_t i = 0; i < 12; i++) {
        uint64_t line = PROBE_BASE + 128 * (uint64_t)(p->cta * 16 + i * 4 + p->warp / 2 % 4);

        if (p->warp % 2 == 0) {
            probe_mem(p, 0, "LDG.E", 8, line, 4);
            probe_mem(p, 1, "LDG.E", 9, line + 128 * 400, 4);
            probe_alu(p, 2, 3);
            probe_use(p, 10, 8);
            probe_use(p, 11, 9);
        } else {
            probe_alu(p, 12, 6);
            probe_mem(p, 20, "STG.E", 3, line, 4);
        }
    }
}

static inline void probe_gather(struct probe *p)
{
    uint64_t addr[32];

    for (uint32_t i = 0; i < 10; i++) {
        for (uint32_t l = 0; l < 32; l++)
            addr[l] = PROBE_BASE + 4 * (uint64_t)probe_random(p, 3000);
        probe_list(p, 0, "LDG.E", 8, addr);
        probe_alu(p, 1, 4);
        probe_use(p, 9, 8);
    }
    probe_mem(p, 10, "STG.E", 3, PROBE_BASE + 0x100000 + 128 * (p->cta * 8 + p->warp), 4);
}

static inline void probe_stream(struct probe *p)
{
    for (uint32_t i = 0; i < 6; i++) {
        uint64_t at = PROBE_BASE + 128 * ((uint64_t)i * 480 + p->cta * 8 + p->warp);

        probe_mem(p, 0, "LDG.E", 8, at, 4);
        probe_mem(p, 1, "LDG.E", 9, at + 0x200000, 4);
        probe_alu(p, 2, 3);
        probe_use(p, 10, 8);
        probe_use(p, 11, 9);
        probe_mem(p, 12, "STG.E", 3, at + 0x400000, 4);
    }
}

/* Atomics on adjacent words, on scattered words, and on one word. */
static inline void probe_atomics(struct probe *p)
{
    uint64_t addr[32];

    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t l = 0; l < 32; l++)
            addr[l] = PROBE_BASE + 4 * (uint64_t)probe_random(p, 256);
        probe_mem(p, 0, "LDG.E", 8, PROBE_BASE + 128 * (p->warp + i), 4);
        probe_use(p, 1, 8);
        probe_list(p, 2, "ATOMG.E.ADD", 9, addr);
        probe_mem(p, 3, "ATOMG.E.ADD", 10, PROBE_BASE + 128 * (p->warp + 8), 4);
        probe_alu(p, 4, 3);
        if (i % 3 == 0)
            probe_mem(p, 12, "ATOMG.E.ADD", 11, PROBE_BASE + 0x1000, 0);
        probe_use(p, 13, 9);
        probe_use(p, 14, 10);
    }
}

/* Lane l of each warp adds to word l of a line shared with other warps. */
static inline void probe_neighbours(struct probe *p)
{
    for (uint32_t i = 0; i < 12; i++) {
        probe_mem(p, 0, "ATOMG.E.ADD", 10, PROBE_BASE + 128 * (p->warp + 8), 4);
        probe_use(p, 1, 10);
    }
}

/* A histogram of 256 words; hot: occasionally all lanes add to one word in another slice. */
static inline void histogram(struct probe *p, bool hot)
{
    uint64_t addr[32];

    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t l = 0; l < 32; l++)
            addr[l] = PROBE_BASE + 4 * (uint64_t)probe_random(p, 256);
        probe_list(p, 0, "ATOMG.E.ADD", 9, addr);
        if (hot && i % 3 == 0)
            probe_mem(p, 1, "ATOMG.E.ADD", 11, PROBE_BASE + 0x1000, 0);
        probe_use(p, 2, 9);
    }
}

static inline void probe_histogram(struct probe *p)
{
    histogram(p, false);
}

static inline void probe_hot(struct probe *p)
{
    histogram(p, true);
}

/* Special functions among others, with a dependent one at the end of each step. */
static inline void probe_special(struct probe *p)
{
    for (uint32_t i = 0; i < 20; i++) {
        probe_say(p, 0, "1 R8 MUFU.RCP 1 R9 0");
        probe_alu(p, 1, 3);
        probe_say(p, 9, "1 R10 MUFU.SQRT 1 R11 0");
        probe_alu(p, 1, 2);
        probe_use(p, 10, 8);
        probe_use(p, 11, 10);
    }
}

/* Eight lanes to each of four lines anywhere in 16 MB, and a store to another line: rarely do two
 * of them share a DRAM row. */
static inline void probe_scatter(struct probe *p)
{
    uint64_t addr[32];

    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t l = 0; l < 32; l++)
            addr[l] = l % 8 != 0 ? addr[l - 1] + 4
                                 : PROBE_BASE + 128 * (uint64_t)probe_random(p, 1 << 17);
        probe_list(p, 0, "LDG.E", 8, addr);
        probe_alu(p, 1, 2);
        probe_use(p, 9, 8);
        probe_mem(p, 10, "STG.E", 3, PROBE_BASE + 128 * (uint64_t)probe_random(p, 1 << 17), 4);
    }
}

/* A tile of a matrix product: two loads into the scratchpad, a barrier, eight multiplications. */
static inline void probe_tiles(struct probe *p)
{
    for (uint32_t i = 0; i < 8; i++) {
        probe_mem(p, 0, "LDG.E", 8, PROBE_BASE + 4096 * p->warp + 128 * i, 4);
        probe_mem(p, 1, "LDG.E", 9, PROBE_BASE + 0x80000 + 4096 * i + 128 * (p->cta % 16), 4);
        probe_mem(p, 2, "STS", 8, 128 * p->warp, 4);
        probe_mem(p, 3, "STS", 9, 4096 + 128 * p->warp, 4);
        probe_say(p, 4, "0 BAR.SYNC 0 0");
        for (uint32_t k = 0; k < 8; k++) {
            probe_mem(p, 5, "LDS", 10, 64 * k, 0);
            probe_mem(p, 6, "LDS", 11, 4096 + 128 * k, 4);
            probe_use(p, 7, 10);
            probe_use(p, 8, 11);
        }
        probe_say(p, 9, "0 BAR.SYNC 0 0");
    }
}

/* Double-precision chains of length two, with integer instructions in between. */
static inline void probe_doubles(struct probe *p)
{
    for (uint32_t i = 0; i < 20; i++) {
        probe_say(p, 0, "1 R8 DADD 2 R8 R12 0");
        probe_alu(p, 1, 3);
        probe_say(p, 9, "1 R10 DFMA 3 R8 R12 R14 0");
        probe_alu(p, 1, 2);
        probe_use(p, 10, 10);
    }
}

/* Loads of constants whose results are used immediately, or later. */
static inline void probe_constants(struct probe *p)
{
    for (uint32_t i = 0; i < 20; i++) {
        probe_say(p, 0, "1 R8 LDC 1 R2 0");
        probe_say(p, 1, "1 R9 LDC 1 R2 0");
        probe_use(p, 2, 8);
        probe_alu(p, 3, 3);
        probe_use(p, 11, 9);
    }
}

/* Loops of four instructions. */
static inline void probe_branches(struct probe *p)
{
    for (uint32_t i = 0; i < 40; i++) {
        probe_alu(p, 0, 3);
        probe_say(p, 8, "0 BRA 0 0");
    }
}

/* Both sides of a branch, 12 and 20 lanes: a load, three dependent instructions, a store. */
static inline void probe_diverge(struct probe *p)
{
    for (uint32_t i = 0; i < 10; i++) {
        uint64_t at = PROBE_BASE + 128 * (uint64_t)((p->cta * 8 + p->warp) * 2 + i % 3);

        probe_say(p, 0, "0 BRA 0 0");
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t mask = side == 0 ? 0xfffu : ~0xfffu, pc = 1 + 8 * side;
            char text[64];

            snprintf(text, sizeof(text), "1 R8 LDG.E 1 R2 4 1 0x%" PRIx64 " 4", at + 64 * side);
            probe_say_lanes(p, pc, mask, text);
            for (uint32_t k = 0; k < 3; k++)
                probe_say_lanes(p, pc + 1 + k, mask, "1 R8 FADD 2 R8 R3 0");
            snprintf(text, sizeof(text), "0 STG.E 2 R2 R8 4 1 0x%" PRIx64 " 4",
                     at + 0x200000 + 4096 * side);
            probe_say_lanes(p, pc + 5, mask, text);
            probe_say_lanes(p, pc + 6, mask, "0 BRA 0 0");
        }
    }
}

/* Scratchpad accesses with every degree of conflict, from none to 32. */
static inline void probe_conflicts(struct probe *p)
{
    for (uint32_t i = 0; i < 24; i++) {
        probe_mem(p, 0, "LDS", 8, 0, 4 << i % 6);
        probe_alu(p, 1, 2);
        probe_mem(p, 9, "STS", 3, 0, 4 << (i + p->warp) % 6);
        probe_use(p, 10, 8);
    }
}

static const struct probe_kind {
    const char *name;
    uint32_t ctas, warps; /* warps of a CTA */
    void (*make)(struct probe *p);
} probe_kinds[] = {
    {"chain", 15, 4, probe_chain},
    {"arithmetic", 90, 8, probe_arithmetic},
    {"shared", 90, 8, probe_shared},
    {"jacobi", 120, 8, probe_jacobi},
    {"columns", 60, 8, probe_columns},
    {"pending", 120, 8, probe_pending},
    {"gather", 60, 8, probe_gather},
    {"stream", 60, 8, probe_stream},
    {"atomics", 60, 8, probe_atomics},
    {"tiles", 60, 8, probe_tiles},
    {"neighbours", 60, 8, probe_neighbours},
    {"histogram", 60, 8, probe_histogram},
    {"hot", 60, 8, probe_hot},
    {"special", 60, 8, probe_special},
    {"scatter", 60, 8, probe_scatter},
    {"doubles", 60, 8, probe_doubles},
    {"constants", 60, 8, probe_constants},
    {"branches", 60, 8, probe_branches},
    {"diverge", 60, 8, probe_diverge},
    {"conflicts", 60, 8, probe_conflicts},
};

enum { PROBE_KINDS = sizeof(probe_kinds) / sizeof(probe_kinds[0]) };

static inline void probe_warp(const struct probe_kind *kind, FILE *f, uint32_t cta, uint32_t warp)
{
    struct probe p = {.cta = cta, .warp = warp};

    for (uint32_t pass = 0; pass < 2; pass++) {
        if (pass == 1)
            fprintf(f, "\nwarp = %u\ninsts = %u\n", warp, p.insts);
        p.f = pass == 1 ? f : NULL;
        p.insts = p.turn = 0;
        p.random = cta * 64 + warp;
        kind->make(&p);
        probe_say(&p, 40, "0 EXIT 0 0");
    }
}

static inline void probe_write(const struct probe_kind *kind, FILE *f)
{
    fprintf(f,
            "-kernel name = %s\n-kernel id = 1\n-grid dim = (%u,1,1)\n-block dim = (%u,1,1)\n"
            "-shmem = 8192\n-nregs = 20\n-binary version = 70\n-cuda stream id = 0\n"
            "-shmem base_addr = 0x00007f5000000000\n-local mem base_addr = 0x00007f4e00000000\n"
            "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
            "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
            "mem_width [adrrescompress?] [mem_addresses] immediate\n",
            kind->name, kind->ctas, 32 * kind->warps);
    for (uint32_t cta = 0; cta < kind->ctas; cta++) {
        fprintf(f, "\n#BEGIN_TB\n\nthread block = %u,0,0\n", cta);
        for (uint32_t w = 0; w < kind->warps; w++)
            probe_warp(kind, f, cta, w);
        fprintf(f, "\n#END_TB\n");
    }
}

#endif
