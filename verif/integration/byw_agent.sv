// SPDX-License-Identifier: Apache-2.0
//
// byw_agent - a UVM-style agent for byw_sm_l1_sv in plain SystemVerilog classes: sequence, driver,
// monitor with subscribers, scoreboard of bytes, and a memory.
//
// The classes take time through tick(), one call per clock cycle, instead of waiting: Verilator
// 5.006 refuses nonblocking assignments and task calls through a virtual interface, compiles no
// task with two waits for one edge, and converts to a base class in assignments only. It may also
// move the read of a member before the call that sets it, so results are arguments. In UVM, call
// tick() from run_phase after each edge.
//
`include "byw_typedef.svh"

package byw_agent_pkg;
  import byw_pkg::*;

  localparam int LINE_BYTES = 32;
  localparam int LINE_W     = 20;
  localparam int ID_W       = 8;
  `BYW_TYPEDEF(l1, LINE_W, LINE_BYTES, 1, ID_W, 32, 6, 1)

  typedef logic [LINE_BYTES*8-1:0] data_t;
  typedef logic [LINE_W-1:0]       line_t;

  function automatic data_t bits_of(input logic [LINE_BYTES-1:0] bytes);
    for (int i = 0; i < LINE_BYTES; i++) bits_of[i*8 +: 8] = {8{bytes[i]}};
  endfunction

  function automatic data_t random_data();
    for (int i = 0; i < LINE_BYTES/4; i++) random_data[i*32 +: 32] = $urandom;
  endfunction

  // Contents of memory before the first store to a line.
  function automatic data_t initial_of(input line_t line);
    for (int i = 0; i < LINE_BYTES; i++) initial_of[i*8 +: 8] = 8'(line) ^ 8'(i * 7);
  endfunction

  // A sequence: the requests to send.  Extend it and replace next().
  class byw_sequence;
    int left;
    function new(input int count);
      left = count;
    endfunction
    // False: there are no further requests.
    virtual function bit next(output l1_req_t req);
      req = '0;
      if (left == 0) return 0;
      left--;
      req.op    = $urandom_range(99) < 70 ? BYW_OP_LOAD : BYW_OP_STORE;
      req.line  = line_t'($urandom_range(63));
      req.bytes = LINE_BYTES'($urandom) | LINE_BYTES'(1);
      req.data  = random_data();
      req.pc    = 32'h100 * $urandom_range(7);
      req.hint  = $urandom_range(9) == 0 ? BYW_HINT_BYPASS : BYW_HINT_NONE;
      return 1;
    endfunction
  endclass

  // Sends a sequence with gaps; ids are reused once they are answered.
  class byw_driver;
    local byw_sequence seq;
    local bit          holds;
    local l1_req_t     now;
    local bit [ID_W-1:0] free [$];
    function new(input byw_sequence from);
      seq = from;
      for (int i = 0; i < 24; i++) free.push_back(ID_W'(i));
    endfunction
    function void tick(input bit ready, output bit valid, output l1_req_t req);
      if (!holds || ready) begin
        holds = 0;
        if (free.size() != 0 && $urandom_range(3) != 0) holds = seq.next(now);
        if (holds) now.id = free.pop_front();
      end
      valid = holds;
      req   = now;
    endfunction
    function void answered(input bit [ID_W-1:0] id);
      free.push_back(id);
    endfunction
  endclass

  // Receives the transactions that the monitor observed.
  virtual class byw_subscriber;
    pure virtual function void requested(input l1_req_t req);
    pure virtual function void responded(input l1_rsp_t rsp);
  endclass

  class byw_monitor;
    byw_subscriber subscribers [$];
    function void add(input byw_subscriber subscriber);
      subscribers.push_back(subscriber);
    endfunction
    function void tick(input bit req_taken, input l1_req_t req, input bit rsp_taken, input l1_rsp_t rsp);
      foreach (subscribers[i]) begin
        if (rsp_taken) subscribers[i].responded(rsp);
        if (req_taken) subscribers[i].requested(req);
      end
    endfunction
  endclass

  // Checks that every load returns the bytes stored last and that every request is answered once.
  class byw_bytes extends byw_subscriber;
    data_t   lines [line_t];
    l1_req_t due [bit [ID_W-1:0]]; // a load's data: the bytes it must return
    int      answers, hits, errors;
    virtual function void requested(input l1_req_t req);
      data_t mask, now;
      mask = bits_of(req.bytes);
      now  = initial_of(req.line);
      if (lines.exists(req.line) != 0) now = lines[req.line];
      due[req.id] = req;
      if (req.op == BYW_OP_STORE) lines[req.line] = (now & ~mask) | (req.data & mask);
      else due[req.id].data = now;
    endfunction
    virtual function void responded(input l1_rsp_t rsp);
      l1_req_t req;
      if (due.exists(rsp.id) == 0) begin
        errors++;
        $display("FAIL an answer to id %0d, which has no request", rsp.id);
        return;
      end
      req = due[rsp.id];
      due.delete(rsp.id);
      answers++;
      hits += int'(rsp.served == BYW_SERVED_HIT);
      if (req.op == BYW_OP_LOAD && ((rsp.data ^ req.data) & bits_of(req.bytes)) != 0) begin
        errors++;
        $display("FAIL load of line %h: got %h, want %h, bytes %b", req.line, rsp.data, req.data, req.bytes);
      end
    endfunction
  endclass

  // The memory behind the cache: performs requests in their order, answers in any order.
  class byw_memory;
    local data_t       lines [line_t];
    local l1_mem_rsp_t waiting [$];
    local bit          holds;
    local l1_mem_rsp_t now;
    local function void take(input l1_mem_req_t req);
      l1_mem_rsp_t answer;
      data_t       mask, was;
      mask   = bits_of(req.bytes);
      was    = initial_of(req.line);
      if (lines.exists(req.line) != 0) was = lines[req.line];
      if (req.write) lines[req.line] = (was & ~mask) | (req.data & mask);
      if (req.kind == BYW_MEM_WRITEBACK) return;
      answer      = '0;
      answer.kind = req.kind;
      answer.id   = req.id;
      answer.data = was;
      waiting.push_back(answer);
    endfunction
    function void tick(input bit req_taken, input l1_mem_req_t req, input bit rsp_ready,
                       output bit ready, output bit valid, output l1_mem_rsp_t rsp);
      int chosen;
      if (req_taken) take(req);
      ready = $urandom_range(9) != 0;
      if (!holds || rsp_ready) begin
        holds = 0;
        if (waiting.size() != 0 && $urandom_range(3) == 0) begin
          chosen = $urandom_range(waiting.size() - 1);
          now    = waiting[chosen];
          waiting.delete(chosen);
          holds  = 1;
        end
      end
      valid = holds;
      rsp   = now;
    endfunction
  endclass
endpackage
