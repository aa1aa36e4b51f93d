// SPDX-License-Identifier: Apache-2.0
//
// byw_axi4_mem - connects the memory port of the cache (mem_req, mem_rsp) to an AXI4 bus as master.
//
// Behaviour   A request is one INCR burst within its line, from the first to the last beat with a
//             byte in its mask.  It is shown on AR, or on AW and W, in the cycle in which mem_req
//             shows it.  Its response follows one cycle after the last R beat, or after B.  AXI ids
//             are slot numbers, so responses may arrive in any order and R beats interleaved.
//             ORDER keeps requests of one line in order across both channels.  With beats a fill is
//             one burst of the whole line; all fills share one id, so that they arrive in order and
//             not interleaved.  SLVERR and DECERR are errors.  No combinational path leads from a
//             bus input to a bus output.  An atomic is answered with an error and has no effect.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: nothing is in flight.  Reset the bus together with it.
//
// Parameter   Default  Range         Meaning
// LINE_BYTES  128      2^n, 4..128   line size
// ADDR_W      32       ..64          width of a byte address
// BEAT_BYTES  0        0, 2^n..line  width of mem_req and mem_rsp, as in the cache; 0: the line
// DATA_W      64       2^n, 8..beat  width of the bus, bits
// SLOTS       16       1..256        requests in flight
// ID_W        16                     width of the ids of the cache
// WB_ACKS     0        0, 1          1: write-backs are acknowledged, for ORDER or FENCE of byw_l1d
// ORDER       1        0, 1, 2       order within one line, see byw_mem_slots
//
`default_nettype none

module byw_axi4_mem #(
  parameter integer LINE_BYTES = 128,
  parameter integer ADDR_W     = 32,
  parameter integer DATA_W     = 64,
  parameter integer SLOTS      = 16,
  parameter integer ID_W       = 16,
  parameter integer WB_ACKS    = 0,
  parameter integer ORDER      = 1,
  parameter integer BEAT_BYTES = 0,
  parameter integer LINE_W     = ADDR_W - $clog2(LINE_BYTES),     // derived, as are the next four
  parameter integer SLOT_IW    = (SLOTS > 1) ? $clog2(SLOTS) : 1,
  parameter integer PORT_BYTES = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer PART_IW    = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1,
  parameter integer AXI_IW     = (PORT_BYTES < LINE_BYTES) ? SLOT_IW + 1 : SLOT_IW
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  // mem_req, mem_rsp: memory port of byw_l1d
  input  wire                    mem_req_valid_i,
  output wire                    mem_req_ready_o,
  input  wire [1:0]              mem_req_kind_i,    // BYW_MEM_*
  input  wire                    mem_req_write_i,
  input  wire                    mem_req_atomic_i,
  input  wire [LINE_W-1:0]       mem_req_line_i,
  input  wire [PART_IW-1:0]      mem_req_beat_i,
  input  wire [PORT_BYTES-1:0]   mem_req_bytes_i,
  input  wire [PORT_BYTES*8-1:0] mem_req_data_i,
  input  wire [ID_W-1:0]         mem_req_id_i,
  output wire                    mem_rsp_valid_o,
  input  wire                    mem_rsp_ready_i,
  output wire [1:0]              mem_rsp_kind_o,
  output wire [PORT_BYTES*8-1:0] mem_rsp_data_o,
  output wire [ID_W-1:0]         mem_rsp_id_o,
  output wire                    mem_rsp_error_o,

  // AXI4
  output wire                    axi_awvalid_o,
  input  wire                    axi_awready_i,
  output wire [AXI_IW-1:0]       axi_awid_o,
  output wire [ADDR_W-1:0]       axi_awaddr_o,
  output wire [7:0]              axi_awlen_o,
  output wire [2:0]              axi_awsize_o,
  output wire [1:0]              axi_awburst_o,
  output wire                    axi_awlock_o,
  output wire [3:0]              axi_awcache_o,
  output wire [2:0]              axi_awprot_o,
  output wire                    axi_wvalid_o,
  input  wire                    axi_wready_i,
  output wire [DATA_W-1:0]       axi_wdata_o,
  output wire [DATA_W/8-1:0]     axi_wstrb_o,
  output wire                    axi_wlast_o,
  input  wire                    axi_bvalid_i,
  output wire                    axi_bready_o,
  input  wire [AXI_IW-1:0]       axi_bid_i,
  input  wire [1:0]              axi_bresp_i,
  output wire                    axi_arvalid_o,
  input  wire                    axi_arready_i,
  output wire [AXI_IW-1:0]       axi_arid_o,
  output wire [ADDR_W-1:0]       axi_araddr_o,
  output wire [7:0]              axi_arlen_o,
  output wire [2:0]              axi_arsize_o,
  output wire [1:0]              axi_arburst_o,
  output wire                    axi_arlock_o,
  output wire [3:0]              axi_arcache_o,
  output wire [2:0]              axi_arprot_o,
  input  wire                    axi_rvalid_i,
  output wire                    axi_rready_o,
  input  wire [AXI_IW-1:0]       axi_rid_i,
  input  wire [DATA_W-1:0]       axi_rdata_i,
  input  wire [1:0]              axi_rresp_i,
  input  wire                    axi_rlast_i,

  output wire                    idle_o             // nothing in flight, including write-backs
);
  `include "byw_defs.vh"

  localparam integer PARTS     = LINE_BYTES / PORT_BYTES;     // responses to a fill
  localparam integer BEATS     = PORT_BYTES * 8 / DATA_W;     // bus beats per response
  localparam integer BEAT_IW   = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam integer BEAT_OFFW = $clog2(DATA_W / 8);
  localparam integer ENTRY_W   = 2 + ID_W;

  generate
    if ((ADDR_W > 64) || (ADDR_W <= $clog2(LINE_BYTES))) begin : gen_check_addr
      byw_axi4_mem_ADDR_W_must_exceed_a_line_and_be_at_most_64 u_error ();
    end
  endgenerate

  generate
    if ((PORT_BYTES > LINE_BYTES) ||
        ((LINE_BYTES / PORT_BYTES) * PORT_BYTES != LINE_BYTES)) begin : gen_check_beat
      byw_axi4_mem_BEAT_BYTES_must_be_0_or_2_to_the_n_up_to_LINE_BYTES u_error ();
    end
  endgenerate

  reg               aw_done_q, w_done_q;             // done for the write at mem_req
  reg               w_moved_q;
  reg [BEAT_IW-1:0] w_at_q;
  reg [SLOTS-1:0]   error_q;                         // a beat of the slot reported an error

  wire               asks  = mem_req_valid_i && !mem_req_atomic_i;
  wire               ok, b_keeps;
  wire [SLOT_IW-1:0] slot;
  wire [BEAT_IW-1:0] first, last;
  wire [ENTRY_W-1:0] r_entry, b_entry;
  wire               slots_idle, answer_idle, done_ready;

  // ---- requests
  wire [BEAT_IW-1:0] w_at     = w_moved_q ? w_at_q : first;
  wire               w_last   = (w_at == last);
  wire               w_moves  = axi_wvalid_o && axi_wready_i;
  wire               aw_fin   = aw_done_q || axi_awready_i;
  wire               w_fin    = w_done_q || (axi_wready_i && w_last);
  wire               bus_take = mem_req_write_i ? (aw_fin && w_fin) : axi_arready_i;
  wire               refuse   = mem_req_atomic_i && done_ready && !axi_bvalid_i;
  wire               take     = asks && ok && bus_take;
  wire [BEAT_IW-1:0] count    = last - first;
  wire [ADDR_W-1:0]  line_at, addr;                  // address of the line or beat; of the burst
  wire [7:0]         len;
  wire [AXI_IW-1:0]  axi_id;

  assign mem_req_ready_o = mem_req_atomic_i ? refuse : (ok && bus_take);
  generate
    if (PARTS > 1) begin : gen_parts
      localparam integer    PORT_OFFW = $clog2(PORT_BYTES);
      localparam integer    FILL_I    = PARTS * BEATS - 1;
      wire                  fill      = mem_req_kind_i == BYW_MEM_FILL;
      wire [PART_IW-1:0]    part      = fill ? {PART_IW{1'b0}} : mem_req_beat_i;
      assign line_at = {mem_req_line_i, part, {PORT_OFFW{1'b0}}};
      assign len     = fill ? FILL_I[7:0] : {{(8-BEAT_IW){1'b0}}, count};
      assign axi_id  = fill ? {1'b1, {SLOT_IW{1'b0}}} : {1'b0, slot};
    end else begin : gen_no_parts
      assign line_at = {mem_req_line_i, {(ADDR_W-LINE_W){1'b0}}};
      assign len     = {{(8-BEAT_IW){1'b0}}, count};
      assign axi_id  = slot;
      wire unused_part = &{1'b0, mem_req_beat_i};
    end
    if (BEATS > 1) begin : gen_addr
      wire [BEAT_IW-1:0] from = ((PARTS > 1) && (mem_req_kind_i == BYW_MEM_FILL)) ?
                                {BEAT_IW{1'b0}} : first;
      assign addr = line_at | {{(ADDR_W-BEAT_IW-BEAT_OFFW){1'b0}}, from, {BEAT_OFFW{1'b0}}};
    end else begin : gen_line_addr
      assign addr = line_at;
    end
  endgenerate

  localparam integer SIZE_I = BEAT_OFFW;
  assign {axi_awaddr_o, axi_awlen_o, axi_awid_o} = {addr, len, axi_id};
  assign {axi_araddr_o, axi_arlen_o, axi_arid_o} = {addr, len, axi_id};
  assign {axi_awsize_o, axi_awburst_o, axi_awlock_o} = {SIZE_I[2:0], 2'b01, 1'b0};
  assign {axi_arsize_o, axi_arburst_o, axi_arlock_o} = {SIZE_I[2:0], 2'b01, 1'b0};
  assign {axi_awcache_o, axi_awprot_o} = {4'b0010, 3'b000};   // non-cacheable: memory must respond
  assign {axi_arcache_o, axi_arprot_o} = {4'b0010, 3'b000};
  assign axi_arvalid_o = asks && ok && !mem_req_write_i;
  assign axi_awvalid_o = asks && ok && mem_req_write_i && !aw_done_q;
  assign axi_wvalid_o  = asks && ok && mem_req_write_i && !w_done_q;
  assign axi_wlast_o   = w_last;

  byw_mem_beats #(.LINE_BYTES(PORT_BYTES), .DATA_W(DATA_W)) u_beats (
    .bytes_i(mem_req_bytes_i), .first_o(first), .last_o(last)
  );
  byw_mux #(.N(BEATS), .W(DATA_W), .SEL_W(BEAT_IW)) u_wdata (
    .data_i(mem_req_data_i), .sel_i(w_at), .data_o(axi_wdata_o)
  );
  byw_mux #(.N(BEATS), .W(DATA_W/8), .SEL_W(BEAT_IW)) u_wstrb (
    .data_i(mem_req_bytes_i), .sel_i(w_at), .data_o(axi_wstrb_o)
  );

  always @(posedge clk_i) begin : p_write
    if (rst_i || take) begin
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      w_moved_q <= 1'b0;
    end else begin
      if (axi_awvalid_o && axi_awready_i) aw_done_q <= 1'b1;
      if (w_moves) begin
        w_done_q  <= w_last;
        w_moved_q <= 1'b1;
      end
    end
    if (w_moves) w_at_q <= w_at + 1'b1;
  end

  // ---- requests in flight
  wire r_moves = axi_rvalid_i && axi_rready_o;
  wire b_moves = axi_bvalid_i && axi_bready_o;
  wire [SLOT_IW-1:0] r_slot;
  wire [BEAT_IW-1:0] r_at, own_at;                   // position of the beat; within its slot
  wire               r_ends;                         // last beat of a response

  // Fills arrive in the order in which they were sent.
  generate
    if (PARTS > 1) begin : gen_fills
      localparam integer FILL_IW = $clog2(PARTS * BEATS);
      reg  [FILL_IW-1:0] at_q;                         // next beat of the current fill
      wire [SLOT_IW-1:0] oldest;
      wire               of_fill = axi_rid_i[SLOT_IW];
      wire               unused_any;
      wire               unused_b = &{1'b0, axi_bid_i[SLOT_IW], unused_any};
      byw_mem_fifo #(.DEPTH(SLOTS), .W(SLOT_IW)) u_fills (
        .clk_i(clk_i), .rst_i(rst_i), .push_i(take && (mem_req_kind_i == BYW_MEM_FILL)),
        .push_data_i(slot), .pop_valid_o(unused_any), .pop_i(r_moves && of_fill && axi_rlast_i),
        .pop_data_o(oldest)
      );
      assign r_slot = of_fill ? oldest : axi_rid_i[SLOT_IW-1:0];
      if (BEATS > 1) begin : gen_part_beats
        assign r_at   = of_fill ? at_q[BEAT_IW-1:0] : own_at;
        assign r_ends = of_fill ? (&at_q[BEAT_IW-1:0]) : axi_rlast_i;
      end else begin : gen_part
        assign r_at   = own_at;
        assign r_ends = 1'b1;
      end
      always @(posedge clk_i) begin : p_fill_at
        if (rst_i) at_q <= {FILL_IW{1'b0}};
        else if (r_moves && of_fill) at_q <= at_q + 1'b1;
      end
    end else begin : gen_no_fills
      assign r_slot = axi_rid_i;
      assign r_at   = own_at;
      assign r_ends = axi_rlast_i;
    end
  endgenerate

  byw_mem_slots #(.SLOTS(SLOTS), .LINE_W(LINE_W), .ENTRY_W(ENTRY_W), .ORDER(ORDER)) u_slots (
    .clk_i(clk_i), .rst_i(rst_i),
    .ask_i(asks), .ask_line_i(mem_req_line_i), .ask_write_i(mem_req_write_i),
    .ask_entry_i({mem_req_kind_i, mem_req_id_i}), .ask_ok_o(ok), .ask_slot_o(slot), .take_i(take),
    .give_r_i(r_moves && axi_rlast_i), .give_r_slot_i(r_slot), .give_r_entry_o(r_entry),
    .give_w_i(b_moves), .give_w_slot_i(axi_bid_i[SLOT_IW-1:0]), .give_w_entry_o(b_entry),
    .idle_o(slots_idle)
  );

  // ---- position of the next beat of each slot
  localparam [SLOTS-1:0] ONE = 1;
  wire [SLOTS-1:0]   r_bit = ONE << r_slot;
  wire               r_bad = axi_rresp_i[1] || (|(error_q & r_bit));
  genvar             g;

  generate
    if (BEATS > 1) begin : gen_positions
      wire [SLOTS*BEAT_IW-1:0] at;
      for (g = 0; g < SLOTS; g = g + 1) begin : gen_slot
        reg [BEAT_IW-1:0] at_q;
        assign at[g*BEAT_IW +: BEAT_IW] = at_q;
        always @(posedge clk_i) begin : p_at
          if (take && (slot == g[SLOT_IW-1:0])) at_q <= first;
          else if (r_moves && r_bit[g])         at_q <= at_q + 1'b1;
        end
      end
      byw_mux #(.N(SLOTS), .W(BEAT_IW), .SEL_W(SLOT_IW)) u_at (
        .data_i(at), .sel_i(r_slot), .data_o(own_at)
      );
    end else begin : gen_no_positions
      assign own_at = 1'b0;
    end
  endgenerate

  always @(posedge clk_i) begin : p_error
    error_q <= (error_q | ((r_moves && r_bad) ? r_bit : {SLOTS{1'b0}})) &
               ~(take ? (ONE << slot) : {SLOTS{1'b0}});
  end

  // ---- responses
  assign b_keeps      = (WB_ACKS != 0) || (b_entry[ENTRY_W-1 -: 2] != BYW_MEM_WRITEBACK);
  assign axi_bready_o = done_ready;
  assign idle_o       = slots_idle && answer_idle && !aw_done_q && !w_moved_q;

  byw_mem_answer #(.LINE_BYTES(PORT_BYTES), .DATA_W(DATA_W), .SLOTS(SLOTS), .ENTRY_W(ENTRY_W))
  u_answer (
    .clk_i(clk_i), .rst_i(rst_i),
    .beat_valid_i(axi_rvalid_i), .beat_ready_o(axi_rready_o), .beat_slot_i(r_slot),
    .beat_at_i(r_at), .beat_last_i(r_ends), .beat_data_i(axi_rdata_i),
    .beat_entry_i(r_entry), .beat_error_i(r_bad),
    .done_valid_i((axi_bvalid_i && b_keeps) || (!axi_bvalid_i && mem_req_valid_i &&
                                                mem_req_atomic_i)),
    .done_ready_o(done_ready),
    .done_entry_i(axi_bvalid_i ? b_entry : {mem_req_kind_i, mem_req_id_i}),
    .done_error_i(axi_bvalid_i ? axi_bresp_i[1] : 1'b1),
    .mem_rsp_valid_o(mem_rsp_valid_o), .mem_rsp_ready_i(mem_rsp_ready_i),
    .mem_rsp_entry_o({mem_rsp_kind_o, mem_rsp_id_o}), .mem_rsp_data_o(mem_rsp_data_o),
    .mem_rsp_error_o(mem_rsp_error_o), .idle_o(answer_idle)
  );

  wire unused_ok = &{1'b0, axi_rresp_i[0], axi_bresp_i[0]};
endmodule

`default_nettype wire
