/* SPDX-License-Identifier: Apache-2.0
 *
 * The look stage when events change records: kernel starts, switches of the filter, failed fills
 * (rule 3 of rtl/doc/l1d_pipeline.md, Look stage). Numbers continue those of t_l1d_look.c.
 */
#include "l1d/hand.h"
#include "l1d/look_rig.h"

/* A load of a present line, `before` cycles before a kernel start or a switch of the filter. */
static uint64_t load_near(uint32_t before, bool kernel, enum byw_served *served)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h = make("look: near a change of all records", &c);
    uint64_t result;
    uint32_t i, id;

    host_do(h, BYW_OP_LOAD, 33, BYW_HINT_CACHE);
    id = host_send(h, BYW_OP_LOAD, 33, BYW_HINT_CACHE);
    for (i = 1; i < before; i++)
        host_cycle(h, NULL);
    h->kernel_start = kernel;
    h->filter_on = kernel;
    host_drain(h);
    result = took(h, id);
    *served = (enum byw_served)h->rsp_served[id];
    host_free(h);
    return result;
}

/* L7: a kernel start makes all requests in the pipeline look again; they find the cache empty. */
static void a_kernel_start_makes_every_request_look_again(void **state)
{
    enum byw_served served;

    (void)state;
    assert_int_equal(load_near(1, true, &served), MISS + 3);
    assert_int_equal(served, BYW_SERVED_FILL);
    assert_int_equal(load_near(2, true, &served), MISS + 3);
    assert_int_equal(load_near(3, true, &served), MISS + 4);
    assert_int_equal(load_near(4, true, &served), HIT);
}

/* L8: a switch of the filter, too, makes all requests in the pipeline look again. */
static void a_filter_switch_makes_every_request_look_again(void **state)
{
    enum byw_served served;

    (void)state;
    assert_int_equal(load_near(1, false, &served), HIT + 3);
    assert_int_equal(served, BYW_SERVED_HIT);
    assert_int_equal(load_near(2, false, &served), HIT + 3);
    assert_int_equal(load_near(3, false, &served), HIT + 4);
    assert_int_equal(load_near(4, false, &served), HIT);
}

/* L16: the first request to a marked set, however late, rebuilds the set's record, which takes 3
 * cycles. A failed fill marks its set, switching the filter off marks all sets. Writing the record
 * or a kernel start clears the mark. */
static void a_marked_record_is_read_again_until_it_is_written(void **state)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h = make("look: marked sets", &c);
    int i;

    (void)state;
    host_do(h, BYW_OP_LOAD, 33, BYW_HINT_CACHE);
    host_do(h, BYW_OP_LOAD, 2, BYW_HINT_CACHE);
    h->error_line = 1;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_CACHE);
    idle_until(h, h->cycle + 50);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE), HIT);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 33, BYW_HINT_NONE), HIT + 3);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 33, BYW_HINT_NONE), HIT);
    h->filter_on = false;
    idle_until(h, h->cycle + 50);
    for (i = 0; i < 2; i++) {
        assert_int_equal(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE), i == 0 ? HIT + 3 : HIT);
        assert_int_equal(host_do(h, BYW_OP_LOAD, 33, BYW_HINT_NONE), i == 0 ? HIT + 3 : HIT);
    }
    h->filter_on = true;
    idle_until(h, h->cycle + 50);
    h->filter_on = false;
    idle_until(h, h->cycle + 50);
    h->kernel_start = true;
    host_cycle(h, NULL);
    h->kernel_start = false;
    assert_int_equal(host_do(h, BYW_OP_LOAD, 33, BYW_HINT_NONE), MISS);
    host_free(h);
}

static void fails(struct hand *h, uint32_t mshr, uint64_t cycle)
{
    hand_until(h, cycle);
    h->in.mem_rsp_valid = true;
    h->in.mem_rsp =
        (struct byw_mem_rsp){.data = h->data, .id = mshr, .kind = BYW_MEM_FILL, .error = true};
    hand_cycle(h);
    assert_true(h->out.mem_rsp_ready);
    h->in.mem_rsp_valid = false;
}

/* Loads `line`. Returns whether its tag was found as a candidate, which the load may commit;
 * otherwise the tag is new. */
static bool is_candidate(struct hand *h, uint64_t line)
{
    uint32_t events = 0, i;
    bool found;

    hand_ask(h, BYW_OP_LOAD, line, BYW_HINT_NONE, 9);
    for (i = 0; i < 8; i++, events |= h->out.events)
        hand_cycle(h);
    found = (events & (1U << BYW_EV_CANDIDATE | 1U << BYW_EV_COMMIT)) != 0;
    assert_true(found == ((events & 1U << BYW_EV_NEW_TAG) == 0));
    return found;
}

/* The fills of lines 1 and 33 fail in cycles 50 and 70, the second while line 65 waits in look
 * behind a hit whose answer is not taken; the filter is off in cycle `off`. Bits 0 and 1 of the
 * result: their tags are kept. */
static uint32_t tags_left(uint32_t look, uint64_t off)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct hand h;
    uint64_t i;
    uint32_t left;

    c.l1d_look = look;
    h = hand_new(&c);
    h.in.ctrl.filter_on = true;
    for (i = 0; i < 3; i++)
        hand_ask(&h, BYW_OP_LOAD, i == 0 ? 2 : 1 + (i - 1) * SAME, BYW_HINT_CACHE, (uint32_t)i);
    hand_until(&h, 20);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    for (i = 40; i < 80; i++) {
        hand_until(&h, i);
        h.in.ctrl.filter_on = i != off;
        h.in.rsp_ready = i < 55;
        if (i == 50 || i == 70)
            fails(&h, h.fetch[i == 50 ? 1 : 2].id, i);
        else if (i >= 60 && i < 63)
            hand_ask(&h, BYW_OP_LOAD, i < 62 ? 2 : 1 + 2 * SAME, BYW_HINT_NONE, 3);
    }
    h.in.rsp_ready = true;
    hand_until(&h, 100);
    left = is_candidate(&h, 1);
    left |= (uint32_t)is_candidate(&h, 1 + SAME) << 1;
    byw_l1d_free(h.l1d);
    return left;
}

/* L15: a switch of the filter drops only the candidates of that cycle: the tag of a line whose fill
 * fails later is kept, whatever changes the record in between. */
static void a_filter_switch_drops_candidates_once(void **state)
{
    uint32_t look;

    (void)state;
    for (look = 0; look < 2; look++) {
        assert_int_equal(tags_left(look, 0), 3);
        assert_int_equal(tags_left(look, 45), 3);
        assert_int_equal(tags_left(look, 53), 2);
        assert_int_equal(tags_left(look, 65), 2);
        assert_int_equal(tags_left(look, 75), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_start_makes_every_request_look_again),
        cmocka_unit_test(a_filter_switch_makes_every_request_look_again),
        cmocka_unit_test(a_marked_record_is_read_again_until_it_is_written),
        cmocka_unit_test(a_filter_switch_drops_candidates_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
