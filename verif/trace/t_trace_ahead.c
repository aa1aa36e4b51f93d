/* SPDX-License-Identifier: Apache-2.0
 *
 * t_trace_ahead.c - a trace read through the decoding thread equals one read directly; the thread
 * is never further ahead than promised, and errors appear at their place.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "trace/byw_trace_format.h"
#include "trace/file/byw_trace_ahead.h"

/* A trace that is generated while it is read. */
struct made {
    struct byw_trace trace;
    uint32_t launches, ctas; /* number of launches; CTAs of each launch */
    uint32_t insts; /* instructions of each CTA */
    uint32_t bad_launch, bad_cta; /* reading this CTA fails; launches count from 1; 0: none */
    uint32_t launch, cta;
    struct byw_kernel kernel;
    struct byw_site site[2];
    atomic_uint read; /* CTAs so far */
};

static enum byw_status made_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                   struct byw_diag *diag)
{
    struct made *m = (struct made *)trace;

    (void)diag;
    if (m->launch == m->launches)
        return BYW_END;
    m->launch++;
    m->cta = 0;
    snprintf(m->kernel.name, sizeof(m->kernel.name), "kernel %u", m->launch);
    m->kernel.launch = m->launch - 1;
    m->site[0].pc = m->launch;
    m->site[1].pc = m->launch + 1;
    m->kernel.site = m->site;
    m->kernel.site_count = 2;
    *kernel = &m->kernel;
    return BYW_OK;
}

static enum byw_status made_cta(struct byw_trace *trace, struct byw_cta *cta, struct byw_diag *diag)
{
    struct made *m = (struct made *)trace;

    byw_cta_clear(cta);
    if (m->cta == m->ctas)
        return BYW_END;
    if (m->launch == m->bad_launch && m->cta == m->bad_cta)
        return byw_diag_set(diag, BYW_EFORMAT, "launch %u, CTA %u is bad", m->launch, m->cta);
    cta->id[0] = m->cta++;
    byw_cta_add_warp(cta);
    for (uint32_t i = 0; i < m->insts; i++) {
        struct byw_inst *inst = byw_cta_add_inst(cta);

        inst->pc = m->launch * 1000 + cta->id[0];
        inst->count = i + 1;
        *byw_cta_add_addr(cta, 1) = ((uint64_t)m->launch << 32) + i;
    }
    atomic_fetch_add(&m->read, 1);
    return BYW_OK;
}

static void made_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    const struct made *m = (const struct made *)trace;

    note->unknown_opcodes = m->launch * 1000 + m->cta;
}

static void made_close(struct byw_trace *trace)
{
    free(trace);
}

static struct made *make(uint32_t launches, uint32_t ctas, uint32_t insts)
{
    static const struct byw_trace_ops ops = {"made", made_kernel, made_cta,
                                             NULL,   made_note,   made_close};
    struct made *m = calloc(1, sizeof(*m));

    assert_non_null(m);
    m->trace.ops = &ops;
    m->launches = launches;
    m->ctas = ctas;
    m->insts = insts;
    return m;
}

static void check_cta(const struct byw_cta *cta, uint32_t launch, uint32_t number, uint32_t insts)
{
    assert_int_equal(cta->id[0], number);
    assert_int_equal(cta->warp_count, 1);
    assert_int_equal(cta->inst_count, insts);
    assert_int_equal(cta->addr_count, insts);
    for (uint32_t i = 0; i < insts; i++) {
        assert_int_equal(cta->inst[i].pc, launch * 1000 + number);
        assert_int_equal(cta->inst[i].count, i + 1);
        assert_int_equal(cta->addr[i], ((uint64_t)launch << 32) + i);
    }
}

/* Every CTA of every launch arrives in order, with the note that direct reading gives at that CTA.
 * Several CTAs are held at a time, as a simulated machine does. */
static void reading_ahead_changes_nothing(void **state)
{
    enum { LAUNCHES = 5, CTAS = 300, KEPT = 7 };
    struct byw_trace *t = byw_trace_ahead(&make(LAUNCHES, CTAS, 50)->trace);
    const struct byw_kernel *kernel;
    struct byw_cta cta[KEPT];
    struct byw_trace_note note;
    struct byw_diag diag;

    (void)state;
    for (uint32_t i = 0; i < KEPT; i++)
        byw_cta_init(&cta[i]);
    assert_string_equal(byw_trace_format(t), "made");
    assert_int_equal(byw_trace_next_cta(t, &cta[0], &diag), BYW_END);
    for (uint32_t l = 1; l <= LAUNCHES; l++) {
        assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_OK);
        assert_int_equal(kernel->launch, l - 1);
        for (uint32_t c = 0; c < CTAS; c++) {
            assert_int_equal(byw_trace_next_cta(t, &cta[c % KEPT], &diag), BYW_OK);
            byw_trace_get_note(t, &note);
            assert_int_equal(note.unknown_opcodes, l * 1000 + c + 1);
            for (uint32_t k = 0; k < KEPT && k <= c; k++)
                check_cta(&cta[(c - k) % KEPT], l, c - k, 50);
        }
        assert_int_equal(byw_trace_next_cta(t, &cta[0], &diag), BYW_END);
        assert_int_equal(kernel->site[0].pc, l);
        assert_int_equal(kernel->site[1].pc, l + 1);
    }
    assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_END);
    assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_END);
    assert_int_equal(byw_trace_next_cta(t, &cta[0], &diag), BYW_END);
    for (uint32_t i = 0; i < KEPT; i++)
        byw_cta_release(&cta[i]);
    byw_trace_close(t);
}

/* Waits until the thread has read `least` CTAs (at most ten seconds), then a little longer; returns
 * how many it has read. */
static uint32_t settled(struct made *m, uint32_t least)
{
    for (uint32_t i = 0; i < 2000 && atomic_load(&m->read) < least; i++)
        usleep(5000);
    usleep(50000);
    return atomic_load(&m->read);
}

/* Takes `n` CTAs of the current launch. */
static void take(struct byw_trace *t, struct byw_cta *cta, uint32_t n)
{
    struct byw_diag diag;

    for (uint32_t c = 0; c < n; c++)
        assert_int_equal(byw_trace_next_cta(t, cta, &diag), BYW_OK);
}

static void expect_ahead(struct made *m, uint32_t taken, uint32_t least, uint32_t most)
{
    uint32_t ahead = settled(m, taken + least) - taken;

    if (ahead < least || ahead > most)
        fail_msg("%u CTAs ahead, expected %u to %u", ahead, least, most);
}

static void run_ahead(uint32_t insts, uint32_t least, uint32_t most)
{
    struct made *m = make(2, 1000, insts);
    struct byw_trace *t = byw_trace_ahead(&m->trace);
    const struct byw_kernel *kernel;
    struct byw_cta cta;
    struct byw_diag diag;

    byw_cta_init(&cta);
    assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_OK);
    assert_int_equal(settled(m, 0), 0); /* this launch is not requested yet */
    take(t, &cta, 3);
    expect_ahead(m, 3, least, most);
    take(t, &cta, BYW_AHEAD_CTAS / 2); /* a sleeping thread continues */
    expect_ahead(m, 3 + BYW_AHEAD_CTAS / 2, least, most);
    byw_cta_release(&cta);
    byw_trace_close(t);
}

/* The thread sleeps from a full ring until half of it is taken, so up to three CTAs, which are
 * taken at once, may be missing. */
static void thread_stays_within_its_ring(void **state)
{
    uint32_t big = (uint32_t)(BYW_AHEAD_BYTES / 3 / (sizeof(struct byw_inst) + 8));

    (void)state;
    run_ahead(4, BYW_AHEAD_CTAS - 3, BYW_AHEAD_CTAS);
    run_ahead(big, 3, 4);
    run_ahead(4 * big, 1, 1);
}

/* Launches may be skipped, even when partly read; a damaged one is an error only if it is read. */
static void skipped_launches_are_not_errors(void **state)
{
    struct made *m = make(9, 400, 4);
    struct byw_trace *t = byw_trace_ahead(&m->trace);
    const struct byw_kernel *kernel;
    struct byw_cta cta;
    struct byw_diag diag = {""};

    (void)state;
    m->bad_launch = 9;
    m->bad_cta = 200;
    byw_cta_init(&cta);
    for (uint32_t l = 1; l <= 8; l++) {
        assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_OK);
        assert_int_equal(kernel->launch, l - 1);
        for (uint32_t c = 0; c < (l % 3) * 100; c++) {
            assert_int_equal(byw_trace_next_cta(t, &cta, &diag), BYW_OK);
            check_cta(&cta, l, c, 4);
        }
    }
    assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_OK);
    for (uint32_t c = 0; c < 200; c++)
        assert_int_equal(byw_trace_next_cta(t, &cta, &diag), BYW_OK);
    assert_int_equal(byw_trace_next_cta(t, &cta, &diag), BYW_EFORMAT);
    assert_string_equal(diag.text, "launch 9, CTA 200 is bad");
    byw_cta_release(&cta);
    byw_trace_close(t);

    m = make(2, 10, 4);
    m->bad_launch = 1;
    t = byw_trace_ahead(&m->trace);
    assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_OK);
    assert_int_equal(byw_trace_next_kernel(t, &kernel, &diag), BYW_OK);
    assert_int_equal(kernel->launch, 1);
    byw_trace_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_ahead_changes_nothing),
        cmocka_unit_test(thread_stays_within_its_ring),
        cmocka_unit_test(skipped_launches_are_not_errors),
    };

    return cmocka_run_group_tests_name("trace_ahead", tests, NULL, NULL);
}
