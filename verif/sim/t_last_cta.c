/* SPDX-License-Identifier: Apache-2.0
 *
 * t_last_cta - the leader dispatches the last CTA while another thread asks whether an SM has room
 * for one: here the two threads wait for each other at exactly that point.
 */
#include <pthread.h>
#include <time.h>

#include "sim/gpu_rig.h"

#include "sim/gpu/byw_gpu_ahead.h"

enum { LAUNCHES = 12, CTAS = 29, TRIES = 2000 };

static pthread_t leader;
static uint32_t ctas_given; /* CTAs of the launch */
static _Atomic bool last_given; /* the last CTA is being or has been dispatched */
static _Atomic bool asking; /* a thread is between the question and its next action */
static _Atomic uint32_t met; /* how often the grid ended in that window */

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

/* Whether the SM has room. The thread that has the last CTA learns from this call that none is
 * left. */
static bool ask_for_room(const struct gpu *gpu, const struct byw_sm *sm)
{
    bool room = byw_sm_has_room(sm);

    if (!room || pthread_equal(pthread_self(), leader) || !last_given || byw_sm_ctas(sm) == 0)
        return room;
    asking = true;
    for (uint32_t i = 0; i < TRIES && gpu->grid_left; i++)
        rest();
    met += !gpu->grid_left;
    return room;
}

static enum byw_status give(struct gpu *gpu, uint32_t s, uint64_t now)
{
    enum byw_status st;

    last_given = ctas_given >= CTAS - 1;
    for (uint32_t i = 0; i < TRIES && ctas_given == CTAS && gpu->ahead->threads > 1 && !asking;
         i++) {
        byw_partitions_call(gpu);
        rest();
    }
    st = byw_gpu_give_cta(gpu, s, now);
    ctas_given = st == BYW_OK ? ctas_given + 1 : 0;
    if (st == BYW_END)
        last_given = asking = false;
    return st;
}

/* Replace the library's sweeps; the rest of the library calls these functions. */
#define byw_sm_has_room(sm) ask_for_room(gpu, sm)
#define byw_gpu_give_cta give
#define begin begin_ahead
#include "sim/gpu/byw_gpu_ahead.c"
#include "sim/gpu/byw_gpu_partitions.c"
#undef begin
#undef byw_gpu_give_cta
#undef byw_sm_has_room

static struct byw_gpu_result *run_with(struct bench *b, uint32_t threads)
{
    const struct byw_gpu_options options = {.threads = threads};
    struct byw_gpu_result *result = NULL;
    struct byw_diag diag = {""};
    struct byw_trace *trace;

    if (byw_trace_open(b->path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(&b->config, trace, &options, &result, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    byw_trace_close(trace);
    return result;
}

/* Launches with one CTA less than two per SM, the last of which takes the longest. An SM that holds
 * a CTA while the others are empty belongs to the launch until the launch ends; results equal those
 * of one thread. */
static void an_sm_with_a_cta_belongs_to_the_launch(void **state)
{
    struct bench *b = *state;
    struct byw_gpu_result *one, *three;

    load_machine(b, "cmodel/configs/machines/fermi.cfg");
    assert_int_equal(CTAS, 2 * b->config.sm_count - 1);
    assert_int_equal(byw_trace_create(b->path, 0, &b->writer, NULL), BYW_OK);
    for (uint32_t launch = 0; launch < LAUNCHES; launch++) {
        struct byw_kernel k = kernel_of(CTAS, 32);

        k.launch = launch;
        assert_int_equal(byw_trace_kernel(b->writer, &k, NULL), BYW_OK);
        for (uint32_t c = 0; c < CTAS; c++) {
            byw_cta_clear(&b->cta);
            b->cta.id[0] = c;
            byw_cta_add_warp(&b->cta);
            for (uint32_t i = 0; i <= c; i++)
                add(b, BYW_CLASS_LOAD, 1, 1)->base += 128 * (i + CTAS * c + 1000 * launch);
            add(b, BYW_CLASS_EXIT, 1, 0);
            assert_int_equal(byw_trace_cta(b->writer, &b->cta, NULL), BYW_OK);
        }
    }
    assert_int_equal(byw_trace_finish(b->writer, NULL), BYW_OK);
    leader = pthread_self();
    one = run_with(b, 1);
    assert_int_equal(met, 0);
    three = run_with(b, 3);
    assert_true(met > 0);
    assert_same(one, three);
    byw_gpu_result_free(one);
    byw_gpu_result_free(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_sm_with_a_cta_belongs_to_the_launch, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
