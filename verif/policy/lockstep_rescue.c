/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_rescue - a rescue rule (configs/byw_rescues.def) equals its C twin for every input,
 * including codes without a meaning.  RULE: the rule; without it: byw_rescue.v, all of them, at
 * drawn values of their keys.
 */
#include "cosim/lock.h"
#include "cosim/lock_cfg.h"
#include "policy/byw_rescue.h"

enum { INPUTS = 1 << 9, DRAWN = 200 };

struct ports {
    uint32_t op, hint, reason, bypass;
};

/* Compares the results for all loads, with one value of each key; `on`: the twin's rule. */
static void all_loads(struct lock *l, const struct ports *port,
                      bool (*on)(const void *keys, const struct byw_refused *load),
                      const void *keys)
{
    for (uint32_t i = 0; i < INPUTS; i++, l->cycle++) {
        struct byw_refused load = {
            .op = (uint8_t)(i & 7), .hint = (uint8_t)(i >> 3 & 7), .reason = (uint8_t)(i >> 6)};

        dut_put(l->dut, port->op, load.op);
        dut_put(l->dut, port->hint, load.hint);
        dut_put(l->dut, port->reason, load.reason);
        dut_eval(l->dut);
        lock_same(l, "bypass", on(keys, &load), dut_get(l->dut, port->bypass));
    }
}

#ifdef RULE
static bool rule(const void *when, const struct byw_refused *load)
{
    return RULE(*(const uint32_t *)when, load);
}

static void all_keys(struct lock *l, const struct ports *port)
{
    uint32_t when_i = dut_port(l->dut, "when_i");

    for (uint32_t when = 0; when < 1U << WHEN_W; when++) {
        dut_put(l->dut, when_i, when);
        all_loads(l, port, rule, &when);
    }
}
#else
static bool rules(const void *rescues, const struct byw_refused *load)
{
    return byw_rescue(rescues, load);
}

static void all_keys(struct lock *l, const struct ports *port)
{
    uint32_t cfg_i = dut_port(l->dut, "cfg_i");
    struct byw_config config;

    byw_config_defaults(&config);
    for (int i = 0; i < DRAWN; i++) {
        struct byw_rescues rescues;

        lock_rescues(l, 50, &config);
        rescues = byw_rescues_of(&config);
        dut_put(l->dut, cfg_i, byw_csr_rescues(&config));
        all_loads(l, port, rules, &rescues);
    }
}
#endif

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    struct ports port = {.op = dut_port(l.dut, "op_i"),
                         .hint = dut_port(l.dut, "hint_i"),
                         .reason = dut_port(l.dut, "reason_i"),
                         .bypass = dut_port(l.dut, "bypass_o")};

    all_keys(&l, &port);
    l.cycles = l.cycle;
    return lock_pass(&l, ", every load");
}
