// SPDX-License-Identifier: Apache-2.0
//
// byw_csr - the registers of a cluster, on a bus of single words.
//
// Behaviour   Accepts a request when no answer is outstanding.  Answers in the next cycle, except
//             for a read of COUNTER_LOW, which waits for the counters (count_*).  kernel_start_o,
//             duel_restart_o and reset_o pulse in the cycle after their write, restart_o in the
//             first cycle of a new value of POLICY, PC_PRED or TWO_LEVEL*.  The register table is
//             cmodel/model/top/byw_csr.def; description and errors: rtl/doc/csr.md.  No output
//             depends combinationally on an input.
// C twin      cmodel/model/top/byw_csr.c; checked by verif/top/lockstep_csr.c.
// Reset       rst_i: reset values of the table, no answer outstanding.
//
// Parameter   Default  Range    Meaning
// SMS         4        1..255   value of the register SMS
//
`default_nettype none
`include "byw_assert.vh"

module byw_csr #(
  parameter integer SMS = 4
) (
  input  wire        clk_i,
  input  wire        rst_i,

  // req: one access
  input  wire        req_valid_i,
  output wire        req_ready_o,
  input  wire        req_write_i,
  input  wire [11:0] req_addr_i,             // byte address
  input  wire [31:0] req_data_i,

  // rsp: its answer
  output wire        rsp_valid_o,
  input  wire        rsp_ready_i,
  output wire [31:0] rsp_data_o,
  output wire        rsp_error_o,

  // inputs from the cluster
  input  wire        idle_i,
  input  wire        duel_on_i,
  input  wire [3:0]  duel_votes_i,

  // outputs to the cluster
  output wire        kernel_start_o,         // pulse
  output wire [31:0] kernel_pc_o,
  output wire        duel_restart_o,         // pulse
  output wire        reset_o,                // pulse
  output wire        restart_o,              // pulse: settings of the L1s have changed
  output wire [31:0] policy_o,
  output wire [31:0] pc_pred_o,
  output wire [31:0] two_level_o,
  output wire [31:0] two_level_window_o,
  output wire [29:0] two_level_period_o,
  output wire [30:0] two_level_bound_o,
  output wire        duel_enable_o,
  output wire        duel_initial_on_o,
  output wire        duel_bypass_is_miss_o,
  output wire        duel_by_loads_o,
  output wire        duel_all_follow_o,
  output wire        duel_crossover_o,
  output wire [3:0]  duel_hysteresis_o,
  output wire [6:0]  duel_margin_o,
  output wire [7:0]  duel_speedup_o,
  output wire [6:0]  duel_noise_o,
  output wire [19:0] duel_interval_o,
  output wire [19:0] duel_hold_o,
  output wire [19:0] duel_settle_o,
  output wire [19:0] duel_min_accesses_o,

  // read of one counter: count_req_o stays until count_valid_i
  output wire        count_req_o,
  output wire [7:0]  count_sm_o,
  output wire [7:0]  count_sel_o,
  input  wire        count_valid_i,
  input  wire [63:0] count_data_i
);
  `include "byw_csr.vh"

  generate
    if ((SMS < 1) || (SMS > 255)) begin : gen_check_sms
      byw_csr_SMS_must_be_1_to_255 u_error ();
    end
  endgenerate

  reg  [BYW_CSR_POLICY_W-1:0]         policy_q;
  reg  [BYW_CSR_PC_PRED_W-1:0]        pc_pred_q;
  reg  [BYW_CSR_TWO_LEVEL_W-1:0]      two_level_q;
  reg  [BYW_CSR_TWO_LEVEL_WINDOW_W-1:0] window_q;
  reg  [BYW_CSR_TWO_LEVEL_PERIOD_W-1:0] period_q;
  reg  [BYW_CSR_TWO_LEVEL_BOUND_W-1:0]  bound_q;
  reg  [BYW_CSR_KERNEL_PC_W-1:0]      kernel_pc_q;
  reg  [BYW_CSR_DUEL_W-1:0]           duel_q;
  reg  [BYW_CSR_DUEL_INTERVAL_W-1:0]  duel_interval_q;
  reg  [BYW_CSR_DUEL_MIN_W-1:0]       duel_min_q;
  reg  [BYW_CSR_DUEL_HOLD_W-1:0]      duel_hold_q;
  reg  [BYW_CSR_DUEL_SETTLE_W-1:0]    duel_settle_q;
  reg  [BYW_CSR_COUNTER_SELECT_W-1:0] counter_select_q;
  reg  [31:0]                         counter_high_q;
  reg  [31:0]                         rsp_data_q;
  reg                                 rsp_valid_q;
  reg                                 rsp_error_q;
  reg                                 counting_q;
  reg                                 kernel_start_q;
  reg                                 duel_restart_q;
  reg                                 reset_q;
  reg                                 restart_q;

  wire take       = req_valid_i && req_ready_o;
  wire take_write = take && req_write_i;
  wire to_command = req_addr_i == BYW_CSR_COMMAND;
  wire to_policy  = req_addr_i == BYW_CSR_POLICY;
  wire to_pc_pred = req_addr_i == BYW_CSR_PC_PRED;
  wire to_levels  = req_addr_i == BYW_CSR_TWO_LEVEL;
  wire to_window  = req_addr_i == BYW_CSR_TWO_LEVEL_WINDOW;
  wire to_period  = req_addr_i == BYW_CSR_TWO_LEVEL_PERIOD;
  wire to_bound   = req_addr_i == BYW_CSR_TWO_LEVEL_BOUND;
  wire to_kernel  = req_addr_i == BYW_CSR_KERNEL_PC;
  wire to_duel    = req_addr_i == BYW_CSR_DUEL;
  wire to_intvl   = req_addr_i == BYW_CSR_DUEL_INTERVAL;
  wire to_min     = req_addr_i == BYW_CSR_DUEL_MIN;
  wire to_hold    = req_addr_i == BYW_CSR_DUEL_HOLD;
  wire to_settle  = req_addr_i == BYW_CSR_DUEL_SETTLE;
  wire to_select  = req_addr_i == BYW_CSR_COUNTER_SELECT;
  wire to_counter = req_addr_i == BYW_CSR_COUNTER_LOW;
  wire to_l1s     = to_policy || to_pc_pred || to_levels || to_window || to_period || to_bound;
  wire to_dueling = to_duel || to_intvl || to_min || to_hold || to_settle;
  wire command_ok = idle_i || !req_data_i[BYW_CSR_COMMAND_RESET_LSB];
  wire write_ok   = (to_command && command_ok) || (to_l1s && idle_i) || to_dueling || to_select ||
                    to_kernel;
  wire set_l1s    = take_write && idle_i;
  wire command    = take_write && to_command && command_ok;

  assign req_ready_o           = !rsp_valid_q && !counting_q;
  assign rsp_valid_o           = rsp_valid_q;
  assign rsp_data_o            = rsp_data_q;
  assign rsp_error_o           = rsp_error_q;
  assign kernel_start_o        = kernel_start_q;
  assign duel_restart_o        = duel_restart_q;
  assign reset_o               = reset_q;
  assign restart_o             = restart_q;
  assign kernel_pc_o           = kernel_pc_q;
  assign pc_pred_o             = {{(32-BYW_CSR_PC_PRED_W){1'b0}}, pc_pred_q};
  assign two_level_o           = {{(32-BYW_CSR_TWO_LEVEL_W){1'b0}}, two_level_q};
  assign two_level_window_o    = window_q;
  assign two_level_period_o    = period_q;
  assign two_level_bound_o     = bound_q;
  assign policy_o              = {{(32-BYW_CSR_POLICY_W){1'b0}}, policy_q};
  assign duel_enable_o         = duel_q[BYW_CSR_DUEL_ENABLE_LSB];
  assign duel_initial_on_o     = duel_q[BYW_CSR_DUEL_INITIAL_ON_LSB];
  assign duel_bypass_is_miss_o = duel_q[BYW_CSR_DUEL_BYPASS_IS_MISS_LSB];
  assign duel_by_loads_o       = duel_q[BYW_CSR_DUEL_BY_LOADS_LSB];
  assign duel_all_follow_o     = duel_q[BYW_CSR_DUEL_ALL_FOLLOW_LSB];
  assign duel_hysteresis_o     = duel_q[BYW_CSR_DUEL_HYSTERESIS_LSB +: BYW_CSR_DUEL_HYSTERESIS_W];
  assign duel_crossover_o      = duel_q[BYW_CSR_DUEL_CROSSOVER_LSB];
  assign duel_speedup_o        = duel_q[BYW_CSR_DUEL_SPEEDUP_LSB +: BYW_CSR_DUEL_SPEEDUP_W];
  assign duel_noise_o          = duel_q[BYW_CSR_DUEL_NOISE_LSB +: BYW_CSR_DUEL_NOISE_W];
  assign duel_margin_o         = duel_q[BYW_CSR_DUEL_MARGIN_LSB +: BYW_CSR_DUEL_MARGIN_W];
  assign duel_interval_o       = duel_interval_q;
  assign duel_min_accesses_o   = duel_min_q;
  assign duel_hold_o           = duel_hold_q;
  assign duel_settle_o         = duel_settle_q;
  assign count_req_o           = counting_q;
  assign count_sm_o            = counter_select_q[BYW_CSR_COUNTER_SELECT_SM_LSB +: 8];
  assign count_sel_o           = counter_select_q[BYW_CSR_COUNTER_SELECT_NUMBER_LSB +: 8];

  reg        known;
  reg [31:0] value;

  always @* begin : p_read
    known = 1'b1;
    value = 32'd0;
    case (req_addr_i)
      BYW_CSR_ID:             value = BYW_CSR_ID_RESET;
      BYW_CSR_SMS:            value = SMS[31:0];
      BYW_CSR_COMMAND:        value = 32'd0;
      BYW_CSR_STATUS: begin
        value[BYW_CSR_STATUS_IDLE_LSB]         = idle_i;
        value[BYW_CSR_STATUS_FOLLOWERS_ON_LSB] = duel_on_i;
        value[BYW_CSR_STATUS_VOTES_LSB +: 4]   = duel_votes_i;
      end
      BYW_CSR_POLICY:         value[BYW_CSR_POLICY_W-1:0] = policy_q;
      BYW_CSR_PC_PRED:        value[BYW_CSR_PC_PRED_W-1:0] = pc_pred_q;
      BYW_CSR_TWO_LEVEL:      value[BYW_CSR_TWO_LEVEL_W-1:0] = two_level_q;
      BYW_CSR_TWO_LEVEL_WINDOW: value[BYW_CSR_TWO_LEVEL_WINDOW_W-1:0] = window_q;
      BYW_CSR_TWO_LEVEL_PERIOD: value[BYW_CSR_TWO_LEVEL_PERIOD_W-1:0] = period_q;
      BYW_CSR_TWO_LEVEL_BOUND: value[BYW_CSR_TWO_LEVEL_BOUND_W-1:0] = bound_q;
      BYW_CSR_KERNEL_PC:      value[BYW_CSR_KERNEL_PC_W-1:0] = kernel_pc_q;
      BYW_CSR_DUEL:           value[BYW_CSR_DUEL_W-1:0] = duel_q;
      BYW_CSR_DUEL_INTERVAL:  value[BYW_CSR_DUEL_INTERVAL_W-1:0] = duel_interval_q;
      BYW_CSR_DUEL_MIN:       value[BYW_CSR_DUEL_MIN_W-1:0] = duel_min_q;
      BYW_CSR_DUEL_HOLD:      value[BYW_CSR_DUEL_HOLD_W-1:0] = duel_hold_q;
      BYW_CSR_DUEL_SETTLE:    value[BYW_CSR_DUEL_SETTLE_W-1:0] = duel_settle_q;
      BYW_CSR_COUNTER_SELECT: value[BYW_CSR_COUNTER_SELECT_W-1:0] = counter_select_q;
      BYW_CSR_COUNTER_LOW:    value = 32'd0;
      BYW_CSR_COUNTER_HIGH:   value = counter_high_q;
      default:                known = 1'b0;
    endcase
  end

  always @(posedge clk_i) begin : p_registers
    if (rst_i) begin
      policy_q         <= BYW_CSR_POLICY_RESET[BYW_CSR_POLICY_W-1:0];
      pc_pred_q        <= BYW_CSR_PC_PRED_RESET[BYW_CSR_PC_PRED_W-1:0];
      two_level_q      <= BYW_CSR_TWO_LEVEL_RESET[BYW_CSR_TWO_LEVEL_W-1:0];
      window_q         <= BYW_CSR_TWO_LEVEL_WINDOW_RESET[BYW_CSR_TWO_LEVEL_WINDOW_W-1:0];
      period_q         <= BYW_CSR_TWO_LEVEL_PERIOD_RESET[BYW_CSR_TWO_LEVEL_PERIOD_W-1:0];
      bound_q          <= BYW_CSR_TWO_LEVEL_BOUND_RESET[BYW_CSR_TWO_LEVEL_BOUND_W-1:0];
      kernel_pc_q      <= BYW_CSR_KERNEL_PC_RESET[BYW_CSR_KERNEL_PC_W-1:0];
      duel_q           <= BYW_CSR_DUEL_RESET[BYW_CSR_DUEL_W-1:0];
      duel_interval_q  <= BYW_CSR_DUEL_INTERVAL_RESET[BYW_CSR_DUEL_INTERVAL_W-1:0];
      duel_min_q       <= BYW_CSR_DUEL_MIN_RESET[BYW_CSR_DUEL_MIN_W-1:0];
      duel_hold_q      <= BYW_CSR_DUEL_HOLD_RESET[BYW_CSR_DUEL_HOLD_W-1:0];
      duel_settle_q    <= BYW_CSR_DUEL_SETTLE_RESET[BYW_CSR_DUEL_SETTLE_W-1:0];
      counter_select_q <= BYW_CSR_COUNTER_SELECT_RESET[BYW_CSR_COUNTER_SELECT_W-1:0];
    end else if (take_write) begin
      if (to_policy && idle_i)  policy_q    <= req_data_i[BYW_CSR_POLICY_W-1:0];
      if (to_pc_pred && idle_i) pc_pred_q   <= req_data_i[BYW_CSR_PC_PRED_W-1:0];
      if (to_levels && idle_i)  two_level_q <= req_data_i[BYW_CSR_TWO_LEVEL_W-1:0];
      if (to_window && idle_i)  window_q    <= req_data_i[BYW_CSR_TWO_LEVEL_WINDOW_W-1:0];
      if (to_period && idle_i)  period_q    <= req_data_i[BYW_CSR_TWO_LEVEL_PERIOD_W-1:0];
      if (to_bound && idle_i)   bound_q     <= req_data_i[BYW_CSR_TWO_LEVEL_BOUND_W-1:0];
      if (to_kernel)            kernel_pc_q <= req_data_i[BYW_CSR_KERNEL_PC_W-1:0];
      if (to_duel)   duel_q           <= req_data_i[BYW_CSR_DUEL_W-1:0];
      if (to_intvl)  duel_interval_q  <= req_data_i[BYW_CSR_DUEL_INTERVAL_W-1:0];
      if (to_min)    duel_min_q       <= req_data_i[BYW_CSR_DUEL_MIN_W-1:0];
      if (to_hold)   duel_hold_q      <= req_data_i[BYW_CSR_DUEL_HOLD_W-1:0];
      if (to_settle) duel_settle_q    <= req_data_i[BYW_CSR_DUEL_SETTLE_W-1:0];
      if (to_select) counter_select_q <= req_data_i[BYW_CSR_COUNTER_SELECT_W-1:0];
    end
  end

  always @(posedge clk_i) begin : p_pulses
    kernel_start_q <= !rst_i && command && req_data_i[BYW_CSR_COMMAND_KERNEL_START_LSB];
    duel_restart_q <= !rst_i && ((command && req_data_i[BYW_CSR_COMMAND_DUEL_RESTART_LSB]) ||
                                 (take_write && to_dueling));
    reset_q        <= !rst_i && command && req_data_i[BYW_CSR_COMMAND_RESET_LSB];
    restart_q      <= !rst_i && set_l1s && to_l1s;
  end

  always @(posedge clk_i) begin : p_answer
    if (rst_i) begin
      rsp_valid_q <= 1'b0;
      counting_q  <= 1'b0;
    end else if (take) begin
      rsp_valid_q <= req_write_i || !to_counter;
      counting_q  <= !req_write_i && to_counter;
    end else if (counting_q && count_valid_i) begin
      rsp_valid_q <= 1'b1;
      counting_q  <= 1'b0;
    end else if (rsp_ready_i) begin
      rsp_valid_q <= 1'b0;
    end
  end

  always @(posedge clk_i) begin : p_payload
    if (rst_i) begin
      counter_high_q <= 32'd0;
    end else if (take) begin
      rsp_data_q  <= req_write_i ? 32'd0 : value;
      rsp_error_q <= req_write_i ? !write_ok : !known;
    end else if (counting_q && count_valid_i) begin
      rsp_data_q     <= count_data_i[31:0];
      counter_high_q <= count_data_i[63:32];
    end
  end

  `BYW_CHECKS
`ifdef BYW_CHECKED
  reg        quiet_q;                            // the settings of the L1s must be unchanged
  reg [31:0] last_q;

  always @(posedge clk_i) begin : p_last
    quiet_q <= !rst_i && !(take_write && idle_i);
    last_q  <= policy_o ^ two_level_o;
  end
`endif
  `BYW_ASSERT(one_access_at_a_time, 1'b1, req_ready_o == !(rsp_valid_o || count_req_o))
  `BYW_ASSERT(settings_change_only_while_idle, quiet_q, (policy_o ^ two_level_o) == last_q)
  `BYW_ASSERT(answer_or_count, 1'b1, !(rsp_valid_o && count_req_o))
endmodule

`default_nettype wire
