/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_energy.h - energy of a run from its event counts.
 *
 * Energy = events x energy per event + leakage power x time; the constants and their sources are
 * in byw_energy.def.  L1 figures are from one CACTI run; crossbar and DRAM ones are round
 * assumptions.  Use the result to compare policies on one machine, not as an absolute figure.
 * Nothing outside L1D, crossbar, L2 and DRAM is counted.  All values in nanojoules.
 */
#ifndef BYW_ENERGY_H
#define BYW_ENERGY_H

#include "sim/gpu/byw_gpu.h"
#include "sim/memory/byw_mem_ledger.h"

struct byw_energy {
    double l1_tag, l1_data, l1_predictor, l1_leakage;
    double l1; /* sum of the four members above */
    double icnt, l2, dram;
    double total; /* l1 + icnt + l2 + dram */
};

void byw_energy_of(const struct byw_config *config, const struct byw_gpu_result *result,
                   struct byw_energy *energy);

/* The three parts below the L1s, from counters alone: of a run, or of one instruction. */
void byw_energy_below(const struct byw_config *config, const struct byw_mem_use *use,
                      struct byw_energy *energy);

/* Energy of an access to the data of an L1, nJ. */
double byw_energy_l1_data(const struct byw_config *config);

/* The constants, for listings; i < byw_energy_constant_count(). */
struct byw_energy_constant {
    const char *name;
    double value;
    const char *unit, *source;
};

size_t byw_energy_constant_count(void);
const struct byw_energy_constant *byw_energy_constant(size_t i);

#endif
