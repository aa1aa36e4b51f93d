/* SPDX-License-Identifier: Apache-2.0
 *
 * t_capture.c - traces of kernels small enough to work out by hand.
 */
#include "opencl/cl_bench.h"

/* Buffers are separated by guard pages; each starts at a page boundary. */
static void a_partial_warp_has_a_partial_mask(void **state)
{
    struct capture *c =
        capture(*state,
                "kernel void add(global const float *a, global const float *b, global float *c,\n"
                "                int n)\n"
                "{ int i = get_global_id(0); if (i < n) c[i] = a[i] + b[i]; }\n",
                "add 128 64 DUMP f:128 f:128 f:128 i:100");
    struct bench *b = *state;
    float got[3 * 128];

    read_dump(b, got, sizeof(got));
    for (int i = 0; i < 128; i++)
        assert_true(got[256 + i] == (float)(i < 100 ? 2 * i : i));
    assert_string_equal(c->kernel.name, "add");
    assert_int_equal(c->kernel.grid[0], 2);
    assert_int_equal(c->kernel.block[0], 64);
    assert_int_equal(c->ctas, 2);
    assert_int_equal(c->warps, 4);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 8);
    assert_int_equal(count(c, BYW_CLASS_STORE), 4);
    assert_int_equal(count(c, BYW_CLASS_EXIT), 4);
    for (uint32_t w = 0; w < 4; w++) {
        uint64_t mask = w == 3 ? 0xf : ALL, base = BUFFER + 128 * w;

        expect(nth(c, BYW_CLASS_LOAD, 2 * w), mask, base, 4, 4);
        expect(nth(c, BYW_CLASS_LOAD, 2 * w + 1), mask, base + 0x2000, 4, 4);
        expect(nth(c, BYW_CLASS_STORE, w), mask, base + 0x4000, 4, 4);
        assert_int_equal(nth(c, BYW_CLASS_EXIT, w)->mask, ALL);
        assert_int_equal(nth(c, BYW_CLASS_BRANCH, w)->mask, ALL);
    }
    assert_int_equal(c->kernel.site_count, 3);
    for (uint32_t n = 0; n < 3; n++) {
        const struct byw_inst *inst =
            n < 2 ? nth(c, BYW_CLASS_LOAD, n) : nth(c, BYW_CLASS_STORE, 0);

        assert_int_equal(c->site[n].pc, inst->pc);
        assert_int_equal(c->site[n].argument, n);
        assert_int_equal(c->site[n].cls, inst->cls);
        assert_int_equal(c->site[n].width, 4);
        assert_int_equal(c->site[n].line, 3);
    }
}

/* Both sides of a branch run once, each with its lanes; then the warp reconverges. */
static void lanes_reconverge_after_a_branch(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, global int *b, global int *c)\n"
                                "{ int i = get_global_id(0);\n"
                                "  if (i & 1) atomic_add(b + i, 1); else atomic_or(c + i, 1);\n"
                                "  a[i] = i; }\n",
                                "f 32 32 - b:32 b:32 b:32");
    uint64_t masks = nth(c, BYW_CLASS_ATOMIC, 0)->mask | nth(c, BYW_CLASS_ATOMIC, 1)->mask;

    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 2);
    assert_int_equal(masks, ALL);
    for (uint32_t n = 0; n < 2; n++) {
        const struct byw_inst *atomic = nth(c, BYW_CLASS_ATOMIC, n);
        bool odd = atomic->mask == 0xaaaaaaaa;

        expect(atomic, odd ? 0xaaaaaaaa : 0x55555555, BUFFER + (odd ? 0x2000 : 0x4000), 4, 4);
    }
    assert_int_equal(count(c, BYW_CLASS_STORE), 1);
    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 4, 4);
}

/* However often a work-group polls the flag of another, its trace contains only the first and the
 * last poll, and its CTA is still the first in the trace. Lane 0 delays its warp: by then the
 * values that the other lanes load are stored. */
static void a_polling_loop_leaves_its_first_and_last_iteration(void **state)
{
    struct capture *c =
        capture(*state,
                "kernel void f(volatile global int *flag, global int *a)\n"
                "{ int i = get_global_id(0);\n"
                "  if (get_group_id(0) == 3) {\n"
                "    a[i & 31] = i + 1; mem_fence(CLK_GLOBAL_MEM_FENCE); *flag = 1;\n"
                "  } else { if (get_local_id(0) == 0) while (*flag == 0) ;\n"
                "    a[32 + i] = a[i & 31]; } }\n",
                "f 128 32 DUMP b:1 b:256");
    struct bench *b = *state;
    int got[257];

    read_dump(b, got, sizeof(got));
    for (int i = 0; i < 96; i++)
        assert_int_equal(got[1 + 32 + i], 97 + i % 32);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 3 * (2 + 1));
    for (uint32_t w = 0; w < 3; w++) {
        assert_int_equal(nth(c, BYW_CLASS_LOAD, 3 * w)->mask, 1);
        assert_int_equal(nth(c, BYW_CLASS_LOAD, 3 * w + 1)->mask, 1);
        expect(nth(c, BYW_CLASS_LOAD, 3 * w + 2), ALL, BUFFER + 0x2000, 4, 4);
        expect(nth(c, BYW_CLASS_STORE, w), ALL, BUFFER + 0x2080 + 128 * w, 4, 4);
    }
    expect(nth(c, BYW_CLASS_STORE, 3), ALL, BUFFER + 0x2000, 4, 4);
}

/* Lane l makes l % 4 + 1 iterations. */
static void lanes_leave_a_loop_one_by_one(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, global int *b)\n"
                                "{ int l = get_local_id(0), s = 0;\n"
                                "  #pragma nounroll\n"
                                "  for (int j = 0; j <= l % 4; j++) s += b[32 * j + l];\n"
                                "  a[l] = s; }\n",
                                "f 32 32 - b:32 b:128");
    static const uint64_t masks[4] = {ALL, 0xeeeeeeee, 0xcccccccc, 0x88888888};

    assert_int_equal(count(c, BYW_CLASS_LOAD), 4);
    for (uint32_t j = 0; j < 4; j++)
        expect(nth(c, BYW_CLASS_LOAD, j), masks[j], BUFFER + 0x2000 + 128 * j, 4, 4);
    assert_int_equal(count(c, BYW_CLASS_STORE), 1);
    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 4, 4);
}

/* `continue` takes the back edge early; those lanes must wait for the rest of the iteration. */
static void lanes_that_continue_wait_for_the_iteration(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, int n)\n"
                                "{ int l = get_local_id(0);\n"
                                "  #pragma nounroll\n"
                                "  for (int j = 0; j < n; j++) {\n"
                                "    if ((l + j) & 1) continue;\n"
                                "    atomic_add(a + 32 * j + l, 1); }\n"
                                "  atomic_or(a + l, 1); }\n",
                                "f 32 32 - b:128 i:4");

    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 5);
    for (uint32_t j = 0; j < 4; j++)
        expect(nth(c, BYW_CLASS_ATOMIC, j), j % 2 ? 0xaaaaaaaa : 0x55555555, BUFFER + 128 * j, 4,
               4);
    expect(nth(c, BYW_CLASS_ATOMIC, 4), ALL, BUFFER, 4, 4);
}

static void barriers_separate_the_accesses(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, global int *b, local int *t)\n"
                                "{ local int u[64]; int l = get_local_id(0);\n"
                                "  t[2 * l] = a[l]; u[l] = l;\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "  b[l] = t[2 * (63 - l)] + u[0]; }\n",
                                "f 64 64 DUMP b:64 b:64 l:512");
    struct bench *b = *state;
    int got[128];

    read_dump(b, got, sizeof(got));
    for (int i = 0; i < 64; i++)
        assert_int_equal(got[64 + i], 63 - i);
    assert_int_equal(c->kernel.shared_bytes, 256 + 512);
    assert_int_equal(count(c, BYW_CLASS_BARRIER), 2);
    assert_int_equal(count(c, BYW_CLASS_SHARED_STORE), 4);
    assert_int_equal(count(c, BYW_CLASS_SHARED_LOAD), 4);
    for (uint32_t w = 0; w < 2; w++) {
        const struct byw_inst *wide = nth(c, BYW_CLASS_SHARED_STORE, 2 * w);
        const struct byw_inst *flat = nth(c, BYW_CLASS_SHARED_STORE, 2 * w + 1);
        const struct byw_inst *back = nth(c, BYW_CLASS_SHARED_LOAD, 2 * w);
        const struct byw_inst *same = nth(c, BYW_CLASS_SHARED_LOAD, 2 * w + 1);

        expect(wide, ALL, 256 + 256 * w, 8, 4);
        assert_int_equal(wide->degree, 2);
        expect(flat, ALL, 128 * w, 4, 4);
        assert_int_equal(flat->degree, 1);
        expect(back, ALL, 256 + 8 * 63 - 256 * w, -8, 4);
        assert_int_equal(back->degree, 2);
        expect(same, ALL, 0, 0, 4);
        assert_int_equal(same->degree, 1);
        assert_int_equal(nth(c, BYW_CLASS_BARRIER, w)->mask, ALL);
        assert_true(nth(c, BYW_CLASS_BARRIER, w) > flat && nth(c, BYW_CLASS_BARRIER, w) < back);
    }
}

/* An atomic on the scratchpad is a read, a modification and a write. */
static void a_scratchpad_atomic_is_read_modify_write(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a)\n"
                                "{ local int t; if (get_local_id(0) == 0) t = 0;\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&t);\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t; }\n",
                                "f 64 32 DUMP b:64");
    struct bench *b = *state;
    int got[64];

    read_dump(b, got, sizeof(got));
    for (int i = 0; i < 64; i++)
        assert_int_equal(got[i], 32);
    assert_int_equal(count(c, BYW_CLASS_ATOMIC), 0);
    assert_int_equal(count(c, BYW_CLASS_SHARED_STORE), 4);
    assert_int_equal(count(c, BYW_CLASS_SHARED_LOAD), 4);
    assert_int_equal(nth(c, BYW_CLASS_SHARED_STORE, 0)->mask, 1);
    assert_int_equal(nth(c, BYW_CLASS_SHARED_STORE, 1)->mask, ALL);
    assert_int_equal(count(c, BYW_CLASS_BARRIER), 4);
}

/* An aligned float4 is one access of 16 bytes, an unaligned one four of 4. */
static void aligned_vectors_are_one_access(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global float4 *a, global float *b)\n"
                                "{ int i = get_global_id(0); a[i] = vload4(i, b + 1); }\n",
                                "f 32 32 - f:128 f:132");

    assert_int_equal(count(c, BYW_CLASS_LOAD), 4);
    assert_int_equal(count(c, BYW_CLASS_STORE), 1);
    for (uint32_t k = 0; k < 4; k++) {
        expect(nth(c, BYW_CLASS_LOAD, k), ALL, BUFFER + 0x2000 + 4 + 4 * k, 16, 4);
        assert_true(nth(c, BYW_CLASS_LOAD, k)->use >= 4 - k);
    }
    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 16, 16);
}

/* Warps take 32 work-items in linear order, x fastest; an 8 by 8 group has two warps of four
 * rows. */
static void warps_take_work_items_in_linear_order(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a)\n"
                                "{ int x = get_global_id(0), y = get_global_id(1);\n"
                                "  a[16 * y + x] = x; }\n",
                                "f 16,16 8,8 - b:256");
    uint32_t last = 0;

    assert_int_equal(c->ctas, 4);
    assert_int_equal(c->warps, 8);
    assert_int_equal(count(c, BYW_CLASS_STORE), 8);
    for (uint32_t n = 0; n < c->count; n++)
        if (c->inst[n].cls == BYW_CLASS_STORE) {
            uint32_t cta = last / 2, warp = last % 2;
            uint64_t first = 16 * (8 * (cta / 2) + 4 * warp) + 8 * (cta % 2);

            assert_int_equal(c->inst[n].form, BYW_FORM_LIST);
            assert_int_equal(c->inst[n].mask, ALL);
            assert_int_equal(c->addr[n], BUFFER + 4 * first);
            last++;
        }
}

/* Equal offsets into private arrays of neighbouring lanes are adjacent in memory. */
static void private_arrays_are_interleaved_by_lane(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global int *a, int n)\n"
                                "{ int p[16]; int i = get_global_id(0);\n"
                                "  #pragma nounroll\n"
                                "  for (int k = 0; k < n; k++) p[k] = a[16 * i + k];\n"
                                "  a[i] = p[n - 3]; }\n",
                                "f 64 32 - b:1024 i:16");
    const struct byw_inst *first = nth(c, BYW_CLASS_LOCAL_STORE, 0);

    assert_int_equal(count(c, BYW_CLASS_LOCAL_STORE), 32);
    assert_int_equal(count(c, BYW_CLASS_LOCAL_LOAD), 2);
    for (uint32_t k = 0; k < 16; k++)
        expect(nth(c, BYW_CLASS_LOCAL_STORE, k), ALL, first->base + 128 * k, 4, 4);
    expect(nth(c, BYW_CLASS_LOCAL_LOAD, 0), ALL, first->base + 128 * 13, 4, 4);
    assert_true(nth(c, BYW_CLASS_LOCAL_STORE, 16)->base >= first->base + 128 * 16);
}

static void constant_data_is_read_from_the_constant_bank(void **state)
{
    struct capture *c = capture(*state,
                                "constant int table[4] = {5, 7, 11, 13};\n"
                                "kernel void f(global int *a, constant int *k)\n"
                                "{ int i = get_global_id(0); a[i] = table[i & 3] + k[i]; }\n",
                                "f 32 32 - b:32 b:32");

    assert_int_equal(count(c, BYW_CLASS_CONST_LOAD), 2);
    assert_int_equal(count(c, BYW_CLASS_LOAD), 0);
    assert_int_equal(nth(c, BYW_CLASS_CONST_LOAD, 0)->form, BYW_FORM_NONE);
    assert_true(nth(c, BYW_CLASS_CONST_LOAD, 0)->use > 0);
}

/* A load's result is needed by its first consumer: in the same block, in a block that runs later,
 * in the next iteration. */
static void a_load_names_its_first_consumer(void **state)
{
    struct capture *c = capture(*state,
                                "kernel void f(global float *a, global float *b, int n)\n"
                                "{ int i = get_global_id(0); float x = a[i], s = 0;\n"
                                "  #pragma nounroll\n"
                                "  for (int j = 0; j < n; j++) s = fmax(s, b[j]);\n"
                                "  a[i] = s * x; }\n",
                                "f 32 32 - f:32 f:32 i:8");
    const struct byw_inst *x = nth(c, BYW_CLASS_LOAD, 0);

    assert_int_equal(count(c, BYW_CLASS_LOAD), 9);
    assert_int_equal(count(c, BYW_CLASS_FP), 9);
    assert_int_equal(x->use, position(c, nth(c, BYW_CLASS_FP, 8)) - position(c, x));
    for (uint32_t j = 0; j < 8; j++) {
        const struct byw_inst *load = nth(c, BYW_CLASS_LOAD, 1 + j);

        assert_int_equal(load->use, position(c, nth(c, BYW_CLASS_FP, j)) - position(c, load));
        assert_int_equal(load->stride, 0);
    }
    c = capture(*state,
                "kernel void f(global int *a, global int *b, int n)\n"
                "{ int i = get_global_id(0), x = 5;\n"
                "  #pragma nounroll\n"
                "  for (int j = 0; j < n; j++) { b[i + 32 * j] = x; x = a[i + 32 * j]; }\n"
                "}\n",
                "f 32 32 - b:128 b:128 i:4");
    assert_int_equal(count(c, BYW_CLASS_LOAD), 4);
    for (uint32_t j = 0; j < 3; j++)
        assert_int_equal(nth(c, BYW_CLASS_LOAD, j)->use,
                         position(c, nth(c, BYW_CLASS_STORE, j + 1)) -
                             position(c, nth(c, BYW_CLASS_LOAD, j)));
    assert_int_equal(nth(c, BYW_CLASS_LOAD, 3)->use, 0);
}

/* Counts are those of the IR: address arithmetic, then seven dependent additions. */
static void arithmetic_counts_are_those_of_the_ir(void **state)
{
    struct capture *c =
        capture(*state,
                "kernel void f(global float *a, float x)\n"
                "{ int i = get_global_id(0); float s = a[i];\n"
                "  s += x; s *= x; s += x; s *= x; s += x; s *= x; s += x; a[i] = s; }\n",
                "f 32 32 - f:32 i:0");
    uint32_t fp = 0;

    for (uint32_t i = 0; i < c->count; i++)
        if (c->inst[i].cls == BYW_CLASS_FP) {
            fp += c->inst[i].count;
            assert_int_equal(c->inst[i].use, 1);
        }
    assert_in_range(fp, 4, 7); /* 7, or 4 where clang contracts to fused operations */
    for (uint32_t i = 0; i + 1 < c->count; i++)
        assert_int_equal(c->inst[i].pc + 8 * c->inst[i].count, c->inst[i + 1].pc);
}

/* Of addresses at a constant distance only one is logged; the trace contains all of them. */
static void constant_distances_are_logged_once(void **state)
{
    struct capture *c =
        capture(*state,
                "typedef struct { int x; int y[3]; } item;\n"
                "kernel void f(global item *a, global int *b, global int *c)\n"
                "{ local int t[4][32]; size_t i = get_global_id(0), l = get_local_id(0);\n"
                "  uint n = (uint)l - 3; size_t j = (l * l) & 63;\n"
                "  a[i].x = 7; a[i].y[2] = a[i + 2].x;\n"
                "  t[1][j & 31] = 1; t[3][j & 31] = 2; barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  atomic_add(b + j, 1); atomic_add(b + j + 5, 2);\n"
                "  c[n & 31] = 3; c[(n + 1) & 31] = t[n & 3][l]; }",
                "f 32 32 - b:136 b:128 b:64");
    const struct byw_inst *shared = nth(c, BYW_CLASS_SHARED_STORE, 0),
                          *atomic = nth(c, BYW_CLASS_ATOMIC, 0);

    expect(nth(c, BYW_CLASS_STORE, 0), ALL, BUFFER, 16, 4);
    expect(nth(c, BYW_CLASS_LOAD, 0), ALL, BUFFER + 32, 16, 4);
    expect(nth(c, BYW_CLASS_STORE, 1), ALL, BUFFER + 12, 16, 4);
    assert_int_equal(shared->form, BYW_FORM_LIST);
    assert_int_equal(c->addr[shared - c->inst], 128);
    assert_int_equal(nth(c, BYW_CLASS_SHARED_STORE, 1)->form, BYW_FORM_LIST);
    assert_int_equal(c->addr[nth(c, BYW_CLASS_SHARED_STORE, 1) - c->inst], 384);
    assert_int_equal(nth(c, BYW_CLASS_SHARED_STORE, 1)->degree, shared->degree);
    assert_int_equal(atomic->form, BYW_FORM_LIST);
    assert_int_equal(c->addr[atomic - c->inst], BUFFER + 0x2000);
    assert_int_equal(c->addr[nth(c, BYW_CLASS_ATOMIC, 1) - c->inst], BUFFER + 0x2000 + 20);
    /* A 32-bit index wraps around, so the distance of these two is not constant. */
    assert_int_equal(c->addr[nth(c, BYW_CLASS_STORE, 2) - c->inst], BUFFER + 0x4000 + 4 * 29);
    assert_int_equal(c->addr[nth(c, BYW_CLASS_STORE, 3) - c->inst], BUFFER + 0x4000 + 4 * 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_partial_warp_has_a_partial_mask),
        cmocka_unit_test(lanes_reconverge_after_a_branch),
        cmocka_unit_test(a_polling_loop_leaves_its_first_and_last_iteration),
        cmocka_unit_test(lanes_leave_a_loop_one_by_one),
        cmocka_unit_test(lanes_that_continue_wait_for_the_iteration),
        cmocka_unit_test(barriers_separate_the_accesses),
        cmocka_unit_test(a_scratchpad_atomic_is_read_modify_write),
        cmocka_unit_test(aligned_vectors_are_one_access),
        cmocka_unit_test(warps_take_work_items_in_linear_order),
        cmocka_unit_test(private_arrays_are_interleaved_by_lane),
        cmocka_unit_test(constant_data_is_read_from_the_constant_bank),
        cmocka_unit_test(a_load_names_its_first_consumer),
        cmocka_unit_test(arithmetic_counts_are_those_of_the_ir),
        cmocka_unit_test(constant_distances_are_logged_once)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
