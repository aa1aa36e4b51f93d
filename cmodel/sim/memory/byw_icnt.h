/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_icnt.h - one direction of the crossbar between SMs and L2 slices.
 *
 * Every input and output port has a packet buffer.  In a crossbar cycle each output accepts at most
 * one packet, and each input gives at most one, its oldest.  An output requested by several inputs
 * serves them round robin, starting after the one served last (iSLIP with one iteration).  A full
 * output buffer holds its packets back at the inputs, where they also block younger packets to
 * other outputs.  A packet crosses in one cycle regardless of its size, which only affects the flit
 * counters.  At most one packet per port and crossbar cycle enters a buffer.
 */
#ifndef BYW_ICNT_H
#define BYW_ICNT_H

#include "sim/memory/byw_memsys_pool.h"

struct byw_icnt {
    uint32_t inputs, outputs;
    uint32_t in_limit, out_limit; /* packets per buffer */
    struct byw_fifo *in, *out;
    struct byw_bits *want; /* per output: inputs whose oldest packet has this output */
    uint32_t *turn; /* per output: the input with priority */
    uint32_t *moved; /* inputs served in the last transfer */
    uint32_t *served; /* outputs that received these packets */
    uint32_t moves; /* packets moved in the last transfer */
    struct byw_bits wanted; /* outputs with a non-empty want */
    struct byw_bits arrived; /* outputs with a packet */
    struct byw_bits full; /* inputs whose buffer is full */
    struct byw_bits closed; /* full inputs, and inputs that accepted a packet since the last
                             * transfer */
    uint32_t at_inputs, at_outputs; /* packets in the input and output buffers */
};

/* request: from SMs to slices (packets are stamped accordingly). */
enum byw_status byw_icnt_init(struct byw_icnt *icnt, uint32_t inputs, uint32_t outputs,
                              const struct byw_config *config, bool request);
void byw_icnt_free(struct byw_icnt *icnt);

/* Number of flits of a packet with `bytes` of data. */
uint32_t byw_icnt_flits(const struct byw_config *config, uint32_t bytes);

static inline bool byw_icnt_ready(const struct byw_icnt *icnt, uint32_t input)
{
    return !byw_bits_test(&icnt->closed, input);
}

/* Puts a packet into the input's buffer; its dest is the output.  Needs byw_icnt_ready(). */
void byw_icnt_push(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint32_t input,
                   uint32_t packet);

/* The oldest packet at an output, or BYW_NO_PACKET; _pop removes it. */
static inline uint32_t byw_icnt_front(const struct byw_icnt *icnt, uint32_t output)
{
    return icnt->out[output].count > 0 ? icnt->out[output].head : BYW_NO_PACKET;
}
uint32_t byw_icnt_pop(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint32_t output);

/* One crossbar cycle.  Packets that reach an output become visible at `ready`. */
void byw_icnt_transfer(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint64_t ready);

#endif
