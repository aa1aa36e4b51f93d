/* SPDX-License-Identifier: Apache-2.0
 *
 * run_scenarios - runs the scenarios at one size of the cache.
 *
 * Usage: run_scenarios [SEED [NUMBER]]   NUMBER: runs only this scenario. SEED also chooses the
 * contents of registers and memories before the reset. Exit 1 if one fails.
 */
#include "scenario/rig.h"

#include "cosim/lock_port.h"

#include "scenario_list.h"

#define X(number, name) void scenario_##number(struct rig *r);
SCENARIOS(X)
#undef X

static const struct {
    const char *number, *name;
    void (*run)(struct rig *);
} list[] = {
#define X(number, name) {#number, name, scenario_##number},
    SCENARIOS(X)
#undef X
};

#ifndef P_LOOK
#define P_LOOK 0
#endif

static const struct rig_size size = {
    .name = P_NAME,
    .alloc = P_ALLOC,
    .sectors = P_SECTORS,
    .sets = P_SETS,
    .ways = P_DATA_WAYS,
    .tag_ways = P_TAG_WAYS,
    .line = P_LINE_BYTES,
    .repl = P_REPL,
    .look = P_LOOK,
    .rc_bits = P_RC_W,
    .mshrs = P_MSHRS,
    .merges = P_MERGES,
    .miss_depth = P_MISS_DEPTH,
    .bypass_depth = P_BYPASS_DEPTH,
    .trackers = P_TRACKERS,
    .line_bits = P_LINE_W,
    .port =
        {
#define PORT(parameter, field, def, lo, hi, meaning) .field = P_##parameter,
#include "configs/byw_port_params.def"
#undef PORT
        },
};

/* The hundreds of scenarios that a size runs; sizes with fences run those of the port. */
static bool suits(char hundreds)
{
    if (size.port.fence != 0)
        return hundreds == '6';
    if (size.look != 0)
        return hundreds == '7';
    return hundreds < '6' && (hundreds == '5') == (size.alloc == BYW_ALLOC_ON_FILL);
}

/* Drains the caches; then the memory must hold what was stored. */
static void finish(struct rig *r)
{
    uint32_t i;

    r->rsp_ready = r->mem_ready = true;
    r->hold = false;
    rig_drain(r);
    rig_do(r, BYW_OP_FLUSH, 0);
    for (i = 0; i < RIG_LINES; i++)
        if (memcmp(r->mem[i], r->flat[i], r->size.line) != 0)
            rig_same_at(r, 0, "lines of the memory image as stored, up to this one", RIG_LINES, i);
}

/* Runs a scenario; a failed check jumps back to here. */
static bool holds(struct rig *r, void (*run)(struct rig *))
{
    if (setjmp(r->out_of_here) != 0)
        return false;
    run(r);
    finish(r);
    return true;
}

static bool run_one(struct rig *r, uint32_t i)
{
    bool passed;

    r->name = list[i].name;
    byw_rng_init(&r->l.rng, r->l.seed);
    r->l.dut = dut_create(r->l.seed);
    rig_ports_find(&r->ports, r->l.dut);
    passed = holds(r, list[i].run);
    byw_l1d_free(r->l1d);
    r->l1d = NULL;
    dut_free(r->l.dut);
    return passed;
}

static int run_all(struct rig *r, const char *only)
{
    uint32_t i, passed = 0, failed = 0;

    for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        if (!suits(list[i].number[0]))
            continue;
        if (only != NULL && strcmp(only, list[i].number) != 0)
            continue;
        if (run_one(r, i)) {
            passed++;
            continue;
        }
        failed++;
        printf("rerun: %s %" PRIu64 " %s\n", r->l.program, r->l.seed, list[i].number);
    }
    printf("%s scenario_%s seed %" PRIu64 ": %" PRIu32 " scenarios passed, %" PRIu32
           " failed, %" PRIu64 " requests\n",
           failed == 0 && passed != 0 ? "PASS" : "FAIL", size.name, r->l.seed, passed, failed,
           r->requests);
    return failed != 0 || passed == 0;
}

int main(int argc, char **argv)
{
    struct rig *r = calloc(1, sizeof(*r));
    int rc;

    if (r == NULL)
        return 2;
    r->size = size;
    r->l.program = argv[0];
    r->l.seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    rc = run_all(r, argc > 2 ? argv[2] : NULL);
    free(r);
    return rc;
}
