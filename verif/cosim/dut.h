/* SPDX-License-Identifier: Apache-2.0
 *
 * dut.h - C interface to one Verilated module; the module is chosen when the program is linked.
 *
 * Ports are looked up by name once and then used by number. One clock cycle: put the inputs,
 * dut_eval(), get the outputs, dut_tick(). Modules without clk_i (or clk) need no tick.
 */
#ifndef BYW_DUT_H
#define BYW_DUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dut;

/* Every register and memory starts with a random value drawn from seed, and every x is random. */
struct dut *dut_create(uint64_t seed);
void dut_free(struct dut *dut);

/* Number of a port; prints its name and exits if there is none. */
uint32_t dut_port(const struct dut *dut, const char *name);

/* Writes, and reads, a port of up to 64 bits. */
void dut_put(struct dut *dut, uint32_t port, uint64_t value);
uint64_t dut_get(const struct dut *dut, uint32_t port);

/* The same as dut_put() and dut_get() for a port of any width, as little-endian bytes; n is limited
 * to the port's size. */
void dut_put_bytes(struct dut *dut, uint32_t port, const void *bytes, size_t n);
void dut_get_bytes(const struct dut *dut, uint32_t port, void *bytes, size_t n);

/* Inverts a bit of a word of the data store's bytes, between two cycles; exits if the module has no
 * data store.  A bit is numbered in the whole word, lane by lane. */
void dut_flip(struct dut *dut, uint32_t word, uint32_t bit);

/* Inverts a bit of the word of a set in the key RAM of a tag way. */
void dut_flip_key(struct dut *dut, uint32_t way, uint32_t set, uint32_t bit);

/* Inverts a bit of the record of a set in byw_sector_store: of copy 0, which fills read, or of copy
 * 1. */
void dut_flip_record(struct dut *dut, uint32_t copy, uint32_t set, uint32_t bit);

void dut_eval(struct dut *dut);
void dut_tick(struct dut *dut);

#ifdef __cplusplus
}
#endif

#endif
