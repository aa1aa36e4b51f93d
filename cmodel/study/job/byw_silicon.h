/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_silicon.h - the cost of an SM's L1 in 45 nm: area, energy of a read and of a cycle's clock,
 * leakage.
 *
 * One row for each memory or group of registers that a configuration has in the RTL; its bits
 * follow from the configuration, the rest from a model of one formula (byw_sram.def,
 * cmodel/doc/cost.md). Logic is not counted.
 */
#ifndef BYW_SILICON_H
#define BYW_SILICON_H

#include <stdint.h>
#include <stdio.h>

#include "common/byw_config.h"

enum { BYW_SILICON_ROWS = 12 };

struct byw_silicon_row {
    const char *name;
    uint64_t words; /* 0: registers */
    uint64_t bits; /* bits of a word; registers: number of all bits */
    double area_um2, read_pj, clock_pj, leak_uw;
};

struct byw_silicon {
    struct byw_silicon_row row[BYW_SILICON_ROWS];
    size_t count;
    uint64_t bits; /* total bits of all rows */
    double area_um2, clock_pj, leak_uw;
};

/* A memory of `words` words with one read port. */
double byw_sram_read_pj(double words, double bits);
double byw_sram_area_um2(double words, double bits);
double byw_sram_leak_uw(double words, double bits);

void byw_silicon_of(const struct byw_config *config, struct byw_silicon *cost);

/* The row with that name; NULL if the configuration does not have it. */
const struct byw_silicon_row *byw_silicon_find(const struct byw_silicon *cost, const char *name);

/* Figures of papers 000 and 002 next to byway's for the same caches: plain and decoupled (000),
 * plain and with the PC predictor (002). */
struct byw_silicon_printed {
    const char *paper, *what, *unit;
    double theirs, ours;
};
enum { BYW_SILICON_PRINTED = 8 };
void byw_silicon_printed(const struct byw_config cache[4],
                         struct byw_silicon_printed printed[BYW_SILICON_PRINTED]);

#endif
