/* SPDX-License-Identifier: Apache-2.0
 *
 * client_side.h - the parts of the GPU side that the benches of two clients share: a phase in
 * which requests are sent one by one and measured, the rates after it, the longest hit and miss,
 * and lines that others write. A bench holds one `struct client`; all times are cycles.
 */
#ifndef BYW_CLIENT_SIDE_H
#define BYW_CLIENT_SIDE_H

#include "cosim/lock.h"

enum {
    CLIENT_FLIGHT = 256, /* requests that a bench remembers */
    CLIENT_ALONE = 300, /* requests at the start that are sent one by one and measured */
    CLIENT_HANGS = 20000, /* cycles without an event after which the bench counts as stuck */
};

/* A port of the adapter and the variable for its number. */
struct client_port {
    uint32_t *port;
    const char *name;
};

struct client {
    struct lock l;
    bool alone; /* requests are sent one by one */
    uint32_t rate, p_rate, m_rate; /* percent: requests, answers taken, memory */
    uint32_t flying; /* requests without their answer */
    uint64_t wanted, taken; /* requests to send, and sent */
    uint64_t last; /* cycle of the last event */
    /* cycles of a request's first offer and of the end of its answer; or 0 */
    uint64_t m_seen, d_done;
    uint64_t hit_cycles, miss_cycles;
};

/* If a rule was not kept, ends the bench with the rule's name. */
static inline void client_need(struct client *c, const char *rule, bool kept)
{
    if (!kept)
        lock_fail(&c->l, rule, 1, 0);
}

static inline void client_start(struct client *c, int argc, char **argv)
{
    c->l = lock_start(argc, argv, 5000);
    c->wanted = c->l.cycles;
    c->alone = true;
    c->rate = c->p_rate = c->m_rate = 100;
}

static inline void client_find(struct client *c, const struct client_port port[], size_t ports)
{
    size_t i;

    for (i = 0; i < ports; i++)
        *port[i].port = dut_port(c->l.dut, port[i].name);
}

/* Ends the measuring phase when enough requests were sent and nothing is in flight; draws new rates
 * from time to time. */
static inline void client_pace(struct client *c, bool quiet)
{
    static const uint8_t RATES[] = {5, 30, 70, 100};

    if (c->alone && c->taken >= CLIENT_ALONE && quiet)
        c->alone = false;
    if (!c->alone && c->l.cycle % 512 == 0) {
        c->rate = RATES[lock_below(&c->l, 4)];
        c->p_rate = RATES[lock_below(&c->l, 4)];
        c->m_rate = RATES[lock_below(&c->l, 4)];
    }
}

/* Whether a request may be offered in this cycle. */
static inline bool client_sends(struct client *c, bool quiet)
{
    return c->taken < c->wanted && c->flying < CLIENT_FLIGHT - 1 &&
           (c->alone ? quiet && c->taken < CLIENT_ALONE : lock_chance(&c->l, c->rate));
}

/* The answer to a request that was sent alone and accepted in cycle `taken` arrived in this
 * cycle. */
static inline void client_measure(struct client *c, uint64_t taken)
{
    uint64_t cycles = c->l.cycle - taken;

    if (c->d_done == 0) {
        c->hit_cycles = cycles > c->hit_cycles ? cycles : c->hit_cycles;
        return;
    }
    cycles = c->m_seen - taken + c->l.cycle - c->d_done;
    c->miss_cycles = cycles > c->miss_cycles ? cycles : c->miss_cycles;
}

/* Other agents write each line with probability `percent`: plain memory and that of the bench get
 * the same bytes. */
static inline void client_write(struct client *c, uint8_t *plain, uint8_t *memory, size_t bytes,
                                uint32_t percent)
{
    size_t i;

    for (i = 0; i < bytes; i++)
        if (lock_chance(&c->l, percent))
            plain[i] = memory[i] = (uint8_t)lock_below(&c->l, 256);
}

#endif
