// SPDX-License-Identifier: Apache-2.0
//
// byw_sm_l1_scoreboard - compares every output of a byw_sm_l1 with the C model, in every cycle.
// Generated from rtl/top/byw_sm_l1.v by rtl/sv.sh (make rtl-sv); not edited.
//
// Bind it with byw_sm_l1_scoreboard_bind.sv and link the golden model (libbyway).  The first difference stops the
// simulation with the port, the lowest differing bit and the cycle.  Before the first reset nothing is compared.
//
`include "byw_widths.vh"

module byw_sm_l1_scoreboard #(
  parameter integer ALLOC = 0,
  parameter integer SECTORS = 1,
  parameter integer SETS = `BYW_DEFAULT_SETS,
  parameter integer DATA_WAYS = `BYW_DEFAULT_DATA_WAYS,
  parameter integer TAG_WAYS = `BYW_DEFAULT_TAG_WAYS,
  parameter integer LINE_BYTES = `BYW_DEFAULT_LINE_BYTES,
  parameter integer LINE_W = 33,
  parameter integer INDEX = 1,
  parameter integer REPL = 0,
  parameter integer LOOK = 0,
  parameter integer RC_W = `BYW_DEFAULT_RC_W,
  parameter integer MSHRS = `BYW_DEFAULT_MSHRS,
  parameter integer MERGES = `BYW_DEFAULT_MERGES,
  parameter integer MISS_DEPTH = `BYW_DEFAULT_MISS_DEPTH,
  parameter integer BYPASS_DEPTH = `BYW_DEFAULT_BYPASS_DEPTH,
  parameter integer TRACKERS = `BYW_DEFAULT_TRACKERS,
  parameter integer ID_W = 16,
  parameter integer PC_W = 32,
  parameter integer PC_PRED = 1,
  parameter integer PC_ENTRIES = `BYW_DEFAULT_PC_ENTRIES,
  parameter integer PC_BITS = `BYW_DEFAULT_PC_BITS,
  parameter integer PC_SHIFT = `BYW_DEFAULT_PC_SHIFT,
  parameter integer STATS = 1,
  parameter integer ORDER = `BYW_DEFAULT_ORDER,
  parameter integer IN_FLIGHT = `BYW_DEFAULT_IN_FLIGHT,
  parameter integer STORE_IDS = `BYW_DEFAULT_STORE_IDS,
  parameter integer FENCE = `BYW_DEFAULT_FENCE,
  parameter integer UNCACHED = `BYW_DEFAULT_UNCACHED,
  parameter integer FUNC_W = `BYW_DEFAULT_FUNC_W,
  parameter integer BEAT_BYTES = `BYW_DEFAULT_BEAT_BYTES,
  parameter integer PARITY = `BYW_DEFAULT_PARITY,
  parameter integer WARP_W = 6,
  parameter integer TRIAL = 0,
  parameter integer TRIAL_WINDOW = `BYW_DEFAULT_TRIAL_WINDOW,
  parameter integer TRIAL_REUSE_PCT = `BYW_DEFAULT_TRIAL_REUSE_PCT,
  parameter integer TRIAL_CONFIRM = `BYW_DEFAULT_TRIAL_CONFIRM,
  parameter integer TRIAL_WINDOWS = `BYW_DEFAULT_TRIAL_WINDOWS,
  parameter integer TRIAL_MARGIN_PCT = `BYW_DEFAULT_TRIAL_MARGIN_PCT,
  parameter integer TRIAL_OVERTIME_PCT = `BYW_DEFAULT_TRIAL_OVERTIME_PCT,
  parameter integer TRIAL_REST = `BYW_DEFAULT_TRIAL_REST,
  parameter integer TRIAL_DOUBLINGS = `BYW_DEFAULT_TRIAL_DOUBLINGS,
  parameter integer TRIAL_DISTANCE = `BYW_DEFAULT_TRIAL_DISTANCE,
  parameter integer TRIAL_STEP = `BYW_DEFAULT_TRIAL_STEP,
  parameter integer TRIAL_LINE_WINDOW = `BYW_DEFAULT_TRIAL_LINE_WINDOW,
  parameter integer TRIAL_LINE_REUSE_PCT = `BYW_DEFAULT_TRIAL_LINE_REUSE_PCT,
  parameter integer TRIAL_RUN_PCT = `BYW_DEFAULT_TRIAL_RUN_PCT,
  parameter integer TRIAL_QUEUES = `BYW_DEFAULT_TRIAL_QUEUES,
  parameter integer TRIAL_DEPTH = `BYW_DEFAULT_TRIAL_DEPTH,
  parameter integer FUNC_PW = (FUNC_W > 0) ? FUNC_W : 1,
  parameter integer PORT_BYTES = (BEAT_BYTES > 0) ? BEAT_BYTES : LINE_BYTES,
  parameter integer BEAT_PW = (PORT_BYTES < LINE_BYTES) ? $clog2(LINE_BYTES/PORT_BYTES) : 1
) (
  input logic clk_i,
  input logic rst_i,
  input logic [31:0] cfg_i,
  input logic [31:0] pc_cfg_i,
  input logic [31:0] tl_cfg_i,
  input logic [31:0] tl_window_i,
  input logic [29:0] tl_period_i,
  input logic [30:0] tl_bound_i,
  input logic restart_i,
  input logic filter_on_i,
  input logic kernel_start_i,
  input logic [31:0] kernel_pc_i,
  input logic cta_placed_i,
  input logic [6:0] active_warps_i,
  input logic req_valid_i,
  input logic req_ready_o,
  input logic [2:0] req_op_i,
  input logic [LINE_W-1:0] req_line_i,
  input logic [BEAT_PW-1:0] req_beat_i,
  input logic req_more_i,
  input logic [PORT_BYTES-1:0] req_bytes_i,
  input logic [PORT_BYTES*8-1:0] req_data_i,
  input logic [PC_W-1:0] req_pc_i,
  input logic [ID_W-1:0] req_id_i,
  input logic [WARP_W-1:0] req_warp_i,
  input logic [2:0] req_hint_i,
  input logic [FUNC_PW-1:0] req_func_i,
  input logic rsp_valid_o,
  input logic rsp_ready_i,
  input logic [PORT_BYTES*8-1:0] rsp_data_o,
  input logic [ID_W-1:0] rsp_id_o,
  input logic [2:0] rsp_served_o,
  input logic rsp_error_o,
  input logic mem_req_valid_o,
  input logic mem_req_ready_i,
  input logic [1:0] mem_req_kind_o,
  input logic mem_req_write_o,
  input logic mem_req_bypass_o,
  input logic mem_req_atomic_o,
  input logic [LINE_W-1:0] mem_req_line_o,
  input logic [BEAT_PW-1:0] mem_req_beat_o,
  input logic mem_req_more_o,
  input logic [PORT_BYTES-1:0] mem_req_bytes_o,
  input logic [PORT_BYTES*8-1:0] mem_req_data_o,
  input logic [PC_W-1:0] mem_req_pc_o,
  input logic [ID_W-1:0] mem_req_id_o,
  input logic mem_req_predicted_o,
  input logic [FUNC_PW-1:0] mem_req_func_o,
  input logic mem_rsp_valid_i,
  input logic mem_rsp_ready_o,
  input logic [1:0] mem_rsp_kind_i,
  input logic [PORT_BYTES*8-1:0] mem_rsp_data_i,
  input logic [ID_W-1:0] mem_rsp_id_i,
  input logic mem_rsp_error_i,
  input logic mem_rsp_mispredict_i,
  input logic idle_o,
  input logic [`BYW_EV_W-1:0] events_o,
  input logic [`BYW_PEV_W-1:0] policy_events_o,
  input logic [7:0] pc_counter_o,
  input logic [2:0] two_level_o,
  input logic [4:0] trial_events_o,
  input logic count_req_i,
  input logic [7:0] count_sel_i,
  input logic count_valid_o,
  input logic [63:0] count_data_o
);
  typedef bit [1023:0] value_t; // BYWAY_WORDS words

  import "DPI-C" function chandle byway_l1_create(input string parameters);
  import "DPI-C" function void byway_l1_free(input chandle l1);
  import "DPI-C" function string byway_l1_error(input chandle l1);
  import "DPI-C" function int byway_l1_port(input string name);
  import "DPI-C" function int byway_l1_width(input chandle l1, input int port);
  import "DPI-C" function void byway_l1_put(input chandle l1, input int port, input value_t value);
  import "DPI-C" function void byway_l1_step(input chandle l1);
  import "DPI-C" function void byway_l1_get(input chandle l1, input int port, output value_t value,
                                            output value_t defined);

  chandle l1;
  longint unsigned cycles = 0; // compared

  // The number of a port, whose width must be that of the C model.
  function automatic int port_of(input string name, input int width);
    port_of = byway_l1_port(name);
    if (byway_l1_width(l1, port_of) != width) begin
      $display("FAIL %m: the C model has %0d bits for %s, the RTL has %0d", byway_l1_width(l1, port_of), name, width);
      $fatal;
    end
  endfunction

  function automatic void compare(input int port, input string name, input value_t got);
    value_t want, defined, wrong;
    byway_l1_get(l1, port, want, defined);
    wrong = (want ^ got) & defined;
    if (wrong == 0) return;
    for (int i = 0; i < 1024; i++)
      if (wrong[i]) begin
        $display("FAIL %m cycle %0d: %s bit %0d: C model %b, RTL %b", cycles, name, i, want[i], got[i]);
        $fatal;
        return;
      end
  endfunction

  int n_rst_i;
  int n_cfg_i;
  int n_pc_cfg_i;
  int n_tl_cfg_i;
  int n_tl_window_i;
  int n_tl_period_i;
  int n_tl_bound_i;
  int n_restart_i;
  int n_filter_on_i;
  int n_kernel_start_i;
  int n_kernel_pc_i;
  int n_cta_placed_i;
  int n_active_warps_i;
  int n_req_valid_i;
  int n_req_ready_o;
  int n_req_op_i;
  int n_req_line_i;
  int n_req_beat_i;
  int n_req_more_i;
  int n_req_bytes_i;
  int n_req_data_i;
  int n_req_pc_i;
  int n_req_id_i;
  int n_req_warp_i;
  int n_req_hint_i;
  int n_req_func_i;
  int n_rsp_valid_o;
  int n_rsp_ready_i;
  int n_rsp_data_o;
  int n_rsp_id_o;
  int n_rsp_served_o;
  int n_rsp_error_o;
  int n_mem_req_valid_o;
  int n_mem_req_ready_i;
  int n_mem_req_kind_o;
  int n_mem_req_write_o;
  int n_mem_req_bypass_o;
  int n_mem_req_atomic_o;
  int n_mem_req_line_o;
  int n_mem_req_beat_o;
  int n_mem_req_more_o;
  int n_mem_req_bytes_o;
  int n_mem_req_data_o;
  int n_mem_req_pc_o;
  int n_mem_req_id_o;
  int n_mem_req_predicted_o;
  int n_mem_req_func_o;
  int n_mem_rsp_valid_i;
  int n_mem_rsp_ready_o;
  int n_mem_rsp_kind_i;
  int n_mem_rsp_data_i;
  int n_mem_rsp_id_i;
  int n_mem_rsp_error_i;
  int n_mem_rsp_mispredict_i;
  int n_idle_o;
  int n_events_o;
  int n_policy_events_o;
  int n_pc_counter_o;
  int n_two_level_o;
  int n_trial_events_o;
  int n_count_req_i;
  int n_count_sel_i;
  int n_count_valid_o;
  int n_count_data_o;

  initial begin
    l1 = byway_l1_create({
      $sformatf("ALLOC=%0d ", ALLOC),
      $sformatf("SECTORS=%0d ", SECTORS),
      $sformatf("SETS=%0d ", SETS),
      $sformatf("DATA_WAYS=%0d ", DATA_WAYS),
      $sformatf("TAG_WAYS=%0d ", TAG_WAYS),
      $sformatf("LINE_BYTES=%0d ", LINE_BYTES),
      $sformatf("LINE_W=%0d ", LINE_W),
      $sformatf("INDEX=%0d ", INDEX),
      $sformatf("REPL=%0d ", REPL),
      $sformatf("LOOK=%0d ", LOOK),
      $sformatf("RC_W=%0d ", RC_W),
      $sformatf("MSHRS=%0d ", MSHRS),
      $sformatf("MERGES=%0d ", MERGES),
      $sformatf("MISS_DEPTH=%0d ", MISS_DEPTH),
      $sformatf("BYPASS_DEPTH=%0d ", BYPASS_DEPTH),
      $sformatf("TRACKERS=%0d ", TRACKERS),
      $sformatf("ID_W=%0d ", ID_W),
      $sformatf("PC_W=%0d ", PC_W),
      $sformatf("PC_PRED=%0d ", PC_PRED),
      $sformatf("PC_ENTRIES=%0d ", PC_ENTRIES),
      $sformatf("PC_BITS=%0d ", PC_BITS),
      $sformatf("PC_SHIFT=%0d ", PC_SHIFT),
      $sformatf("STATS=%0d ", STATS),
      $sformatf("ORDER=%0d ", ORDER),
      $sformatf("IN_FLIGHT=%0d ", IN_FLIGHT),
      $sformatf("STORE_IDS=%0d ", STORE_IDS),
      $sformatf("FENCE=%0d ", FENCE),
      $sformatf("UNCACHED=%0d ", UNCACHED),
      $sformatf("FUNC_W=%0d ", FUNC_W),
      $sformatf("BEAT_BYTES=%0d ", BEAT_BYTES),
      $sformatf("PARITY=%0d ", PARITY),
      $sformatf("WARP_W=%0d ", WARP_W),
      $sformatf("TRIAL=%0d ", TRIAL),
      $sformatf("TRIAL_WINDOW=%0d ", TRIAL_WINDOW),
      $sformatf("TRIAL_REUSE_PCT=%0d ", TRIAL_REUSE_PCT),
      $sformatf("TRIAL_CONFIRM=%0d ", TRIAL_CONFIRM),
      $sformatf("TRIAL_WINDOWS=%0d ", TRIAL_WINDOWS),
      $sformatf("TRIAL_MARGIN_PCT=%0d ", TRIAL_MARGIN_PCT),
      $sformatf("TRIAL_OVERTIME_PCT=%0d ", TRIAL_OVERTIME_PCT),
      $sformatf("TRIAL_REST=%0d ", TRIAL_REST),
      $sformatf("TRIAL_DOUBLINGS=%0d ", TRIAL_DOUBLINGS),
      $sformatf("TRIAL_DISTANCE=%0d ", TRIAL_DISTANCE),
      $sformatf("TRIAL_STEP=%0d ", TRIAL_STEP),
      $sformatf("TRIAL_LINE_WINDOW=%0d ", TRIAL_LINE_WINDOW),
      $sformatf("TRIAL_LINE_REUSE_PCT=%0d ", TRIAL_LINE_REUSE_PCT),
      $sformatf("TRIAL_RUN_PCT=%0d ", TRIAL_RUN_PCT),
      $sformatf("TRIAL_QUEUES=%0d ", TRIAL_QUEUES),
      $sformatf("TRIAL_DEPTH=%0d ", TRIAL_DEPTH)
    });
    if (byway_l1_error(l1) != "") begin
      $display("FAIL %m: %s", byway_l1_error(l1));
      $fatal;
    end
    n_rst_i = port_of("rst_i", $bits(rst_i));
    n_cfg_i = port_of("cfg_i", $bits(cfg_i));
    n_pc_cfg_i = port_of("pc_cfg_i", $bits(pc_cfg_i));
    n_tl_cfg_i = port_of("tl_cfg_i", $bits(tl_cfg_i));
    n_tl_window_i = port_of("tl_window_i", $bits(tl_window_i));
    n_tl_period_i = port_of("tl_period_i", $bits(tl_period_i));
    n_tl_bound_i = port_of("tl_bound_i", $bits(tl_bound_i));
    n_restart_i = port_of("restart_i", $bits(restart_i));
    n_filter_on_i = port_of("filter_on_i", $bits(filter_on_i));
    n_kernel_start_i = port_of("kernel_start_i", $bits(kernel_start_i));
    n_kernel_pc_i = port_of("kernel_pc_i", $bits(kernel_pc_i));
    n_cta_placed_i = port_of("cta_placed_i", $bits(cta_placed_i));
    n_active_warps_i = port_of("active_warps_i", $bits(active_warps_i));
    n_req_valid_i = port_of("req_valid_i", $bits(req_valid_i));
    n_req_ready_o = port_of("req_ready_o", $bits(req_ready_o));
    n_req_op_i = port_of("req_op_i", $bits(req_op_i));
    n_req_line_i = port_of("req_line_i", $bits(req_line_i));
    n_req_beat_i = port_of("req_beat_i", $bits(req_beat_i));
    n_req_more_i = port_of("req_more_i", $bits(req_more_i));
    n_req_bytes_i = port_of("req_bytes_i", $bits(req_bytes_i));
    n_req_data_i = port_of("req_data_i", $bits(req_data_i));
    n_req_pc_i = port_of("req_pc_i", $bits(req_pc_i));
    n_req_id_i = port_of("req_id_i", $bits(req_id_i));
    n_req_warp_i = port_of("req_warp_i", $bits(req_warp_i));
    n_req_hint_i = port_of("req_hint_i", $bits(req_hint_i));
    n_req_func_i = port_of("req_func_i", $bits(req_func_i));
    n_rsp_valid_o = port_of("rsp_valid_o", $bits(rsp_valid_o));
    n_rsp_ready_i = port_of("rsp_ready_i", $bits(rsp_ready_i));
    n_rsp_data_o = port_of("rsp_data_o", $bits(rsp_data_o));
    n_rsp_id_o = port_of("rsp_id_o", $bits(rsp_id_o));
    n_rsp_served_o = port_of("rsp_served_o", $bits(rsp_served_o));
    n_rsp_error_o = port_of("rsp_error_o", $bits(rsp_error_o));
    n_mem_req_valid_o = port_of("mem_req_valid_o", $bits(mem_req_valid_o));
    n_mem_req_ready_i = port_of("mem_req_ready_i", $bits(mem_req_ready_i));
    n_mem_req_kind_o = port_of("mem_req_kind_o", $bits(mem_req_kind_o));
    n_mem_req_write_o = port_of("mem_req_write_o", $bits(mem_req_write_o));
    n_mem_req_bypass_o = port_of("mem_req_bypass_o", $bits(mem_req_bypass_o));
    n_mem_req_atomic_o = port_of("mem_req_atomic_o", $bits(mem_req_atomic_o));
    n_mem_req_line_o = port_of("mem_req_line_o", $bits(mem_req_line_o));
    n_mem_req_beat_o = port_of("mem_req_beat_o", $bits(mem_req_beat_o));
    n_mem_req_more_o = port_of("mem_req_more_o", $bits(mem_req_more_o));
    n_mem_req_bytes_o = port_of("mem_req_bytes_o", $bits(mem_req_bytes_o));
    n_mem_req_data_o = port_of("mem_req_data_o", $bits(mem_req_data_o));
    n_mem_req_pc_o = port_of("mem_req_pc_o", $bits(mem_req_pc_o));
    n_mem_req_id_o = port_of("mem_req_id_o", $bits(mem_req_id_o));
    n_mem_req_predicted_o = port_of("mem_req_predicted_o", $bits(mem_req_predicted_o));
    n_mem_req_func_o = port_of("mem_req_func_o", $bits(mem_req_func_o));
    n_mem_rsp_valid_i = port_of("mem_rsp_valid_i", $bits(mem_rsp_valid_i));
    n_mem_rsp_ready_o = port_of("mem_rsp_ready_o", $bits(mem_rsp_ready_o));
    n_mem_rsp_kind_i = port_of("mem_rsp_kind_i", $bits(mem_rsp_kind_i));
    n_mem_rsp_data_i = port_of("mem_rsp_data_i", $bits(mem_rsp_data_i));
    n_mem_rsp_id_i = port_of("mem_rsp_id_i", $bits(mem_rsp_id_i));
    n_mem_rsp_error_i = port_of("mem_rsp_error_i", $bits(mem_rsp_error_i));
    n_mem_rsp_mispredict_i = port_of("mem_rsp_mispredict_i", $bits(mem_rsp_mispredict_i));
    n_idle_o = port_of("idle_o", $bits(idle_o));
    n_events_o = port_of("events_o", $bits(events_o));
    n_policy_events_o = port_of("policy_events_o", $bits(policy_events_o));
    n_pc_counter_o = port_of("pc_counter_o", $bits(pc_counter_o));
    n_two_level_o = port_of("two_level_o", $bits(two_level_o));
    n_trial_events_o = port_of("trial_events_o", $bits(trial_events_o));
    n_count_req_i = port_of("count_req_i", $bits(count_req_i));
    n_count_sel_i = port_of("count_sel_i", $bits(count_sel_i));
    n_count_valid_o = port_of("count_valid_o", $bits(count_valid_o));
    n_count_data_o = port_of("count_data_o", $bits(count_data_o));
  end
  final byway_l1_free(l1);

  always @(posedge clk_i) begin
    byway_l1_put(l1, n_rst_i, value_t'(rst_i));
    byway_l1_put(l1, n_cfg_i, value_t'(cfg_i));
    byway_l1_put(l1, n_pc_cfg_i, value_t'(pc_cfg_i));
    byway_l1_put(l1, n_tl_cfg_i, value_t'(tl_cfg_i));
    byway_l1_put(l1, n_tl_window_i, value_t'(tl_window_i));
    byway_l1_put(l1, n_tl_period_i, value_t'(tl_period_i));
    byway_l1_put(l1, n_tl_bound_i, value_t'(tl_bound_i));
    byway_l1_put(l1, n_restart_i, value_t'(restart_i));
    byway_l1_put(l1, n_filter_on_i, value_t'(filter_on_i));
    byway_l1_put(l1, n_kernel_start_i, value_t'(kernel_start_i));
    byway_l1_put(l1, n_kernel_pc_i, value_t'(kernel_pc_i));
    byway_l1_put(l1, n_cta_placed_i, value_t'(cta_placed_i));
    byway_l1_put(l1, n_active_warps_i, value_t'(active_warps_i));
    byway_l1_put(l1, n_req_valid_i, value_t'(req_valid_i));
    byway_l1_put(l1, n_req_op_i, value_t'(req_op_i));
    byway_l1_put(l1, n_req_line_i, value_t'(req_line_i));
    byway_l1_put(l1, n_req_beat_i, value_t'(req_beat_i));
    byway_l1_put(l1, n_req_more_i, value_t'(req_more_i));
    byway_l1_put(l1, n_req_bytes_i, value_t'(req_bytes_i));
    byway_l1_put(l1, n_req_data_i, value_t'(req_data_i));
    byway_l1_put(l1, n_req_pc_i, value_t'(req_pc_i));
    byway_l1_put(l1, n_req_id_i, value_t'(req_id_i));
    byway_l1_put(l1, n_req_warp_i, value_t'(req_warp_i));
    byway_l1_put(l1, n_req_hint_i, value_t'(req_hint_i));
    byway_l1_put(l1, n_req_func_i, value_t'(req_func_i));
    byway_l1_put(l1, n_rsp_ready_i, value_t'(rsp_ready_i));
    byway_l1_put(l1, n_mem_req_ready_i, value_t'(mem_req_ready_i));
    byway_l1_put(l1, n_mem_rsp_valid_i, value_t'(mem_rsp_valid_i));
    byway_l1_put(l1, n_mem_rsp_kind_i, value_t'(mem_rsp_kind_i));
    byway_l1_put(l1, n_mem_rsp_data_i, value_t'(mem_rsp_data_i));
    byway_l1_put(l1, n_mem_rsp_id_i, value_t'(mem_rsp_id_i));
    byway_l1_put(l1, n_mem_rsp_error_i, value_t'(mem_rsp_error_i));
    byway_l1_put(l1, n_mem_rsp_mispredict_i, value_t'(mem_rsp_mispredict_i));
    byway_l1_put(l1, n_count_req_i, value_t'(count_req_i));
    byway_l1_put(l1, n_count_sel_i, value_t'(count_sel_i));
    byway_l1_step(l1);
    if (byway_l1_error(l1) != "") begin
      $display("FAIL %m cycle %0d: %s", cycles, byway_l1_error(l1));
      $fatal;
    end
    compare(n_req_ready_o, "req_ready_o", value_t'(req_ready_o));
    compare(n_rsp_valid_o, "rsp_valid_o", value_t'(rsp_valid_o));
    compare(n_rsp_data_o, "rsp_data_o", value_t'(rsp_data_o));
    compare(n_rsp_id_o, "rsp_id_o", value_t'(rsp_id_o));
    compare(n_rsp_served_o, "rsp_served_o", value_t'(rsp_served_o));
    compare(n_rsp_error_o, "rsp_error_o", value_t'(rsp_error_o));
    compare(n_mem_req_valid_o, "mem_req_valid_o", value_t'(mem_req_valid_o));
    compare(n_mem_req_kind_o, "mem_req_kind_o", value_t'(mem_req_kind_o));
    compare(n_mem_req_write_o, "mem_req_write_o", value_t'(mem_req_write_o));
    compare(n_mem_req_bypass_o, "mem_req_bypass_o", value_t'(mem_req_bypass_o));
    compare(n_mem_req_atomic_o, "mem_req_atomic_o", value_t'(mem_req_atomic_o));
    compare(n_mem_req_line_o, "mem_req_line_o", value_t'(mem_req_line_o));
    compare(n_mem_req_beat_o, "mem_req_beat_o", value_t'(mem_req_beat_o));
    compare(n_mem_req_more_o, "mem_req_more_o", value_t'(mem_req_more_o));
    compare(n_mem_req_bytes_o, "mem_req_bytes_o", value_t'(mem_req_bytes_o));
    compare(n_mem_req_data_o, "mem_req_data_o", value_t'(mem_req_data_o));
    compare(n_mem_req_pc_o, "mem_req_pc_o", value_t'(mem_req_pc_o));
    compare(n_mem_req_id_o, "mem_req_id_o", value_t'(mem_req_id_o));
    compare(n_mem_req_predicted_o, "mem_req_predicted_o", value_t'(mem_req_predicted_o));
    compare(n_mem_req_func_o, "mem_req_func_o", value_t'(mem_req_func_o));
    compare(n_mem_rsp_ready_o, "mem_rsp_ready_o", value_t'(mem_rsp_ready_o));
    compare(n_idle_o, "idle_o", value_t'(idle_o));
    compare(n_events_o, "events_o", value_t'(events_o));
    compare(n_policy_events_o, "policy_events_o", value_t'(policy_events_o));
    compare(n_pc_counter_o, "pc_counter_o", value_t'(pc_counter_o));
    compare(n_two_level_o, "two_level_o", value_t'(two_level_o));
    compare(n_trial_events_o, "trial_events_o", value_t'(trial_events_o));
    compare(n_count_valid_o, "count_valid_o", value_t'(count_valid_o));
    compare(n_count_data_o, "count_data_o", value_t'(count_data_o));
    cycles <= cycles + 1;
  end
endmodule
