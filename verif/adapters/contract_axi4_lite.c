/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_axi4_lite - byw_axi4_lite_csr.v between an AXI4-Lite master that sends address and data
 * of a write in any order, and registers that answer late and with errors.  Checked: B and R stay
 * until they are taken, one answer for each access, data and errors, a partial write changes
 * nothing.  Usage: NAME [seed [accesses]].
 */
#include "cosim/lock.h"

enum { WORDS = 1024, GOOD = 700 };

static struct bench {
    struct lock l;
    uint32_t rst, awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
    uint32_t arvalid, arready, araddr, rvalid, rready, rdata, rresp;
    uint32_t cvalid, cready, cwrite, caddr, cdata, pvalid, pready, pdata, perror;
    uint32_t word[WORDS];
    bool aw, w, ar, writing, reading; /* offered requests; accesses in progress */
    uint32_t wr_word, wr_data, wr_strb, rd_word;
    bool asked, answers, error; /* request, response and error at the registers */
    uint32_t answer;
    bool aw_shown, w_shown, b_shown, r_shown;
    uint64_t b_was, r_was, writes, reads, errors, partial;
} b;

static void find(void)
{
    const struct dut *d = b.l.dut;

    b.rst = dut_port(d, "rst_i");
    b.awvalid = dut_port(d, "axi_awvalid_i");
    b.awready = dut_port(d, "axi_awready_o");
    b.awaddr = dut_port(d, "axi_awaddr_i");
    b.wvalid = dut_port(d, "axi_wvalid_i");
    b.wready = dut_port(d, "axi_wready_o");
    b.wdata = dut_port(d, "axi_wdata_i");
    b.wstrb = dut_port(d, "axi_wstrb_i");
    b.bvalid = dut_port(d, "axi_bvalid_o");
    b.bready = dut_port(d, "axi_bready_i");
    b.bresp = dut_port(d, "axi_bresp_o");
    b.arvalid = dut_port(d, "axi_arvalid_i");
    b.arready = dut_port(d, "axi_arready_o");
    b.araddr = dut_port(d, "axi_araddr_i");
    b.rvalid = dut_port(d, "axi_rvalid_o");
    b.rready = dut_port(d, "axi_rready_i");
    b.rdata = dut_port(d, "axi_rdata_o");
    b.rresp = dut_port(d, "axi_rresp_o");
    b.cvalid = dut_port(d, "csr_req_valid_o");
    b.cready = dut_port(d, "csr_req_ready_i");
    b.cwrite = dut_port(d, "csr_req_write_o");
    b.caddr = dut_port(d, "csr_req_addr_o");
    b.cdata = dut_port(d, "csr_req_data_o");
    b.pvalid = dut_port(d, "csr_rsp_valid_i");
    b.pready = dut_port(d, "csr_rsp_ready_o");
    b.pdata = dut_port(d, "csr_rsp_data_i");
    b.perror = dut_port(d, "csr_rsp_error_i");
}

static void need(const char *rule, bool kept)
{
    if (!kept)
        lock_fail(&b.l, rule, 1, 0);
}

/* Drives the master: at most one write and one read in flight, of different words. */
static void drive(void)
{
    struct dut *d = b.l.dut;

    if (!b.writing && lock_chance(&b.l, 40)) {
        b.writing = b.aw = b.w = true;
        b.wr_word = lock_below(&b.l, WORDS);
        if (b.reading && b.rd_word == b.wr_word)
            b.wr_word ^= 1;
        b.wr_data = (uint32_t)byw_rng_next(&b.l.rng);
        b.wr_strb = lock_chance(&b.l, 70) ? 15 : lock_below(&b.l, 16);
    }
    if (!b.reading && lock_chance(&b.l, 40)) {
        b.reading = b.ar = true;
        b.rd_word = lock_below(&b.l, WORDS);
        if (b.writing && b.rd_word == b.wr_word)
            b.rd_word ^= 1;
    }
    b.aw_shown = b.aw && (b.aw_shown || lock_chance(&b.l, 30));
    b.w_shown = b.w && (b.w_shown || lock_chance(&b.l, 30));
    dut_put(d, b.awvalid, b.aw_shown);
    dut_put(d, b.wvalid, b.w_shown);
    dut_put(d, b.arvalid, b.ar);
    dut_put(d, b.awaddr, b.wr_word * 4);
    dut_put(d, b.wdata, b.wr_data);
    dut_put(d, b.wstrb, b.wr_strb);
    dut_put(d, b.araddr, b.rd_word * 4);
    dut_put(d, b.bready, lock_chance(&b.l, 60));
    dut_put(d, b.rready, lock_chance(&b.l, 60));
    dut_put(d, b.cready, lock_chance(&b.l, 60));
    b.answers = b.asked && lock_chance(&b.l, 40);
    dut_put(d, b.pvalid, b.answers);
    dut_put(d, b.pdata, b.answer);
    dut_put(d, b.perror, b.error);
}

static void look_registers(void)
{
    struct dut *d = b.l.dut;
    bool write = dut_get(d, b.cwrite) != 0;
    uint32_t at = (uint32_t)dut_get(d, b.caddr) / 4;

    if (b.answers && dut_get(d, b.pready))
        b.asked = false;
    if (!dut_get(d, b.cvalid) || !dut_get(d, b.cready))
        return;
    need("one access of the registers at a time", !b.asked);
    b.asked = true;
    b.error = at >= GOOD;
    b.answer = b.error ? 0 : b.word[at];
    if (write) {
        need("the registers get the write",
             b.writing && at == b.wr_word && b.wr_strb == 15 && dut_get(d, b.cdata) == b.wr_data);
        if (!b.error)
            b.word[at] = b.wr_data;
    } else {
        need("the registers get the read", b.reading && at == b.rd_word);
    }
}

static void look_answers(void)
{
    struct dut *d = b.l.dut;
    bool bv = dut_get(d, b.bvalid) != 0, rv = dut_get(d, b.rvalid) != 0;
    uint64_t bw = dut_get(d, b.bresp), rw = dut_get(d, b.rdata) << 2 | dut_get(d, b.rresp);
    bool bad = b.wr_word >= GOOD || b.wr_strb != 15;

    need("B stays until it is taken", !b.b_shown || (bv && bw == b.b_was));
    need("R stays until it is taken", !b.r_shown || (rv && rw == b.r_was));
    b.b_shown = bv && !dut_get(d, b.bready);
    b.r_shown = rv && !dut_get(d, b.rready);
    b.b_was = bw;
    b.r_was = rw;
    if (bv && dut_get(d, b.bready)) {
        need("a write is answered once, after address and data", b.writing && !b.aw && !b.w);
        lock_same(&b.l, "BRESP", b.wr_strb == 0 ? 0 : bad ? 2 : 0, bw);
        b.writing = false;
        b.writes++;
        b.errors += bw != 0;
        b.partial += b.wr_strb != 15;
    }
    if (rv && dut_get(d, b.rready)) {
        need("a read is answered once", b.reading && !b.ar);
        lock_same(&b.l, "RRESP", b.rd_word >= GOOD ? 2 : 0, rw & 3);
        lock_same(&b.l, "RDATA", b.rd_word >= GOOD ? 0 : b.word[b.rd_word], rw >> 2);
        b.reading = false;
        b.reads++;
    }
}

int main(int argc, char **argv)
{
    uint64_t last = 0, done = 0;

    b.l = lock_start(argc, argv, 5000);
    find();
    for (b.l.cycle = 0; b.writes + b.reads < b.l.cycles; b.l.cycle++) {
        struct dut *d = b.l.dut;
        bool reset = b.l.cycle == 0;

        dut_put(d, b.rst, reset);
        if (!reset)
            drive();
        dut_eval(d);
        if (!reset) {
            look_answers();
            look_registers();
            b.aw = b.aw && !(dut_get(d, b.awvalid) && dut_get(d, b.awready));
            b.w = b.w && !(dut_get(d, b.wvalid) && dut_get(d, b.wready));
            b.ar = b.ar && !(dut_get(d, b.arvalid) && dut_get(d, b.arready));
        }
        dut_tick(d);
        if (b.writes + b.reads != done) {
            done = b.writes + b.reads;
            last = b.l.cycle;
        }
        need("an answer in finite time", b.l.cycle - last < 2000);
    }
    b.l.cycles = b.l.cycle;
    lock_met(&b.l, "errors", b.errors);
    lock_met(&b.l, "partial writes", b.partial);
    return lock_pass(&b.l, ", %" PRIu64 " writes, %" PRIu64 " reads, %" PRIu64 " errors", b.writes,
                     b.reads, b.errors);
}
