/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_dbi - byw_dbi.v against byw_dbi_tick(): handshakes, the answer about a row, every
 * offered line. Rows come from a small pool, so that they share sets, return while they are rinsed
 * and are evicted. Phases choose which operations dominate and how fast rinses are taken; there is
 * an occasional reset. From time to time every row of the pool is looked up.
 */
#include "cosim/lock.h"
#include "l2/byw_dbi.h"

enum { POOL = 40, CLEARING = P_SETS };

struct ports {
    uint32_t rst, req_valid, req_ready, req_op, req_row, req_block, done, done_dirty;
    uint32_t rinse_valid, rinse_ready, rinse_row, rinse_block, busy;
};

struct test {
    struct ports p;
    struct byw_dbi dbi;
    uint32_t clearing; /* cycles until the table is empty */
    bool valid; /* an operation is being decided */
    struct byw_dbi_req op;
    uint64_t row[POOL];
    uint32_t rows;
    uint32_t left; /* cycles left in the phase */
    uint32_t weight[BYW_DBI_FLUSH + 1]; /* relative frequencies of the operations */
    uint32_t asks, takes; /* percent of cycles */
    uint32_t sweep; /* number of rows still to look up */
};

struct met {
    uint64_t ops[BYW_DBI_FLUSH + 1], waits, rinses, stalls, victims, mates, merges, recalled, fresh;
    uint64_t on_offer, clears;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .req_valid = dut_port(d, "req_valid_i"),
        .req_ready = dut_port(d, "req_ready_o"),
        .req_op = dut_port(d, "req_op_i"),
        .req_row = dut_port(d, "req_row_i"),
        .req_block = dut_port(d, "req_block_i"),
        .done = dut_port(d, "done_o"),
        .done_dirty = dut_port(d, "done_dirty_o"),
        .rinse_valid = dut_port(d, "rinse_valid_o"),
        .rinse_ready = dut_port(d, "rinse_ready_i"),
        .rinse_row = dut_port(d, "rinse_row_o"),
        .rinse_block = dut_port(d, "rinse_block_o"),
        .busy = dut_port(d, "busy_o"),
    };
}

static void new_phase(struct lock *l, struct test *t)
{
    uint32_t i;

    t->left = 50 + lock_below(l, 1500);
    t->rows = 1 + lock_below(l, POOL);
    t->asks = lock_chance(l, 50) ? 100 : lock_below(l, 101);
    t->takes = lock_chance(l, 30) ? 100 : lock_below(l, 101);
    for (i = 0; i < POOL; i++)
        t->row[i] = byw_rng_next(&l->rng) & byw_mask64(P_ROW_W);
    t->weight[BYW_DBI_SET] = 1 + lock_below(l, 100);
    t->weight[BYW_DBI_EVICT] = lock_below(l, 50);
    t->weight[BYW_DBI_CLEAN] = lock_below(l, 20);
    t->weight[BYW_DBI_LOOKUP] = lock_below(l, 30);
    t->weight[BYW_DBI_FLUSH] = lock_below(l, 3);
}

static void reset(struct lock *l, struct test *t)
{
    dut_put(l->dut, t->p.rst, 1);
    dut_eval(l->dut);
    dut_tick(l->dut);
    dut_put(l->dut, t->p.rst, 0);
    byw_dbi_clear(&t->dbi);
    t->clearing = CLEARING;
    t->valid = false;
    t->sweep = 0;
}

static struct byw_dbi_req draw(struct lock *l, struct test *t)
{
    struct byw_dbi_req req = {.op = BYW_DBI_SET, .block = lock_below(l, P_BLOCKS)};
    uint32_t sum = 0, at, i;

    req.row = t->row[lock_below(l, t->rows)];
    if (t->sweep > 0) {
        req.op = BYW_DBI_LOOKUP;
        req.row = t->row[t->sweep - 1];
        return req;
    }
    for (i = 0; i <= BYW_DBI_FLUSH; i++)
        sum += t->weight[i];
    at = lock_below(l, sum);
    for (i = 0; at >= t->weight[i]; i++)
        at -= t->weight[i];
    req.op = (enum byw_dbi_op)i;
    if (req.op == BYW_DBI_CLEAN && t->dbi.walk.offers && lock_chance(l, 20)) {
        req.row = t->dbi.walk.row;
        req.block = t->dbi.walk.block;
    }
    return req;
}

/* Classifies the situation in which the operation arrives. */
static void note(const struct test *t, const struct byw_dbi_req *req, const struct byw_dbi *before,
                 enum byw_dbi_step step, struct met *met)
{
    bool busy = byw_dbi_walks(before), here = busy && before->walk.row == req->row;
    uint64_t grown = t->dbi.walk.dirty & ~before->walk.dirty;

    met->ops[req->op] += step == BYW_DBI_DONE;
    met->waits += step == BYW_DBI_WAIT;
    met->victims += req->op == BYW_DBI_SET && grown != 0;
    met->mates += req->op == BYW_DBI_EVICT && grown != 0 && !busy;
    met->merges += req->op == BYW_DBI_EVICT && grown != 0 && here;
    met->recalled += req->op == BYW_DBI_CLEAN && here && step == BYW_DBI_DONE &&
                     (before->walk.dirty >> req->block & 1) != 0;
    met->on_offer += step == BYW_DBI_WAIT && here && before->walk.offers &&
                     before->walk.block == req->block && req->op != BYW_DBI_FLUSH;
}

static enum byw_dbi_step tick_twin(struct test *t, bool taken, struct met *met)
{
    struct byw_dbi before = t->dbi;
    enum byw_dbi_step step = byw_dbi_tick(&t->dbi, t->valid ? &t->op : NULL, taken);

    if (t->valid)
        note(t, &t->op, &before, step, met);
    met->rinses += taken && before.walk.offers;
    met->stalls += !taken && before.walk.offers;
    return step;
}

static void compare(struct lock *l, const struct test *t, bool ready, bool done)
{
    const struct byw_dbi_walk *walk = &t->dbi.walk;
    bool busy = t->clearing > 0 || t->valid || byw_dbi_walks(&t->dbi);

    lock_same(l, "req_ready", ready, dut_get(l->dut, t->p.req_ready));
    lock_same(l, "done", done, dut_get(l->dut, t->p.done));
    if (done && t->op.op != BYW_DBI_FLUSH)
        lock_same(l, "done_dirty", byw_dbi_dirty(&t->dbi, t->op.row),
                  dut_get(l->dut, t->p.done_dirty));
    lock_same(l, "rinse_valid", walk->offers, dut_get(l->dut, t->p.rinse_valid));
    if (walk->offers) {
        lock_same(l, "rinse_row", walk->row, dut_get(l->dut, t->p.rinse_row));
        lock_same(l, "rinse_block", walk->block, dut_get(l->dut, t->p.rinse_block));
    }
    lock_same(l, "busy", busy, dut_get(l->dut, t->p.busy));
}

/* Whether the current operation ends in this cycle. */
static bool ends(const struct test *t)
{
    if (!t->valid || !byw_dbi_ready(&t->dbi, &t->op))
        return false;
    if (t->op.op != BYW_DBI_FLUSH)
        return true;
    for (uint32_t i = 0; i < P_WAYS; i++)
        if (t->dbi.entry[t->dbi.flush_set * P_WAYS + i].dirty != 0)
            return false;
    return t->dbi.flush_set + 1 == P_SETS;
}

static void one_cycle(struct lock *l, struct test *t, struct met *met)
{
    bool done = ends(t), ready = t->clearing == 0 && (!t->valid || done);
    bool asks = t->sweep > 0 || lock_chance(l, t->asks), takes = lock_chance(l, t->takes);
    struct byw_dbi_req req = draw(l, t);

    dut_put(l->dut, t->p.req_valid, asks);
    dut_put(l->dut, t->p.req_op, req.op);
    dut_put(l->dut, t->p.req_row, req.row);
    dut_put(l->dut, t->p.req_block, req.block);
    dut_put(l->dut, t->p.rinse_ready, takes);
    dut_eval(l->dut);
    compare(l, t, ready, done);
    dut_tick(l->dut);
    met->fresh += t->valid && asks && ready && req.row == t->op.row && t->op.op == BYW_DBI_SET;
    if ((tick_twin(t, takes, met) == BYW_DBI_DONE && t->valid) != done)
        lock_fail(l, "the end of an operation", done, !done);
    t->valid = (t->valid && !done) || (asks && ready);
    if (asks && ready) {
        t->op = req;
        t->sweep -= t->sweep > 0;
    }
    t->clearing -= t->clearing > 0;
}

static int pass(struct lock *l, const struct met *met)
{
    uint32_t i;

    for (i = 0; i <= BYW_DBI_FLUSH; i++)
        lock_met(l, "an operation was never done", met->ops[i]);
    lock_met(l, "nothing waited for the walker", met->waits);
    lock_met(l, "no rinse was held up", met->stalls);
    lock_met(l, "no row gave its entry", met->victims);
    if (P_BLOCKS > 1) {
        lock_met(l, "no row mates were rinsed", met->mates);
        lock_met(l, "no row mates joined a rinse", met->merges);
        lock_met(l, "no block left the walker uncleaned", met->recalled);
    }
    lock_met(l, "no operation waited for an offer", met->on_offer);
    lock_met(l, "no set was read while it was written", met->fresh);
    lock_met(l, "there was no reset", met->clears);
    return lock_pass(l, ", %" PRIu64 " rinses, %" PRIu64 " waits, %" PRIu64 " victims", met->rinses,
                     met->waits, met->victims);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 200000);
    struct test t = {.p = find_ports(l.dut)};
    struct met met = {.waits = 0};
    int result;

    if (byw_dbi_init(&t.dbi, P_SETS, P_WAYS, P_BLOCKS) != BYW_OK)
        lock_fail(&l, "memory", 1, 0);
    reset(&l, &t);
    new_phase(&l, &t);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        if (t.left == 1)
            t.sweep = POOL;
        if (t.left > 0)
            t.left--;
        else if (t.sweep == 0)
            new_phase(&l, &t);
        if (lock_below(&l, 5000) == 0) {
            reset(&l, &t);
            met.clears++;
        }
        one_cycle(&l, &t, &met);
    }
    result = pass(&l, &met);
    byw_dbi_release(&t.dbi);
    return result;
}
