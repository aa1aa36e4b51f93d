/* SPDX-License-Identifier: Apache-2.0
 *
 * sm_rig.h - one SM with its L1D and a memory side: a test writes the instructions of a CTA, places
 * the CTA, and steps cycle by cycle. The first instruction of the first warp is fetched in cycle 0,
 * decoded in cycle 1 and issues in cycle SM_FIRST_ISSUE.
 */
#ifndef SM_RIG_H
#define SM_RIG_H

#include "sim/gpu_rig.h"
#include "sim/sm/byw_sm_state.h"
#include "trace/bwt/byw_trace_writer.h"

enum { SM_FIRST_ISSUE = 2 };

struct rig {
    struct bench bench; /* the CTA to which add() appends instructions */
    struct byw_cluster *cluster;
    struct byw_memsys *memsys;
    struct byw_sm *sm;
    struct byw_kernel kernel;
    uint64_t now; /* the next cycle */
};

/* A machine in which only the fetch delays instructions. */
static inline struct byw_config *rig_config(struct rig *rig)
{
    struct byw_config *c = &rig->bench.config;

    memset(rig, 0, sizeof(*rig));
    byw_config_defaults(c);
    c->icache_on = 0;
    c->sm_count = 1;
    c->sm_warps = 64;
    c->sm_threads = 8192;
    c->sm_ctas = 64;
    c->sm_schedulers = 1;
    c->sm_collectors = 64;
    c->sm_fetch_insts = 8;
    c->sm_own_units = 1;
    c->sp_units = 16;
    c->ii_sp = c->ii_sfu = c->ii_dp = 1;
    c->collect_int = c->collect_fp = c->collect_sfu = c->collect_dp = 1;
    return c;
}

static inline void rig_start(struct rig *rig)
{
    struct byw_config *c = &rig->bench.config;
    struct byw_diag diag = {""};

    if (c->sm_own_units != 0)
        c->sp_units = c->sm_schedulers;
    if (byw_config_check(c, &diag) != BYW_OK ||
        byw_cluster_create(c, false, &rig->cluster, &diag) != BYW_OK ||
        byw_memsys_create(c, &rig->memsys, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(byw_sm_create(c, 0, 0, rig->cluster, rig->memsys, &rig->sm), BYW_OK);
    byw_cta_init(&rig->bench.cta);
}

static inline void rig_end(struct rig *rig)
{
    byw_sm_free(rig->sm);
    byw_memsys_free(rig->memsys);
    byw_cluster_free(rig->cluster);
}

/* Adds a warp to the CTA; add() then gives it instructions. */
static inline void warp(struct rig *rig)
{
    byw_cta_add_warp(&rig->bench.cta);
}

/* The CTA starts in the next cycle, and belongs to the SM from then on. A test with several CTAs
 * launches its kernel itself. */
static inline void place(struct rig *rig)
{
    if (rig->sm->cta_limit == 0) {
        rig->kernel = kernel_of(1, 32 * rig->bench.cta.warp_count);
        rig->kernel.registers = 0;
        byw_sm_launch(rig->sm, &rig->kernel, 0);
    }
    *byw_sm_cta(rig->sm) = rig->bench.cta;
    byw_sm_start(rig->sm, rig->now);
    byw_cta_init(&rig->bench.cta);
}

static inline void step(struct rig *rig)
{
    byw_sm_step(rig->sm, rig->now);
    byw_memsys_tick(rig->memsys);
    byw_cluster_tick(rig->cluster);
    rig->now++;
}

static inline uint64_t issued(const struct rig *rig)
{
    struct byw_sm_counters counters;

    byw_sm_counters(rig->sm, &counters);
    return counters.warp_instructions;
}

/* Expects `count` instructions to issue in cycle `at`, and none before. */
static inline void expect_issues(struct rig *rig, uint64_t at, uint64_t count)
{
    uint64_t before = issued(rig);

    assert_true(at >= rig->now);
    while (rig->now < at)
        step(rig);
    assert_int_equal(issued(rig), before);
    step(rig);
    assert_int_equal(issued(rig), before + count);
}

/* Steps to the next issue and returns its cycle. */
static inline uint64_t next_issue(struct rig *rig)
{
    uint64_t before = issued(rig);

    for (int i = 0; issued(rig) == before; i++) {
        assert_true(i < 5000);
        step(rig);
    }
    return rig->now - 1;
}

#endif
