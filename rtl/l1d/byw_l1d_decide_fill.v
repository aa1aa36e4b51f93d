// SPDX-License-Identifier: Apache-2.0
//
// byw_l1d_decide_fill - the decision point of an allocate-on-fill L1D, and the stages in which a
//                       fill allocates its line.
//
// Behaviour   A request of line s0_line_i enters with s0_take_i.  In s2 it is decided again in
//             every cycle, from the record at the start of that cycle; s2_accept_i makes the
//             decision take effect.  f0_take_i accepts the fill of an MSHR; two cycles later, with
//             install_i, the fill allocates its line at place_*.  s2_accept_i and install_i are
//             never set together.  lines_clear_i empties every set.  PARITY: with tag_bad_o the
//             request must not be accepted, and with f2_bad_o the fill must not be installed.
// Paper       001, table 1; mechanisms/cache.md 0.1 to 0.4, two_level.md 3.5;
//             rtl/doc/l1d_pipeline.md.
// C twin      cmodel/model/l1d/byw_l1d_on_fill.c; checked by verif/l1d/lockstep_l1d.c.
// Reset       rst_i: every set is empty; predictor as byw_pc_pred.
//
// Parameters as in byw_l1d.
//
`default_nettype none
`include "byw_assert.vh"
`include "byw_widths.vh"

module byw_l1d_decide_fill #(
  parameter integer SETS       = 4,
  parameter integer DATA_WAYS  = 48,
  parameter integer SECTORS    = 4,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W     = 33,
  parameter integer INDEX      = 0,
  parameter integer REPL       = 0,
  parameter integer MSHRS      = `BYW_DEFAULT_MSHRS,
  parameter integer TRACKERS   = `BYW_DEFAULT_TRACKERS,
  parameter integer PC_W       = 32,
  parameter integer PC_PRED    = 1,
  parameter integer PC_ENTRIES = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS    = `BYW_DEFAULT_PC_BITS,
  parameter integer PC_SHIFT   = `BYW_DEFAULT_PC_SHIFT,
  parameter integer PARITY     = 0,
  parameter integer MSHR_IW    = (MSHRS > 1) ? $clog2(MSHRS) : 1,
  parameter integer TRACKER_IW = (TRACKERS > 1) ? $clog2(TRACKERS) : 1,
  parameter integer SET_IW     = (SETS > 1) ? $clog2(SETS) : 1,
  parameter integer WAY_IW     = (DATA_WAYS > 1) ? $clog2(DATA_WAYS) : 1,
  parameter integer BLOCK_W    = LINE_W + $clog2(SECTORS)
) (
  input  wire                  clk_i,
  input  wire                  rst_i,

  // settings
  input  wire [31:0]           cfg_i,
  input  wire [31:0]           pc_cfg_i,

  // pipeline
  input  wire                  s0_take_i,
  input  wire                  s0_read_i,              // reads the record of its set
  input  wire [LINE_W-1:0]     s0_line_i,
  input  wire                  s1_move_i,
  input  wire [2:0]            s2_op_i,                // BYW_OP_*
  input  wire [2:0]            s2_hint_i,              // BYW_HINT_*
  input  wire [LINE_W-1:0]     s2_line_i,
  input  wire [LINE_BYTES-1:0] s2_bytes_i,
  input  wire [PC_W-1:0]       s2_pc_i,
  input  wire                  s2_bypass_i,            // s2's load is in bypass mode
  input  wire                  s2_blind_i,
  output wire [SET_IW-1:0]     s2_set_o,
  output wire [BLOCK_W-1:0]    s2_block_o, // address of its sector, as the MSHRs store it
  output wire [LINE_BYTES-1:0] s2_fetch_o,             // byte mask of its sector
  output wire                  tag_bad_o,  // PARITY: it looks at a tag with wrong parity

  // resources available in this cycle
  input  wire                  miss_slot_free_i,
  input  wire                  bypass_slot_free_i,
  input  wire                  mshr_free_i,
  input  wire                  pending_i,              // an attached MSHR matches s2_block_o
  input  wire                  list_room_i,            // the matching MSHR has room

  // the decision, see byw_sectored
  output wire                  refused_o,
  output wire                  hit_o,
  output wire                  hit_answered_o,         // a hit that s3 answers
  output wire                  load_miss_o,            // a load that allocates an MSHR
  output wire                  load_merge_o,
  output wire                  req_bypass_o,
  output wire                  line_store_o,           // a store that writes its line
  output wire [`BYW_RSFAIL_W-1:0] reason_o,            // BYW_RSFAIL_*
  output wire [`BYW_ACTION_W-1:0] action_o,            // BYW_SET_*
  output wire [`BYW_CAUSE_W-1:0] cause_o,              // BYW_CAUSE_*
  output wire                  line_evict_o,
  output wire                  evict_reused_o,         // the evicted line was hit since its fill
  output wire                  mshr_detach_o,
  output wire                  insert_last_o,
  output wire                  sector_miss_o,
  output wire                  blind_o,
  output wire [WAY_IW-1:0]     hit_way_o,

  // acceptance of the request
  input  wire                  s2_accept_i,
  input  wire                  mshr_alloc_i,
  input  wire [MSHR_IW-1:0]    alloc_mshr_i,
  input  wire                  bypass_send_i,
  input  wire [TRACKER_IW-1:0] bypass_tracker_i,

  // response to a bypass
  input  wire                  tracker_free_i,
  input  wire [TRACKER_IW-1:0] free_tracker_i,
  input  wire                  mispredict_i,           // the bypass or fill reports a reuse

  // the accepted fill, from its MSHR
  input  wire                  f0_take_i,
  input  wire [MSHR_IW-1:0]    f0_mshr_i,
  input  wire [BLOCK_W-1:0]    f0_block_i,
  input  wire                  f0_last_i,              // streaming hint

  // the fill in f2
  input  wire                  install_i,
  input  wire [MSHR_IW-1:0]    f2_mshr_i,
  input  wire                  f2_merged_i, // the fill serves more than the load that missed
  output wire                  f2_bad_o,               // PARITY: a tag of its set is wrong
  output wire [SET_IW-1:0]     install_set_o,
  output wire [WAY_IW-1:0]     install_way_o,
  output wire [LINE_BYTES-1:0] install_bytes_o,
  output wire                  install_evict_o,        // another line is evicted
  output wire                  install_evict_reused_o, // the evicted line was hit since its fill

  input  wire                  lines_clear_i,          // drops all lines
  output wire [`BYW_PEV_W-1:0] policy_events_o,        // bit BYW_PEV_*
  output wire [7:0]            pc_counter_o
);
  `include "byw_defs.vh"

  localparam integer KEY_W     = LINE_W - $clog2(SETS);
  localparam integer TAG_W     = KEY_W + PARITY;         // a key, with its parity bit above it
  localparam integer RANK_W    = `BYW_REPL_RANK_W(REPL, WAY_IW);
  localparam integer SECTOR_W  = $clog2(SECTORS);
  localparam integer SECTOR_IW = (SECTORS > 1) ? SECTOR_W : 1;
  localparam integer LANES     = LINE_BYTES / SECTORS;
  localparam [SECTORS-1:0] ONE = 1;

  generate
    if ((PARITY != 0) && (PARITY != 1)) begin : gen_check_parity
      byw_l1d_decide_fill_PARITY_must_be_0_or_1 u_error ();
    end
    if ((SECTORS < 1) || (SECTORS * LANES != LINE_BYTES) || ((1 << SECTOR_W) != SECTORS))
    begin : gen_check_sectors
      byw_l1d_decide_fill_SECTORS_must_be_a_power_of_two_that_divides_the_line u_error ();
    end
  endgenerate

  // ---- sectors
  wire [SECTORS-1:0]   touched, s2_sector, f0_sector;
  wire [SECTOR_IW-1:0] s2_number, f0_number;
  wire                 any_touched;
  reg  [SECTORS-1:0]   f1_sector_q, f2_sector_q;
  reg                  f1_last_q, f2_last_q;
  genvar               g;

  generate
    for (g = 0; g < SECTORS; g = g + 1) begin : gen_sector
      assign touched[g] = |s2_bytes_i[g*LANES +: LANES];
      assign s2_fetch_o[g*LANES +: LANES]      = {LANES{s2_sector[g]}};
      assign install_bytes_o[g*LANES +: LANES] = {LANES{f2_sector_q[g]}};
    end
    if (SECTORS > 1) begin : gen_number
      assign s2_block_o = {s2_line_i, s2_number};
      assign f0_number  = f0_block_i[SECTOR_IW-1:0];
    end else begin : gen_whole
      assign s2_block_o = s2_line_i;
      assign f0_number  = 1'b0;
    end
  endgenerate

  byw_prio_enc #(.N(SECTORS)) u_sector (
    .req_i(touched), .any_o(any_touched), .index_o(s2_number)
  );
  assign s2_sector = ONE << s2_number;
  assign f0_sector = ONE << f0_number;

  always @(posedge clk_i) begin : p_fill
    f1_sector_q <= f0_sector;
    f1_last_q   <= f0_last_i;
    f2_sector_q <= f1_sector_q;
    f2_last_q   <= f1_last_q;
  end

  // ---- records
  wire [SET_IW-1:0] s0_set, f0_set;
  wire [KEY_W-1:0]  s0_key, f0_key;
  wire [TAG_W-1:0]  s0_tag, f0_tag, f2_tag;
  wire              s2_hit, f2_hit, s2_bad, pc_query, pc_on, pc_dead, pc_hot;
  wire [SET_IW-1:0] s1_set, f1_set;
  wire [`BYW_REPL_RANDOM_W-1:0] random;

  wire [DATA_WAYS*TAG_W-1:0]   s2_key,     f2_key,     inst_key;
  wire [DATA_WAYS*SECTORS-1:0] s2_sectors, f2_sectors, inst_sectors, new_sectors;
  wire [DATA_WAYS*RANK_W-1:0]  s2_rank,    f2_rank,    inst_rank,    new_rank;
  wire [DATA_WAYS-1:0]         s2_reused,  f2_reused,  inst_reused,  new_reused;
  wire [WAY_IW-1:0]            f2_hit_way;

  byw_set_index #(
    .SETS(SETS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX)
  ) u_s0_index (.line_i(s0_line_i), .set_o(s0_set), .key_o(s0_key));

  byw_set_index #(
    .SETS(SETS), .LINE_BYTES(LINE_BYTES), .LINE_W(LINE_W), .INDEX(INDEX)
  ) u_f0_index (.line_i(f0_block_i[BLOCK_W-1:SECTOR_W]), .set_o(f0_set), .key_o(f0_key));

  generate
    if (PARITY == 0) begin : gen_no_parity
      assign {s0_tag, f0_tag} = {s0_key, f0_key};
    end else begin : gen_parity
      assign {s0_tag, f0_tag} = {^s0_key, s0_key, ^f0_key, f0_key};
    end
  endgenerate
  assign tag_bad_o = s2_bad && !s2_blind_i && !blind_o;

  byw_sector_store #(
    .SETS(SETS), .WAYS(DATA_WAYS), .SECTORS(SECTORS), .KEY_W(TAG_W), .REPL(REPL), .PARITY(PARITY)
  ) u_records (
    .clk_i(clk_i),
    .rst_i(rst_i),

    // the request pipeline
    .s0_take_i(s0_take_i),
    .s0_read_i(s0_read_i),
    .s0_set_i(s0_set),
    .s0_key_i(s0_tag),
    .s1_move_i(s1_move_i),
    .s1_set_o(s1_set),
    .s2_set_o(s2_set_o),
    .s2_hit_o(s2_hit),
    .s2_hit_way_o(hit_way_o),
    .s2_bad_o(s2_bad),
    .s2_key_o(s2_key),
    .s2_sectors_o(s2_sectors),
    .s2_rank_o(s2_rank),
    .s2_reused_o(s2_reused),

    // the fill pipeline
    .f0_take_i(f0_take_i),
    .f0_set_i(f0_set),
    .f0_key_i(f0_tag),
    .f1_set_o(f1_set),
    .f2_set_o(install_set_o),
    .f2_fill_key_o(f2_tag),
    .f2_hit_o(f2_hit),
    .f2_hit_way_o(f2_hit_way),
    .f2_bad_o(f2_bad_o),
    .f2_key_o(f2_key),
    .f2_sectors_o(f2_sectors),
    .f2_rank_o(f2_rank),
    .f2_reused_o(f2_reused),

    // the write port, shared by both
    .wr_en_i(install_i || (s2_accept_i && (action_o != BYW_SET_KEEP))),
    .wr_set_i(install_i ? install_set_o : s2_set_o),
    .wr_new_key_i(install_i && !f2_hit),
    .wr_way_i(install_way_o),
    .wr_key_i(f2_tag),
    .wr_rec_key_i(install_i ? inst_key : s2_key),
    .wr_rec_sectors_i(install_i ? inst_sectors : new_sectors),
    .wr_rec_rank_i(install_i ? inst_rank : new_rank),
    .wr_rec_reused_i(install_i ? inst_reused : new_reused),

    .clear_i(lines_clear_i)
  );

  // ---- the decision
  wire [`BYW_OUTCOME_W-1:0] outcome;                // BYW_HIT .. BYW_RSFAIL

  byw_sectored #(
    .WAYS(DATA_WAYS), .SECTORS(SECTORS), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)
  ) u_sectored (
    .cfg_i(cfg_i),

    // the request and its lookup
    .op_i(s2_op_i),
    .hint_i(s2_hint_i),
    .sector_i(s2_sector),
    .hit_i(s2_hit && !s2_blind_i),
    .hit_way_i(hit_way_o),
    .pending_i(pending_i && !s2_blind_i),
    .set_i(s2_set_o),
    .pc_i(s2_pc_i),
    .random_i(random),
    .adv_bypass_i(s2_bypass_i),
    .adv_dead_i(pc_dead),
    .asks_o(pc_query),

    // resources available in this cycle
    .res_miss_slot_i(miss_slot_free_i),
    .res_bypass_slot_i(bypass_slot_free_i),
    .res_mshr_i(mshr_free_i),
    .res_merge_i(list_room_i),

    // the decision
    .outcome_o(outcome),
    .reason_o(reason_o),
    .action_o(action_o),
    .cause_o(cause_o),
    .orphan_o(mshr_detach_o),
    .last_o(insert_last_o),
    .sector_miss_o(sector_miss_o),
    .blind_o(blind_o),

    // the record before and after; a way without a valid sector holds no line
    .rec_sectors_i(s2_sectors),
    .rec_rank_i(s2_rank),
    .rec_reused_i(s2_reused),
    .rec_sectors_o(new_sectors),
    .rec_rank_o(new_rank),
    .rec_reused_o(new_reused)
  );

  // ---- what happens to the request
  wire s2_is_load  = (s2_op_i == BYW_OP_LOAD) || (s2_op_i == BYW_OP_LOCAL_LOAD);
  wire s2_is_store = (s2_op_i == BYW_OP_STORE) || (s2_op_i == BYW_OP_LOCAL_STORE);

  assign refused_o      = outcome == BYW_RSFAIL;
  assign hit_o          = outcome == BYW_HIT;
  assign hit_answered_o = hit_o && s2_is_load;
  assign load_miss_o    = (outcome == BYW_MISS) && s2_is_load;
  assign load_merge_o   = outcome == BYW_HIT_PENDING;
  assign req_bypass_o   = outcome == BYW_BYPASS;
  assign line_store_o   = hit_o && (action_o == BYW_SET_TOUCH) && s2_is_store;

  wire [DATA_WAYS-1:0] evicted_reused = s2_reused >> hit_way_o;
  assign line_evict_o   = action_o == BYW_SET_RELEASE;
  assign evict_reused_o = evicted_reused[0];

  // ---- the fill; the replacement policy sees the PC of the load that missed
  wire [PC_W-1:0] f2_pc;

  byw_ram_async #(.DEPTH(MSHRS), .WIDTH(PC_W)) u_pcs (
    .clk_i(clk_i), .rd_addr_i(f2_mshr_i), .rd_data_o(f2_pc),
    .wr_en_i(mshr_alloc_i), .wr_addr_i(alloc_mshr_i), .wr_data_i(s2_pc_i)
  );

  byw_repl_random u_random (
    .clk_i(clk_i), .rst_i(rst_i), .step_i(install_i && !f2_hit), .random_o(random)
  );

  byw_install #(
    .WAYS(DATA_WAYS), .SECTORS(SECTORS), .KEY_W(TAG_W), .REPL(REPL), .SET_IW(SET_IW), .PC_W(PC_W)
  ) u_install (
    // the fill
    .key_i(f2_tag),
    .sector_i(f2_sector_q),
    .last_i(f2_last_q),
    .hit_i(f2_hit),
    .hit_way_i(f2_hit_way),

    // used only by the replacement policy, see byw_repl; pc_i is the PC of the load that missed
    .set_i(install_set_o),
    .pc_i(f2_pc),
    .random_i(random),

    // the allocated way
    .leaves_o(install_evict_o),
    .leaves_reused_o(install_evict_reused_o),
    .way_o(install_way_o),

    // the record before and after
    .rec_key_i(f2_key),
    .rec_sectors_i(f2_sectors),
    .rec_rank_i(f2_rank),
    .rec_reused_i(f2_reused),
    .rec_key_o(inst_key),
    .rec_sectors_o(inst_sectors),
    .rec_rank_o(inst_rank),
    .rec_reused_o(inst_reused)
  );

  byw_l1d_pc #(
    .ALLOC(1), .PC_PRED(PC_PRED), .PC_ENTRIES(PC_ENTRIES), .PC_BITS(PC_BITS),
    .PC_SHIFT(PC_SHIFT), .SETS(SETS), .DATA_WAYS(DATA_WAYS), .MSHRS(MSHRS), .TRACKERS(TRACKERS),
    .PC_W(PC_W)
  ) u_pc (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .pc_cfg_i(pc_cfg_i),

    // the set that moves from s1 into s2
    .s1_move_i(s1_move_i),
    .s1_set_i(s1_set),

    // the request in s2, and the advice to byw_policy
    .set_i(s2_set_o),
    .pc_i(s2_pc_i),
    .load_i(s2_is_load),
    .more_i(1'b0),
    .bypass_i(s2_bypass_i),
    .policy_asks_i(pc_query),
    .on_o(pc_on),
    .dead_o(pc_dead),
    .hot_o(pc_hot),
    .counter_o(pc_counter_o),

    // the decision
    .accept_i(s2_accept_i),
    .found_i(outcome == BYW_HIT),
    .drops_i(action_o == BYW_SET_RELEASE),
    .leaves_i(line_evict_o),
    .cause_i(cause_o),
    .way_i(hit_way_o),
    .alloc_i(mshr_alloc_i),
    .alloc_mshr_i(alloc_mshr_i),
    .send_bypass_i(bypass_send_i),
    .bypass_tracker_i(bypass_tracker_i),

    // an accepted response
    .fill_taken_i(f0_take_i),
    .fill_mshr_i(f0_mshr_i),
    .give_i(tracker_free_i),
    .give_tracker_i(free_tracker_i),
    .mispredict_i(mispredict_i),

    // allocate on fill: the fills in f1 and f2; otherwise all 0
    .f1_set_i(f1_set),
    .install_i(install_i),
    .install_set_i(install_set_o),
    .install_mshr_i(f2_mshr_i),
    .install_new_i(!f2_hit),
    .install_leaves_i(install_evict_o),
    .install_merged_i(f2_merged_i),
    .install_way_i(install_way_o),

    .policy_events_o(policy_events_o)
  );

  wire unused_ok = &{1'b0, any_touched, evicted_reused, pc_on, pc_hot};

  `BYW_CHECKS
  `BYW_ASSUME(decision_and_install_exclude_each_other, install_i, !s2_accept_i)
  `BYW_ASSUME(request_with_a_bad_tag_is_not_decided, tag_bad_o, !s2_accept_i)
  `BYW_ASSUME(fill_with_a_bad_tag_is_not_installed, f2_bad_o, !install_i)
  `BYW_HOLDS(one_outcome_at_most, !refused_o, {2'd0, hit_o} + {2'd0, load_miss_o} +
             {2'd0, load_merge_o} + {2'd0, req_bypass_o} <= 3'd1)
endmodule

`default_nettype wire
