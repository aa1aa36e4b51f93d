// SPDX-License-Identifier: Apache-2.0
//
// byw_ventus_l1d - the L1 of one SM as a replacement for the l1_dcache of Ventus.
//
// Behaviour   A request is one client line for all lanes.  byw_lanes converts it to a request of
//             the cache, whose lines hold SECTORS client lines.  Loads and stores are answered
//             once; invalidate, flush and wait are never answered.  They wait until nothing is in
//             flight; then invalidate drops all lines, and invalidate and flush send FLUSH and wait
//             for the hint-ack.  A fence that stays on the port after it was accepted is not
//             accepted again.  No cycle is added.  Atomics go to memory; SC fails, because memory
//             holds no reservation.  The port has no error bit: error_o pulses instead.
// Paper       none; fpga/adapters/README.md.
// Ports       have the client's names, including clk and rst_n: its instance fits unchanged.
// Reset       rst_n low at one clock edge: empty cache, nothing in flight.
//
// Parameter      Default  Range      Meaning
// LANES          4        1..64      lanes of a request
// BLOCK_WORDS    2        2^n, 1..   words per client line
// SETIDX_W, INSTRID_W, SOURCE_W  5, 3, 10   widths: set index, request number, {3 bits, slot}
// SLOTS          32       1..256     lane requests in flight, and requests at memory
// ORDER          2        0, 1, 2    order within a client line at memory, see byw_mem_slots
// SIDEBAND_PC, SIDEBAND_WARPS  0, 0  1: side_pc_i and side_hint_i, or the other side_*, are driven
// POLICY, PC_PRED_CFG, TWO_LEVEL, TWO_LEVEL_WINDOW, _PERIOD, _BOUND: registers of byw_csr
// SECTORS and others as in byw_l1d; more than one sector needs allocate on fill
//
`default_nettype none

module byw_ventus_l1d #(
  parameter integer LANES          = 4,
  parameter integer BLOCK_WORDS    = 2,
  parameter integer SETIDX_W       = 5,
  parameter integer INSTRID_W      = 3,
  parameter integer SOURCE_W       = 10,
  parameter integer SLOTS          = 32,
  parameter integer ORDER          = 2,
  parameter integer SIDEBAND_PC    = 0,
  parameter integer SIDEBAND_WARPS = 0,
  parameter [31:0]  POLICY           = 32'h0002_2710,   // write-update, base
  parameter [31:0]  PC_PRED_CFG      = 32'h0200_0082,
  parameter [31:0]  TWO_LEVEL        = 32'h0E60_8004,
  parameter [31:0]  TWO_LEVEL_WINDOW = 32'h0040_1388,
  parameter [29:0]  TWO_LEVEL_PERIOD = 30'h0003_0D40,
  parameter [30:0]  TWO_LEVEL_BOUND  = 31'h0249_F000,
  parameter integer SECTORS        = 4,
  parameter integer SETS           = 128,
  parameter integer DATA_WAYS      = 4,
  parameter integer TAG_WAYS       = 8,
  parameter integer MSHRS          = 16,
  parameter integer MERGES         = 4,
  parameter integer TRACKERS       = 16,
  parameter integer PC_PRED        = 0,
  parameter integer OFFSET_W       = (BLOCK_WORDS > 1) ? $clog2(BLOCK_WORDS) : 1,
  parameter integer TAG_W          = 32 - SETIDX_W - 2 - $clog2(BLOCK_WORDS)
) (
  input  wire                      clk,
  input  wire                      rst_n,

  // core_req, core_rsp: the LSU of the client
  input  wire                      core_req_valid_i,
  output wire                      core_req_ready_o,
  input  wire [INSTRID_W-1:0]      core_req_instrid_i,
  input  wire [SETIDX_W-1:0]       core_req_setidx_i,
  input  wire [TAG_W-1:0]          core_req_tag_i,
  input  wire [LANES-1:0]          core_req_activemask_i,
  input  wire [LANES*OFFSET_W-1:0] core_req_blockoffset_i,
  input  wire [LANES*4-1:0]        core_req_wordoffset1h_i,
  input  wire [LANES*32-1:0]       core_req_data_i,
  input  wire [2:0]                core_req_opcode_i,
  input  wire [3:0]                core_req_param_i,
  output wire                      core_rsp_valid_o,
  input  wire                      core_rsp_ready_i,
  output wire                      core_rsp_is_write_o,
  output wire [INSTRID_W-1:0]      core_rsp_instrid_o,
  output wire [LANES*32-1:0]       core_rsp_data_o,
  output wire [LANES-1:0]          core_rsp_activemask_o,

  // side: for the request at core_req, and for the SM
  input  wire [31:0]               side_pc_i,
  input  wire [2:0]                side_hint_i,       // BYW_HINT_*
  input  wire [6:0]                side_warps_i,      // active warps
  input  wire                      side_kernel_start_i,
  input  wire [31:0]               side_kernel_pc_i,
  input  wire                      side_cta_placed_i,

  // mem_req, mem_rsp: the L2 of the client
  output wire                      mem_req_valid_o,
  input  wire                      mem_req_ready_i,
  output wire [2:0]                mem_req_a_opcode_o,
  output wire [2:0]                mem_req_a_param_o,
  output wire [SOURCE_W-1:0]       mem_req_a_source_o,
  output wire [31:0]               mem_req_a_addr_o,
  output wire [BLOCK_WORDS*32-1:0] mem_req_a_data_o,
  output wire [BLOCK_WORDS*4-1:0]  mem_req_a_mask_o,
  input  wire                      mem_rsp_valid_i,
  output wire                      mem_rsp_ready_o,
  input  wire [2:0]                mem_rsp_d_opcode_i,
  input  wire [SOURCE_W-1:0]       mem_rsp_d_source_i,
  input  wire [31:0]               mem_rsp_d_addr_i,
  input  wire [BLOCK_WORDS*32-1:0] mem_rsp_d_data_i,

  output wire                      error_o,
  output wire                      idle_o
);
  `include "byw_defs.vh"
  `include "byw_widths.vh"

  localparam integer BLOCK_BYTES = BLOCK_WORDS * 4;
  localparam integer LINE_BYTES  = BLOCK_BYTES * SECTORS;
  localparam integer BLOCK_AW    = 32 - $clog2(BLOCK_BYTES);   // width of a client line address
  localparam integer SECTOR_W    = $clog2(SECTORS);
  localparam integer LINE_W      = BLOCK_AW - SECTOR_W;
  localparam integer WORD_IW     = (LINE_BYTES > 4) ? $clog2(LINE_BYTES / 4) : 1;
  localparam integer SLOT_IW     = (SLOTS > 1) ? $clog2(SLOTS) : 1;
  localparam integer ID_W        = 12;                         // {fence, slot}, MSHR, tracker
  localparam integer NUMBER_W    = SOURCE_W - 3;
  localparam [2:0] GET = 3'd4, PUT_PARTIAL = 3'd1, PUT_FULL = 3'd0, ARITHMETIC = 3'd2,
                   LOGICAL = 3'd3, FLUSH = 3'd5, HINT_ACK = 3'd2;
  localparam [2:0] ST_RUN = 3'd0, ST_DRAIN = 3'd1, ST_DROP = 3'd2, ST_DROPPED = 3'd3,
                   ST_FLUSH = 3'd4, ST_HINT = 3'd5;

  generate
    if ((SIDEBAND_PC == 0) && PC_PRED_CFG[0]) begin : gen_check_pc
      byw_ventus_l1d_PC_predictor_needs_SIDEBAND_PC u_error ();
    end
    if ((SIDEBAND_WARPS == 0) && TWO_LEVEL[0]) begin : gen_check_warps
      byw_ventus_l1d_two_level_needs_SIDEBAND_WARPS u_error ();
    end
    if (SLOT_IW > NUMBER_W) begin : gen_check_source
      byw_ventus_l1d_SOURCE_W_is_too_small_for_SLOTS u_error ();
    end
  endgenerate

  wire       rst = !rst_n;
  reg  [2:0] state_q;
  reg  [1:0] fence_q;                                 // parameter field of the last fence
  reg        shown_q;                                 // shown since it was accepted
  wire       l1_idle, slots_idle, lanes_idle;
  wire       quiet     = l1_idle && slots_idle && lanes_idle;
  wire       is_fence  = (core_req_opcode_i == 3'd3);
  wire       is_write  = (core_req_opcode_i == 3'd1) && !core_req_param_i[0];
  wire       is_sc     = (core_req_opcode_i == 3'd1) && core_req_param_i[0];
  wire       is_amo    = (core_req_opcode_i == 3'd2);
  wire       is_atomic = is_amo || is_sc || ((core_req_opcode_i == 3'd0) && core_req_param_i[0]);
  wire       runs      = (state_q == ST_RUN);
  wire       fence     = core_req_valid_i && is_fence;
  wire       again     = shown_q && (core_req_param_i[1:0] == fence_q);
  wire       drops     = (state_q == ST_DROP);

  // ---- lanes
  wire                    lanes_ready, line_valid, line_rsp_ready, rsp_valid, rsp_ready;
  wire [LANES*WORD_IW-1:0] words;
  wire [LANES*32-1:0]     rsp_words;
  wire                    rsp_sc;
  wire [LINE_BYTES-1:0]   line_bytes;
  wire [LINE_BYTES*8-1:0] line_data, rsp_data;
  wire [SLOT_IW-1:0]      line_id;
  wire [ID_W-1:0]         rsp_id;
  wire [BLOCK_AW-1:0]     block = {core_req_tag_i, core_req_setidx_i};
  wire [2:0]              served;
  wire                    rsp_error, req_ready;
  genvar                  g;

  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_word
      if (BLOCK_WORDS == 1) begin : gen_one
        assign words[g*WORD_IW +: WORD_IW] = (SECTORS > 1) ? block[WORD_IW-1:0] : 1'b0;
        wire unused_ok = &{1'b0, core_req_blockoffset_i[g]};
      end else if (SECTORS > 1) begin : gen_sectors
        assign words[g*WORD_IW +: WORD_IW] =
            {block[SECTOR_W-1:0], core_req_blockoffset_i[g*OFFSET_W +: OFFSET_W]};
      end else begin : gen_line
        assign words[g*WORD_IW +: WORD_IW] = core_req_blockoffset_i[g*OFFSET_W +: OFFSET_W];
      end
    end
  endgenerate

  byw_lanes #(
    .LANES(LANES), .LINE_BYTES(LINE_BYTES), .SLOTS(SLOTS), .TAG_W(2+INSTRID_W), .RIGHT(1)
  ) u_lanes (
    .clk_i(clk), .rst_i(rst),
    .req_valid_i(core_req_valid_i && !is_fence && runs), .req_ready_o(lanes_ready),
    .req_lanes_i(core_req_activemask_i), .req_words_i(words), .req_bytes_i(core_req_wordoffset1h_i),
    .req_data_i(core_req_data_i), .req_tag_i({is_sc, is_write, core_req_instrid_i}),
    .line_req_valid_o(line_valid), .line_req_ready_i(req_ready && runs),
    .line_req_bytes_o(line_bytes), .line_req_data_o(line_data), .line_req_id_o(line_id),
    .line_rsp_valid_i(rsp_valid && !rsp_id[ID_W-1]), .line_rsp_ready_o(line_rsp_ready),
    .line_rsp_data_i(rsp_data), .line_rsp_id_i(rsp_id[SLOT_IW-1:0]),
    .rsp_valid_o(core_rsp_valid_o), .rsp_ready_i(core_rsp_ready_i),
    .rsp_tag_o({rsp_sc, core_rsp_is_write_o, core_rsp_instrid_o}),
    .rsp_lanes_o(core_rsp_activemask_o), .rsp_data_o(rsp_words), .idle_o(lanes_idle)
  );
  assign core_rsp_data_o = rsp_sc ? {LANES{32'd1}} : rsp_words;

  // ---- fence
  assign core_req_ready_o = runs && (is_fence || lanes_ready);
  assign rsp_ready        = rsp_id[ID_W-1] || line_rsp_ready;
  assign idle_o           = quiet && runs;

  wire flushes    = (state_q == ST_FLUSH);
  wire hint_comes = mem_rsp_valid_i && (mem_rsp_d_opcode_i == HINT_ACK);

  always @(posedge clk) begin : p_fence
    if (rst) state_q <= ST_RUN;
    else
      case (state_q)
        ST_RUN:     if (fence && !again) state_q <= ST_DRAIN;
        ST_DRAIN:   if (quiet) state_q <= fence_q[1] ? ST_RUN : fence_q[0] ? ST_FLUSH : ST_DROP;
        ST_DROP:    if (req_ready) state_q <= ST_DROPPED;
        ST_DROPPED: if (rsp_valid) state_q <= ST_FLUSH;
        ST_FLUSH:   if (mem_req_ready_i) state_q <= ST_HINT;
        default:    if (hint_comes) state_q <= ST_RUN;
      endcase
    if (runs && !again) fence_q <= core_req_param_i[1:0];
    shown_q <= fence && !rst && (again || runs);
  end

  // ---- the cache
  wire [4:0]              out_func;                   // {memory performs the atomic, its param}
  wire                    out_valid, out_write, out_atomic, out_ready, in_valid, in_ready;
  wire [1:0]              out_kind, in_kind;
  wire [LINE_W-1:0]       out_line;
  wire [LINE_BYTES-1:0]   out_bytes;
  wire [LINE_BYTES*8-1:0] out_data;
  wire [ID_W-1:0]         out_id, in_id;

  wire [ID_W-1:0]      slot_id = {{(ID_W-SLOT_IW){1'b0}}, line_id};
  wire [`BYW_EV_W-1:0]  unused_events;
  wire [`BYW_PEV_W-1:0] unused_policy_events;
  wire [7:0]            unused_counter;
  wire [4:0]            unused_trial;
  wire [2:0]            unused_two_level;
  wire                  unused_bypass, unused_predicted, unused_count_valid, unused_beat,
                        unused_more;
  wire [63:0]           unused_count;
  wire [31:0]           unused_pc;

  byw_sm_l1 #(
    .ALLOC((SECTORS > 1) ? 1 : 0), .SECTORS(SECTORS), .SETS(SETS), .DATA_WAYS(DATA_WAYS),
    .TAG_WAYS((SECTORS > 1) ? DATA_WAYS : TAG_WAYS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W),
    .INDEX(0), .MSHRS(MSHRS), .MERGES(MERGES), .TRACKERS(TRACKERS), .ID_W(ID_W), .PC_PRED(PC_PRED),
    .STATS(0), .FUNC_W(5)
  ) u_l1 (
    .clk_i(clk), .rst_i(rst),
    .cfg_i(POLICY), .pc_cfg_i(PC_PRED_CFG), .tl_cfg_i(TWO_LEVEL), .tl_window_i(TWO_LEVEL_WINDOW),
    .tl_period_i(TWO_LEVEL_PERIOD), .tl_bound_i(TWO_LEVEL_BOUND), .restart_i(1'b0),
    .filter_on_i(1'b1),
    .kernel_start_i((SIDEBAND_WARPS != 0) && side_kernel_start_i), .kernel_pc_i(side_kernel_pc_i),
    .cta_placed_i((SIDEBAND_WARPS != 0) && side_cta_placed_i),
    .active_warps_i((SIDEBAND_WARPS != 0) ? side_warps_i : 7'd0),
    .req_valid_i(line_valid || drops), .req_ready_o(req_ready),
    .req_op_i(drops ? BYW_OP_INVALIDATE : is_atomic ? BYW_OP_ATOMIC :
              is_write ? BYW_OP_STORE : BYW_OP_LOAD),
    .req_line_i(block[BLOCK_AW-1 -: LINE_W]), .req_beat_i(1'b0), .req_more_i(1'b0),
    .req_bytes_i(line_bytes), .req_data_i(line_data),
    .req_pc_i((SIDEBAND_PC != 0) ? side_pc_i : 32'd0), .req_func_i({is_amo, core_req_param_i}),
    .req_id_i(drops ? {1'b1, {(ID_W-1){1'b0}}} : slot_id), .req_warp_i(6'd0),
    .req_hint_i((SIDEBAND_PC != 0) ? side_hint_i : BYW_HINT_NONE),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_data_o(rsp_data), .rsp_id_o(rsp_id),
    .rsp_served_o(served), .rsp_error_o(rsp_error),
    .mem_req_valid_o(out_valid), .mem_req_ready_i(out_ready), .mem_req_kind_o(out_kind),
    .mem_req_write_o(out_write), .mem_req_bypass_o(unused_bypass), .mem_req_atomic_o(out_atomic),
    .mem_req_line_o(out_line), .mem_req_beat_o(unused_beat), .mem_req_more_o(unused_more),
    .mem_req_bytes_o(out_bytes), .mem_req_data_o(out_data), .mem_req_pc_o(unused_pc),
    .mem_req_id_o(out_id), .mem_req_predicted_o(unused_predicted),
    .mem_req_func_o(out_func),
    .mem_rsp_valid_i(in_valid), .mem_rsp_ready_o(in_ready), .mem_rsp_kind_i(in_kind),
    .mem_rsp_data_i({SECTORS{mem_rsp_d_data_i}}), .mem_rsp_id_i(in_id), .mem_rsp_error_i(1'b0),
    .mem_rsp_mispredict_i(1'b0),
    .idle_o(l1_idle), .events_o(unused_events), .policy_events_o(unused_policy_events),
    .pc_counter_o(unused_counter), .two_level_o(unused_two_level), .trial_events_o(unused_trial),
    .count_req_i(1'b0), .count_sel_i(8'd0), .count_valid_o(unused_count_valid),
    .count_data_o(unused_count)
  );

  assign error_o = rsp_valid && rsp_ready && rsp_error;

  // ---- memory: one client line per request
  wire [SECTORS-1:0]       sectors;
  wire [BLOCK_BYTES-1:0]   mask;
  wire [BLOCK_WORDS*32-1:0] data;
  wire [BLOCK_AW-1:0]      out_block;
  wire [SLOT_IW-1:0]       slot;
  wire [SLOT_IW-1:0]       back = mem_rsp_d_source_i[SLOT_IW-1:0];
  wire                     ok, ack;
  wire                     amo = out_atomic && out_func[4];   // LR and SC are reads
  wire [2+ID_W-1:0]        entry, unused_entry;

  generate
    if (SECTORS > 1) begin : gen_sector
      wire [SECTOR_W-1:0] sector;
      wire                unused_any;
      for (g = 0; g < SECTORS; g = g + 1) begin : gen_any
        assign sectors[g] = |out_bytes[g*BLOCK_BYTES +: BLOCK_BYTES];
      end
      byw_prio_enc #(.N(SECTORS), .IDX_W(SECTOR_W)) u_sector (
        .req_i(sectors), .any_o(unused_any), .index_o(sector)
      );
      byw_mux #(.N(SECTORS), .W(BLOCK_BYTES), .SEL_W(SECTOR_W)) u_mask (
        .data_i(out_bytes), .sel_i(sector), .data_o(mask)
      );
      byw_mux #(.N(SECTORS), .W(BLOCK_BYTES*8), .SEL_W(SECTOR_W)) u_data (
        .data_i(out_data), .sel_i(sector), .data_o(data)
      );
      assign out_block = {out_line, sector};
      wire unused_sector = &{1'b0, unused_any};
    end else begin : gen_whole
      assign {sectors, mask, data, out_block} = {1'b1, out_bytes, out_data, out_line};
      wire unused_sector = &{1'b0, sectors};
    end
  endgenerate

  assign mem_req_valid_o    = flushes || (out_valid && ok);
  assign out_ready          = !flushes && mem_req_ready_i && ok;
  assign mem_req_a_opcode_o = flushes ? FLUSH :
                              amo ? (out_func[3] ? LOGICAL : ARITHMETIC) :
                              !out_write ? GET : (&mask) ? PUT_FULL : PUT_PARTIAL;
  assign mem_req_a_param_o  = flushes ? {2'b00, !fence_q[0]} : amo ? out_func[2:0] : 3'd0;
  assign mem_req_a_source_o = flushes ? {SOURCE_W{1'b0}} :
                              {2'b00, !out_write, {(NUMBER_W-SLOT_IW){1'b0}}, slot};
  assign mem_req_a_addr_o   = flushes ? 32'd0 : {out_block, {(32-BLOCK_AW){1'b0}}};
  assign mem_req_a_data_o   = data;
  assign mem_req_a_mask_o   = (out_write || amo) && !flushes ? mask : {BLOCK_BYTES{1'b1}};
  assign in_valid           = mem_rsp_valid_i && !hint_comes;
  assign mem_rsp_ready_o    = hint_comes || in_ready;
  assign ack                = in_valid && in_ready;
  assign {in_kind, in_id}   = entry;

  byw_mem_slots #(.SLOTS(SLOTS), .LINE_W(BLOCK_AW), .ENTRY_W(2+ID_W), .ORDER(ORDER)) u_slots (
    .clk_i(clk), .rst_i(rst),
    .ask_i(out_valid), .ask_line_i(out_block), .ask_write_i(out_write || amo),
    .ask_entry_i({out_kind, out_id}), .ask_ok_o(ok), .ask_slot_o(slot),
    .take_i(out_valid && out_ready),
    .give_r_i(ack), .give_r_slot_i(back), .give_r_entry_o(entry),
    .give_w_i(1'b0), .give_w_slot_i({SLOT_IW{1'b0}}), .give_w_entry_o(unused_entry),
    .idle_o(slots_idle)
  );

  wire unused_ok = &{1'b0, unused_entry, mem_rsp_d_addr_i, mem_rsp_d_source_i, served, unused_pc,
                     unused_events, unused_policy_events, unused_counter, unused_two_level,
                     unused_bypass, unused_predicted, unused_count_valid, unused_count, unused_beat,
                     unused_more};
endmodule

`default_nettype wire
