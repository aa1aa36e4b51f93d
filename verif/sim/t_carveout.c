/* SPDX-License-Identifier: Apache-2.0
 *
 * t_carveout.c - how a launch splits the memory shared by L1D and scratchpad, and how many CTAs
 * fit, with the keys of h200.cfg.
 */
#include <string.h>

#include "sim/gpu_rig.h"
#include "sim/sm/byw_carveout.h"
#include "sim/sm/byw_sm.h"

static void hopper(struct byw_config *c)
{
    byw_config_defaults(c);
    c->sm_warps = 64;
    c->sm_ctas = 32;
    c->sm_threads = 2048;
    c->sm_registers = 65536;
    c->sm_thread_registers = 255;
    c->sm_register_unit = 8;
    c->sm_register_files = 4;
    c->sm_shared_bytes = 228 * 1024;
    c->sm_cta_shared = 1024;
    c->sm_unified = 256;
    strcpy(c->sm_carveouts, "0 8 16 32 64 100 132 164 196 228");
    c->sm_carveout_least = 32;
    c->sm_carveout_most = 132;
    c->l1d_reserved = 7;
    c->l1d_line = 128;
}

static struct byw_kernel shape(uint32_t threads, uint32_t registers, uint32_t shared)
{
    struct byw_kernel kernel = kernel_of(1, threads);

    kernel.registers = registers;
    kernel.shared_bytes = shared;
    return kernel;
}

/* Shared memory configuration sizes that Nsight Compute reported on an H200. */
static void scratchpad_gets_what_an_h200_gave(void **state)
{
    static const struct {
        uint32_t threads, registers, shared, kb;
    } seen[] = {
        {32, 52, 0, 32},       {64, 22, 0, 32},       {128, 24, 0, 32},      {176, 26, 0, 32},
        {256, 16, 0, 32},      {256, 36, 0, 32},      {512, 32, 0, 16},      {512, 16, 16, 16},
        {1024, 21, 0, 8},      {1024, 22, 168, 8},    {256, 16, 88, 32},     {256, 32, 1024, 32},
        {256, 21, 1360, 64},   {256, 40, 2048, 64},   {256, 26, 4080, 100},  {256, 32, 5120, 100},
        {256, 25, 6144, 132},  {256, 40, 8192, 132},  {256, 40, 8448, 132},  {256, 32, 8704, 132},
        {256, 62, 16384, 132}, {256, 64, 16896, 132}, {320, 34, 13448, 132}, {512, 31, 2048, 32},
        {512, 24, 3072, 32},   {128, 20, 48, 32},     {64, 26, 128, 64},     {64, 32, 512, 64},
        {64, 39, 405, 64},     {64, 32, 2112, 100},   {64, 40, 2304, 100},   {32, 20, 1024, 64},
        {32, 20, 4096, 164},   {16, 32, 2180, 132},
    };
    struct byw_config c;

    (void)state;
    hopper(&c);
    for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
        const struct byw_kernel kernel = shape(seen[i].threads, seen[i].registers, seen[i].shared);

        if (byw_carveout_for(&c, &kernel).shared_kb != seen[i].kb)
            fail_msg("%u threads, %u registers, %u bytes: %u KB, expected %u", seen[i].threads,
                     seen[i].registers, seen[i].shared, byw_carveout_for(&c, &kernel).shared_kb,
                     seen[i].kb);
    }
}

/* 256 KB minus the scratchpad minus 7 KB, in the fewest sets that 64 ways allow, at least 4. */
static void l1d_gets_the_rest(void **state)
{
    struct byw_kernel kernel = shape(256, 16, 0);
    struct byw_carveout carveout;
    struct byw_config c;

    (void)state;
    hopper(&c);
    carveout = byw_carveout_for(&c, &kernel);
    assert_int_equal(carveout.l1d_sets, 32);
    assert_int_equal(carveout.l1d_ways, (256 - 32 - 7) * 8 / 32);
    c.sm_carveout = 1;
    carveout = byw_carveout_for(&c, &kernel);
    assert_int_equal(carveout.shared_kb, 228);
    assert_int_equal(carveout.l1d_sets, 4);
    assert_int_equal(carveout.l1d_ways, (256 - 228 - 7) * 8 / 4);
    c.sm_unified = 0; /* no shared memory: the machine's own sizes */
    carveout = byw_carveout_for(&c, &kernel);
    assert_int_equal(carveout.shared_kb, c.sm_shared_bytes / 1024);
    assert_int_equal(carveout.l1d_sets, c.l1d_sets);
    assert_int_equal(carveout.l1d_ways, c.l1d_ways);
}

/* 40 registers per thread are 1280 per warp: 12 warps fit in each of four register files of 16384,
 * but 51 in one file of 65536. */
static void registers_are_those_of_a_sub_core(void **state)
{
    struct byw_kernel kernel = shape(64, 40, 0);
    struct byw_config c;

    (void)state;
    hopper(&c);
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 24);
    c.sm_register_files = 1;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 25);
    kernel = shape(64, 39, 0); /* allocated as 40 */
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 25);
}

/* Register counts come from the assembler if the machine requests that and the trace has them;
 * otherwise from the capture's estimate. */
static void compiled_registers_replace_the_estimate(void **state)
{
    struct byw_kernel kernel = shape(64, 40, 0);
    struct byw_config c;

    (void)state;
    hopper(&c);
    kernel.compiled_registers = 80;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 24);
    c.sm_compiled_registers = 1;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 12);
    kernel.compiled_registers = 0;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 24);
}

/* Each CTA occupies 1 KB in addition to its own scratchpad. */
static void a_cta_occupies_a_kilobyte_more(void **state)
{
    struct byw_kernel kernel = shape(32, 16, 113 * 1024);
    struct byw_config c;

    (void)state;
    hopper(&c);
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 2);
    kernel.shared_bytes++;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 1);
}

static void wrong_carveouts_are_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        "x",
                                        "8 8 228",
                                        "16 8 228",
                                        "0 100",
                                        "0 228 300",
                                        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 228"};
    struct byw_config c;

    (void)state;
    hopper(&c);
    assert_null(byw_carveout_fault(&c));
    c.l1d_reserved = 28;
    assert_non_null(byw_carveout_fault(&c)); /* nothing left for the L1D */
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        hopper(&c);
        strcpy(c.sm_carveouts, wrong[i]);
        assert_non_null(byw_carveout_fault(&c));
    }
    c.sm_unified = 0;
    assert_null(byw_carveout_fault(&c)); /* the key has no effect */
}

/* 42 registers of 1024 threads are more than a Fermi SM's 32768. A compiler for it would spill, so
 * an estimate leaves one CTA; what an assembler counted refuses the kernel, and so does scratchpad.
 */
static void an_estimate_of_registers_refuses_no_kernel(void **state)
{
    struct byw_config c;
    struct byw_kernel kernel = shape(1024, 42, 0);

    (void)state;
    byw_config_defaults(&c);
    assert_int_equal(c.sm_registers, 32768);
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 1);
    c.sm_compiled_registers = 1;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 1);
    kernel.compiled_registers = 42;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 0);
    kernel.compiled_registers = 32;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 1);
    kernel.shared_bytes = c.sm_shared_bytes + 1;
    assert_int_equal(byw_sm_occupancy(&c, &kernel), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratchpad_gets_what_an_h200_gave),
        cmocka_unit_test(l1d_gets_the_rest),
        cmocka_unit_test(registers_are_those_of_a_sub_core),
        cmocka_unit_test(compiled_registers_replace_the_estimate),
        cmocka_unit_test(an_estimate_of_registers_refuses_no_kernel),
        cmocka_unit_test(a_cta_occupies_a_kilobyte_more),
        cmocka_unit_test(wrong_carveouts_are_refused),
    };

    return cmocka_run_group_tests_name("carveout", tests, NULL, NULL);
}
