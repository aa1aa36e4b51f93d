/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows of long CTAs: written records can be read back, and a loop takes few bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "trace/bwt/byw_window_code.h"

static struct byw_window_code writer, reader;

/* Writes and reads the warp; every field and address must be equal. Returns the size in bytes. */
static size_t round_trip(const struct byw_cta *cta)
{
    struct byw_bytes bytes = {NULL};
    struct byw_cta back;
    size_t size;

    byw_window_write(&writer, cta->inst, cta->inst_count, cta->addr, &bytes);
    byw_cta_init(&back);
    assert_non_null(byw_cta_add_warp(&back));
    assert_int_equal(byw_window_read(&reader, bytes.data, bytes.size, &back), BYW_OK);
    assert_int_equal(back.inst_count, cta->inst_count);
    for (uint32_t i = 0; i < cta->inst_count; i++) {
        struct byw_inst a = cta->inst[i], b = back.inst[i];

        if (a.form == BYW_FORM_LIST)
            assert_memory_equal(&cta->addr[a.list], &back.addr[b.list],
                                8u * (uint32_t)__builtin_popcountll(a.mask));
        a.list = b.list = 0;
        assert_memory_equal(&a, &b, sizeof(a));
    }
    for (size_t cut = 0; cut < bytes.size; cut += bytes.size / 64 + 1) {
        byw_cta_clear(&back);
        assert_non_null(byw_cta_add_warp(&back));
        assert_int_equal(byw_window_read(&reader, bytes.data, cut, &back), BYW_EFORMAT);
    }
    size = bytes.size;
    byw_cta_release(&back);
    byw_bytes_release(&bytes);
    return size;
}

/* 63 iterations of a load, a run, a load with another stride, a branch: three iterations are
 * written out. */
static void a_loop_takes_few_bytes(void **state)
{
    struct byw_cta cta;

    (void)state;
    byw_cta_init(&cta);
    assert_non_null(byw_cta_add_warp(&cta));
    for (uint32_t i = 0; i < 252; i++) {
        struct byw_inst *inst = byw_cta_add_inst(&cta);
        bool load = i % 2 == 0;

        inst->mask = UINT32_MAX;
        inst->pc = 16 * (i % 4);
        inst->use = 3;
        inst->cls = load ? BYW_CLASS_LOAD : BYW_CLASS_INT;
        inst->form = load ? BYW_FORM_STRIDE : BYW_FORM_NONE;
        inst->width = load ? 4 : 0;
        inst->stride = i % 4 == 0 ? 4 : 0;
        inst->base = load ? 0x10000 + UINT64_C(512) * (i / 4) : 0;
    }
    assert_in_range(round_trip(&cta), 1, 100);
    byw_cta_release(&cta);
}

static void anything_comes_back(void **state)
{
    struct byw_rng rng = {1};

    (void)state;
    for (uint32_t turn = 0; turn < 300; turn++) {
        struct byw_cta cta;
        uint64_t shapes = 1 + byw_rng_next(&rng) % 40;

        byw_cta_init(&cta);
        assert_non_null(byw_cta_add_warp(&cta));
        for (uint32_t i = 0; i < BYW_WINDOW_RECORDS; i++) {
            struct byw_inst *inst = byw_cta_add_inst(&cta);
            uint64_t r = byw_rng_next(&rng), shape = turn == 0 ? i : r % shapes;

            inst->mask = (r >> 20) % 8 != 0 ? UINT32_MAX : r >> 32;
            inst->pc = (uint32_t)(shape * 8);
            inst->use = (uint32_t)(shape % 5);
            inst->form = (uint8_t)(shape % 3);
            inst->cls = inst->form == BYW_FORM_NONE ? BYW_CLASS_FP : BYW_CLASS_LOAD;
            inst->stride = -(int32_t)shape;
            inst->base = (r >> 24) % 4 != 0 ? UINT64_C(64) * i : r;
            if (inst->form == BYW_FORM_LIST) {
                uint32_t lanes = (uint32_t)__builtin_popcountll(inst->mask);
                uint64_t *addr = byw_cta_add_addr(&cta, lanes);

                assert_non_null(addr);
                inst->list = (uint32_t)(addr - cta.addr);
                for (uint32_t l = 0; l < lanes; l++)
                    addr[l] = byw_rng_next(&rng) >> l;
            }
        }
        round_trip(&cta);
        byw_cta_release(&cta);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_takes_few_bytes),
        cmocka_unit_test(anything_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
