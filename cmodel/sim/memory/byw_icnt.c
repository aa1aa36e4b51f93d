/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_icnt.h"

#include <string.h>

enum byw_status byw_icnt_init(struct byw_icnt *icnt, uint32_t inputs, uint32_t outputs,
                              const struct byw_config *config, bool request)
{
    memset(icnt, 0, sizeof(*icnt));
    icnt->inputs = inputs;
    icnt->outputs = outputs;
    icnt->in_limit = config->icnt_in_packets;
    icnt->out_limit = config->icnt_out_packets;
    icnt->in = calloc(inputs, sizeof(*icnt->in));
    icnt->out = calloc(outputs, sizeof(*icnt->out));
    icnt->want = calloc(outputs, sizeof(*icnt->want));
    icnt->turn = calloc(outputs, sizeof(*icnt->turn));
    icnt->moved = calloc(outputs, sizeof(*icnt->moved));
    icnt->served = calloc(outputs, sizeof(*icnt->served));
    if (icnt->in == NULL || icnt->out == NULL || icnt->want == NULL || icnt->turn == NULL ||
        icnt->moved == NULL || icnt->served == NULL) {
        byw_icnt_free(icnt);
        return BYW_ENOMEM;
    }
    for (uint32_t i = 0; i < inputs; i++)
        byw_fifo_init(&icnt->in[i], request ? BYW_AT_REQ_IN : BYW_AT_RSP_IN);
    for (uint32_t i = 0; i < outputs; i++) {
        byw_fifo_init(&icnt->out[i], request ? BYW_AT_REQ_OUT : BYW_AT_RSP_OUT);
        byw_bits_init(&icnt->want[i], inputs);
    }
    byw_bits_init(&icnt->wanted, outputs);
    byw_bits_init(&icnt->arrived, outputs);
    byw_bits_init(&icnt->full, inputs);
    byw_bits_init(&icnt->closed, inputs);
    return BYW_OK;
}

void byw_icnt_free(struct byw_icnt *icnt)
{
    free(icnt->in);
    free(icnt->out);
    free(icnt->want);
    free(icnt->turn);
    free(icnt->moved);
    free(icnt->served);
    memset(icnt, 0, sizeof(*icnt));
}

uint32_t byw_icnt_flits(const struct byw_config *config, uint32_t bytes)
{
    return (config->icnt_header + bytes + config->icnt_flit - 1) / config->icnt_flit;
}

/* Announces the oldest packet of an input at its output. */
static void announce(struct byw_icnt *icnt, const struct byw_packet_pool *pool, uint32_t input)
{
    uint32_t output = pool->packet[icnt->in[input].head].dest;

    byw_bits_set(&icnt->want[output], input);
    byw_bits_set(&icnt->wanted, output);
}

void byw_icnt_push(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint32_t input,
                   uint32_t packet)
{
    assert(byw_icnt_ready(icnt, input));
    byw_fifo_push(pool, &icnt->in[input], packet);
    icnt->at_inputs++;
    byw_bits_set(&icnt->closed, input);
    if (icnt->in[input].count == 1)
        announce(icnt, pool, input);
    if (icnt->in[input].count == icnt->in_limit)
        byw_bits_set(&icnt->full, input);
}

uint32_t byw_icnt_pop(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint32_t output)
{
    uint32_t packet = byw_fifo_pop(pool, &icnt->out[output]);

    icnt->at_outputs--;
    if (icnt->out[output].count == 0)
        byw_bits_clear(&icnt->arrived, output);
    return packet;
}

/* Output o takes a packet from the input whose turn it is.  Returns that input. */
static uint32_t take(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint32_t o,
                     uint64_t ready)
{
    uint32_t i = byw_bits_around(&icnt->want[o], icnt->turn[o]);
    uint32_t p = byw_fifo_pop(pool, &icnt->in[i]);

    pool->packet[p].ready = ready;
    byw_fifo_push(pool, &icnt->out[o], p);
    byw_bits_set(&icnt->arrived, o);
    byw_bits_clear(&icnt->full, i);
    byw_bits_clear(&icnt->want[o], i);
    if (!byw_bits_any(&icnt->want[o]))
        byw_bits_clear(&icnt->wanted, o);
    icnt->turn[o] = i + 1 < icnt->inputs ? i + 1 : 0;
    return i;
}

void byw_icnt_transfer(struct byw_icnt *icnt, struct byw_packet_pool *pool, uint64_t ready)
{
    uint32_t moved = 0;

    icnt->moves = 0;
    if (icnt->at_inputs == 0)
        return;
    for (uint32_t w = 0; w < icnt->wanted.words; w++) {
        for (uint64_t left = icnt->wanted.w[w]; left != 0; left &= left - 1) {
            uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(left);

            if (icnt->out[o].count < icnt->out_limit) {
                icnt->served[moved] = o;
                icnt->moved[moved++] = take(icnt, pool, o, ready);
            }
        }
    }
    for (uint32_t w = 0; w < icnt->full.words; w++)
        icnt->closed.w[w] = icnt->full.w[w];
    icnt->moves = moved;
    icnt->at_inputs -= moved;
    icnt->at_outputs += moved;
    /* Announced only now, so that an input gives at most one packet in this cycle. */
    for (uint32_t m = 0; m < moved; m++)
        if (icnt->in[icnt->moved[m]].count > 0)
            announce(icnt, pool, icnt->moved[m]);
}
