# SPDX-License-Identifier: Apache-2.0
"""A cocotb test bench of byw_sm_l1: random loads and stores, a memory that answers in any order, every byte checked.

Runs with any simulator that cocotb knows; verif/integration/long_cocotb.sh uses Icarus Verilog.
"""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

LINE = 32  # LINE_BYTES
LOAD, STORE = 0, 1  # BYW_OP_*
WRITEBACK = 3  # BYW_MEM_WRITEBACK
HIT = 0  # BYW_SERVED_HIT


def number(signal):
    return int(signal.value)


def merge(old, new, mask):
    """The bytes of `new` where the mask has a 1, else those of `old`."""
    return bytes(n if mask >> i & 1 else o for i, (o, n) in enumerate(zip(old, new)))


class Memory:
    """Performs requests in order when they are taken, answers them in any order."""

    def __init__(self, dut):
        self.dut, self.lines, self.waiting = dut, {}, []

    def read(self, line):
        return self.lines.get(line, bytes((line + 7 * i) & 0xFF for i in range(LINE)))

    def take(self):
        d, line = self.dut, number(self.dut.mem_req_line_o)
        before = self.read(line)
        if number(d.mem_req_write_o):
            data = number(d.mem_req_data_o).to_bytes(LINE, "little")
            self.lines[line] = merge(before, data, number(d.mem_req_bytes_o))
        if number(d.mem_req_kind_o) != WRITEBACK:
            self.waiting.append((number(d.mem_req_kind_o), number(d.mem_req_id_o), before))

    def drive(self):
        d = self.dut
        d.mem_req_ready_i.value = random.random() < 0.9
        d.mem_rsp_valid_i.value = 0
        if self.waiting and random.random() < 0.3:
            kind, ident, data = self.waiting[random.randrange(len(self.waiting))]
            d.mem_rsp_kind_i.value, d.mem_rsp_id_i.value = kind, ident
            d.mem_rsp_data_i.value = int.from_bytes(data, "little")
            d.mem_rsp_valid_i.value = 1


class Requester:
    """Sends `count` requests; keeps what memory must hold and what each load must return."""

    def __init__(self, dut, count):
        self.dut, self.left, self.hits = dut, count, 0
        self.free, self.due, self.model = list(range(16)), {}, Memory(dut)

    def drive(self):
        d = self.dut
        d.req_valid_i.value = 0
        if not self.left or not self.free or random.random() < 0.2:
            return
        self.next = (random.choice([LOAD, LOAD, STORE]), random.randrange(32), random.randrange(1, 1 << LINE),
                     random.randbytes(LINE), self.free[0])
        d.req_op_i.value, d.req_line_i.value, d.req_bytes_i.value, _, d.req_id_i.value = self.next
        d.req_data_i.value = int.from_bytes(self.next[3], "little")
        d.req_valid_i.value = 1

    def sent(self):
        op, line, mask, data, ident = self.next
        before = self.model.read(line)
        if op == STORE:
            self.model.lines[line] = merge(before, data, mask)
        self.due[ident] = (op, mask, before)
        self.free.remove(ident)
        self.left -= 1

    def answered(self):
        d = self.dut
        op, mask, want = self.due.pop(number(d.rsp_id_o))
        self.free.append(number(d.rsp_id_o))
        self.hits += number(d.rsp_served_o) == HIT
        if op == LOAD:
            got = number(d.rsp_data_o).to_bytes(LINE, "little")
            assert merge(bytes(LINE), got, mask) == merge(bytes(LINE), want, mask), "a load returned other bytes"


@cocotb.test()
async def loads_return_the_bytes_stored_last(dut):
    random.seed(int(os.environ.get("SEED", "1")))
    for port in dut:
        if port._name.endswith("_i") and port._name != "clk_i":
            port.value = 0
    dut.cfg_i.value = int(os.environ["CFG"], 16)  # POLICY: BYW_MODE_* of byw_modes.vh
    dut.rst_i.value = 1
    cocotb.start_soon(Clock(dut.clk_i, 10).start())
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    memory, requester, held, offered = Memory(dut), Requester(dut, 2000), False, False
    while requester.left or requester.due:
        await FallingEdge(dut.clk_i)
        if not held:
            requester.drive()
        if not offered:
            memory.drive()
        dut.rsp_ready_i.value = random.random() < 0.9
        await ReadOnly()  # the handshakes of this cycle
        held = number(dut.req_valid_i) and not number(dut.req_ready_o)
        offered = number(dut.mem_rsp_valid_i) and not number(dut.mem_rsp_ready_o)
        if number(dut.mem_rsp_valid_i) and number(dut.mem_rsp_ready_o):
            answer = number(dut.mem_rsp_kind_i), number(dut.mem_rsp_id_i)
            memory.waiting = [w for w in memory.waiting if w[:2] != answer]
        if number(dut.rsp_valid_o) and number(dut.rsp_ready_i):
            requester.answered()
        if number(dut.req_valid_i) and number(dut.req_ready_o):
            requester.sent()
        if number(dut.mem_req_valid_o) and number(dut.mem_req_ready_i):
            memory.take()
        await RisingEdge(dut.clk_i)
    assert requester.hits > 100
    dut._log.info("%d hits", requester.hits)
