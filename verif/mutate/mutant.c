/* SPDX-License-Identifier: Apache-2.0
 *
 * mutant.c - linked with -Wl,--wrap=dut_create before a lock-step test: its module is a netlist
 * with many mutants, one of which BYW_MUTANT in the environment switches on (0: none).
 */
#include <stdlib.h>

#include "cosim/dut.h"

struct dut *__real_dut_create(uint64_t seed);
struct dut *__wrap_dut_create(uint64_t seed);

struct dut *__wrap_dut_create(uint64_t seed)
{
    struct dut *dut = __real_dut_create(seed);
    const char *mutant = getenv("BYW_MUTANT");

    dut_put(dut, dut_port(dut, "mutsel"), mutant == NULL ? 0 : strtoull(mutant, NULL, 10));
    return dut;
}
