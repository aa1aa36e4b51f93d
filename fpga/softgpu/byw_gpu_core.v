// SPDX-License-Identifier: Apache-2.0
//
// byw_gpu_core - the pipeline of the soft GPU: W warps of L lanes, one instruction per cycle.
//
// Behaviour   Stages: f selects a warp and fetches, d reads the registers, r selects the operands,
//             x executes, w writes back.  Loads, atomics and products write back when they
//             complete.  An instruction that finds the memory port or the multiplier busy is issued
//             again; so is a fence that must wait.  A result that waits for the write port stalls
//             issue.  See fpga/softgpu/README.md.
// Reset       rst_i: no kernel runs.  Program, parameters and registers keep their contents.
//
// Parameter   Default  Range         Meaning
// LANES       4        2^n, 2..16    lanes per warp
// WARPS       4        2^n, 2..32    number of warps
// DEPTH       8        2^n, 2..64    nesting depth of if and loop
// PROGRAM     1024     2^n, 16..65536  size of the program, instruction words
//
`default_nettype none

module byw_gpu_core #(
  parameter integer LANES   = 4,
  parameter integer WARPS   = 4,
  parameter integer DEPTH   = 8,
  parameter integer PROGRAM = 1024,
  parameter integer WARP_W  = $clog2(WARPS),
  parameter integer PC_W    = $clog2(PROGRAM)
) (
  input  wire                clk_i,
  input  wire                rst_i,

  // host
  input  wire                program_we_i,
  input  wire [PC_W-1:0]     program_addr_i,
  input  wire [31:0]         program_data_i,
  input  wire                param_we_i,
  input  wire [3:0]          param_addr_i,
  input  wire [31:0]         param_data_i,
  input  wire                start_i,           // pulse while idle_o is 1
  input  wire [PC_W-1:0]     start_pc_i,
  input  wire [15:0]         ctas_i,
  output wire                running_o,
  // no kernel, and pipeline and multiplier are empty
  output wire                idle_o,
  output reg  [2:0]          fault_o,           // GPU_FAULT_*; stays until the next start
  output reg  [PC_W-1:0]     fault_pc_o,
  output wire                cta_start_o,
  output wire [6:0]          active_o,

  // memory: to the coalescer
  output wire                mem_valid_o,
  input  wire                mem_ready_i,
  output wire [2:0]          mem_op_o,
  output wire                mem_byte_o,
  output wire [LANES-1:0]    mem_lanes_o,
  output wire [LANES*32-1:0] mem_addr_o,
  output wire [LANES*32-1:0] mem_data_o,
  output wire [WARP_W-1:0]   mem_warp_o,
  output wire [PC_W-1:0]     mem_pc_o,
  output wire [2:0]          mem_hint_o,
  output wire [1:0]          mem_func_o,        // operation of an atomic: add, swap, min, max
  input  wire                ans_valid_i,
  output wire                ans_ready_o,
  input  wire [WARP_W-1:0]   ans_warp_i,
  input  wire [LANES-1:0]    ans_lanes_i,
  input  wire [LANES*32-1:0] ans_data_i,
  input  wire                ans_last_i,
  input  wire                ans_error_i,       // pulse
  input  wire [WARPS-1:0]    stores_i
);
  `include "byw_defs.vh"
  `include "byw_gpu_isa.vh"

  localparam integer LANE_W = $clog2(LANES);
  localparam integer SP_W   = $clog2(DEPTH) + 1;
  localparam integer AT_W   = WARP_W + 5;                     // width of {warp, register}
  localparam integer TAG_W  = AT_W + LANES;
  localparam [2:0]   FAULT_NONE = 3'd0, FAULT_ILLEGAL = 3'd1, FAULT_STACK = 3'd2,
                     FAULT_ALIGN = 3'd3,
                     FAULT_MEMORY = 3'd4;

  generate
    if ((LANES < 2) || (LANES > 16) || ((LANES & (LANES - 1)) != 0)) begin : gen_check_lanes
      byw_gpu_core_LANES_must_be_a_power_of_two_of_2_to_16 u_error ();
    end
    if ((WARPS < 2) || (WARPS > 32) || ((WARPS & (WARPS - 1)) != 0)) begin : gen_check_warps
      byw_gpu_core_WARPS_must_be_a_power_of_two_of_2_to_32 u_error ();
    end
    if ((DEPTH < 2) || (DEPTH > 64) || ((DEPTH & (DEPTH - 1)) != 0)) begin : gen_check_depth
      byw_gpu_core_DEPTH_must_be_a_power_of_two_of_2_to_64 u_error ();
    end
    if ((PROGRAM < 16) || (PROGRAM > 65536) ||
        ((PROGRAM & (PROGRAM - 1)) != 0)) begin : gen_check_program
      byw_gpu_core_PROGRAM_must_be_a_power_of_two_of_16_to_65536 u_error ();
    end
  endgenerate

  // ---- f: selects a warp and fetches its instruction
  wire              f_valid, stop, hold;
  wire [WARP_W-1:0] f_warp;
  wire [PC_W-1:0]   f_pc;
  wire [31:0]       d_word;
  reg               d_valid_q;
  reg  [WARP_W-1:0] d_warp_q;
  reg  [PC_W-1:0]   d_pc_q;
  wire              wake_valid;
  wire [WARP_W-1:0] wake_warp;
  wire [SP_W-1:0]   d_sp;
  wire [LANES-1:0]  r_mask;
  wire [15:0]       cta;

  reg               x_valid_q;
  reg  [WARP_W-1:0] x_warp_q;
  wire [PC_W-1:0]   x_goes;
  wire [LANES-1:0]  x_mask_d;
  wire [SP_W-1:0]   x_sp_d;
  wire              x_wait, x_barrier, x_exit;
  reg               r_valid_q;
  reg  [WARP_W-1:0] r_warp_q;

  byw_gpu_warps #(.LANES(LANES), .WARPS(WARPS), .DEPTH(DEPTH), .PC_W(PC_W)) u_warps (
    .clk_i(clk_i), .rst_i(rst_i), .start_i(start_i), .start_pc_i(start_pc_i), .ctas_i(ctas_i),
    .stop_i(stop), .running_o(running_o), .cta_start_o(cta_start_o), .cta_o(cta),
    .active_o(active_o), .hold_i(hold), .issue_valid_o(f_valid), .issue_warp_o(f_warp),
    .issue_pc_o(f_pc), .sp_warp_i(d_warp_q), .sp_o(d_sp), .mask_warp_i(r_warp_q), .mask_o(r_mask),
    .x_valid_i(x_valid_q), .x_warp_i(x_warp_q), .x_pc_i(x_goes), .x_mask_i(x_mask_d),
    .x_sp_i(x_sp_d), .x_wait_i(x_wait), .x_barrier_i(x_barrier), .x_exit_i(x_exit),
    .wake_valid_i(wake_valid), .wake_warp_i(wake_warp)
  );

  byw_ram_1r1w #(.DEPTH(PROGRAM), .LANES(1), .LANE_W(32)) u_program (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i(f_pc), .rd_data_o(d_word), .wr_en_i(program_we_i),
    .wr_addr_i(program_addr_i), .wr_lane_i(1'b1), .wr_data_i(program_data_i)
  );

  // ---- d: registers a and b, mask stack, parameter
  reg  [31:0]         r_word_q;
  reg  [PC_W-1:0]     r_pc_q;
  reg  [SP_W-1:0]     r_sp_q;
  wire [LANES*32-1:0] r_a, r_b;
  wire [31:0]         r_param;
  wire [2*LANES-1:0]  r_top;                                  // {mask, lanes for the else branch}
  wire                d_stores = d_word[31:27] == GPU_SW[5:1];
  wire [4:0]          d_b      = d_stores ? d_word[25:21] : d_word[15:11];
  wire [SP_W-1:0]     d_top    = d_sp - 1'b1;
  wire                write_en, push;
  wire [AT_W-1:0]     write_at;
  wire [LANES-1:0]    write_lanes;
  wire [LANES*32-1:0] write_data;
  wire [2*LANES-1:0]  push_data;
  reg  [SP_W-1:0]     x_sp_q;

  byw_ram_1r1w #(.DEPTH(WARPS*32), .LANES(LANES), .LANE_W(32)) u_a (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i({d_warp_q, d_word[20:16]}), .rd_data_o(r_a),
    .wr_en_i(write_en), .wr_addr_i(write_at), .wr_lane_i(write_lanes), .wr_data_i(write_data)
  );
  byw_ram_1r1w #(.DEPTH(WARPS*32), .LANES(LANES), .LANE_W(32)) u_b (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i({d_warp_q, d_b}), .rd_data_o(r_b),
    .wr_en_i(write_en), .wr_addr_i(write_at), .wr_lane_i(write_lanes), .wr_data_i(write_data)
  );
  byw_ram_1r1w #(.DEPTH(WARPS*DEPTH), .LANES(1), .LANE_W(2*LANES)) u_stack (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i({d_warp_q, d_top[SP_W-2:0]}), .rd_data_o(r_top),
    .wr_en_i(push), .wr_addr_i({x_warp_q, x_sp_q[SP_W-2:0]}), .wr_lane_i(1'b1),
    .wr_data_i(push_data)
  );
  byw_ram_1r1w #(.DEPTH(16), .LANES(1), .LANE_W(32)) u_param (
    .clk_i(clk_i), .rd_en_i(1'b1), .rd_addr_i(d_word[3:0]), .rd_data_o(r_param),
    .wr_en_i(param_we_i), .wr_addr_i(param_addr_i), .wr_lane_i(1'b1), .wr_data_i(param_data_i)
  );

  // ---- r: operands
  wire [5:0]          r_op     = r_word_q[31:26];
  wire                r_bits   = (r_op == GPU_ANDI) || (r_op == GPU_ORI) || (r_op == GPU_XORI);
  wire                r_lone   = (r_op == GPU_LUI) || (r_op == GPU_ID) || (r_op == GPU_PARAM);
  wire [31:0]         r_imm    = {{16{r_word_q[15] && !r_bits}}, r_word_q[15:0]};
  wire [4:0]          r_b_at   = (r_op[5:1] == GPU_SW[5:1]) ? r_word_q[25:21] : r_word_q[15:11];
  wire [15:0]         ctas     = ctas_i;
  wire [31:0]         r_thread = {16'd0, cta} << (LANE_W + WARP_W);
  reg  [31:0]         r_id;
  wire [LANES*32-1:0] r_x_a, r_x_b;
  genvar              g;
  always @* begin : p_id
    case (r_word_q[2:0])
      GPU_ID_LANE:    r_id = 32'd0;
      GPU_ID_WARP:    r_id = {{32-WARP_W{1'b0}}, r_warp_q};
      GPU_ID_CTA:     r_id = {16'd0, cta};
      GPU_ID_THREAD:  r_id = r_thread | ({{32-WARP_W{1'b0}}, r_warp_q} << LANE_W);
      GPU_ID_LANES:   r_id = LANES;
      GPU_ID_WARPS:   r_id = WARPS;
      GPU_ID_CTAS:    r_id = {16'd0, ctas};
      default:        r_id = {16'd0, ctas} << (LANE_W + WARP_W);
    endcase
  end
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_operands
      // The lane number is the low part of the thread ids.
      wire        mine = (r_word_q[2:0] == GPU_ID_LANE) || (r_word_q[2:0] == GPU_ID_THREAD);
      wire [31:0] lone = (r_op == GPU_LUI)   ? {r_word_q[15:0], 16'd0} :
                         (r_op == GPU_PARAM) ? r_param : (r_id | (mine ? g : 32'd0));
      assign r_x_a[g*32 +: 32] = (r_lone || (r_word_q[20:16] == 5'd0)) ? 32'd0 : r_a[g*32 +: 32];
      assign r_x_b[g*32 +: 32] = r_lone ? lone : (r_op[5:4] == 2'd1) ? r_imm :
                                 (r_b_at == 5'd0) ? 32'd0 : r_b[g*32 +: 32];
    end
  endgenerate

  reg [5:0]          x_op_q;
  reg [3:0]          x_function_q;
  reg                x_alu_q;                                 // writes the result of the ALU
  reg [4:0]          x_d_q;
  reg [15:0]         x_imm_q;
  reg [PC_W-1:0]     x_pc_q;
  reg [LANES-1:0]    x_mask_q;
  reg [2*LANES-1:0]  x_top_q;
  reg [LANES*32-1:0] x_a_q, x_b_q;
  always @(posedge clk_i) begin : p_stages
    d_warp_q     <= f_warp;
    d_pc_q       <= f_pc;
    r_word_q     <= d_word;
    r_warp_q     <= d_warp_q;
    r_pc_q       <= d_pc_q;
    r_sp_q       <= d_sp;
    x_op_q       <= r_op;
    x_function_q <= r_lone ? GPU_ADD[3:0] : r_op[3:0];
    x_alu_q      <= (!r_op[5] && (r_op[3:0] != GPU_MUL[3:0])) || r_lone;
    x_d_q        <= r_word_q[25:21];
    x_imm_q      <= r_word_q[15:0];
    x_warp_q     <= r_warp_q;
    x_pc_q       <= r_pc_q;
    x_sp_q       <= r_sp_q;
    x_mask_q     <= r_mask;
    x_top_q      <= r_top;
    x_a_q        <= r_x_a;
    x_b_q        <= r_x_b;
    d_valid_q    <= f_valid && !stop && !rst_i;
    r_valid_q    <= d_valid_q && !stop && !rst_i;
    x_valid_q    <= r_valid_q && !stop && !rst_i;
  end

  // ---- x: executes
  wire                x_atomic = x_op_q[5:2] == GPU_AMOADD[5:2];
  wire [LANES*32-1:0] x_y, mul_data;
  wire                mul_ready, mul_valid, mul_done;
  wire [TAG_W-1:0]    mul_tag;
  wire                multiplies, push_wanted;
  wire [2:0]          x_fault;
  wire [LANES-1:0]    nonzero;
  wire [LANES-1:0]    askew;
  generate
    for (g = 0; g < LANES; g = g + 1) begin : gen_lane
      byw_gpu_alu u_alu (
        .function_i(x_function_q), .a_i(x_a_q[g*32 +: 32]), .b_i(x_b_q[g*32 +: 32]),
        .y_o(x_y[g*32 +: 32])
      );
      // Atomics have no address offset.
      assign mem_addr_o[g*32 +: 32] = x_a_q[g*32 +: 32] +
                                      (x_atomic ? 32'd0 : {{19{x_imm_q[12]}}, x_imm_q[12:0]});
      assign nonzero[g] = x_a_q[g*32 +: 32] != 32'd0;
      assign askew[g]   = mem_addr_o[g*32 +: 2] != 2'd0;
    end
  endgenerate

  byw_gpu_step #(.LANES(LANES), .DEPTH(DEPTH), .PC_W(PC_W)) u_step (
    .valid_i(x_valid_q), .op_i(x_op_q), .target_i(x_imm_q[PC_W-1:0]), .pc_i(x_pc_q), .sp_i(x_sp_q),
    .mask_i(x_mask_q), .top_i(x_top_q), .nonzero_i(nonzero), .askew_i(askew),
    .memory_ready_i(mem_ready_i), .multiplier_ready_i(mul_ready), .stores_i(stores_i[x_warp_q]),
    .pc_o(x_goes), .mask_o(x_mask_d), .sp_o(x_sp_d), .push_o(push_wanted), .memory_o(mem_valid_o),
    .multiply_o(multiplies), .wait_o(x_wait), .barrier_o(x_barrier), .exit_o(x_exit),
    .fault_o(x_fault)
  );
  assign push        = push_wanted;
  assign push_data   = {x_mask_q, x_mask_q & ~nonzero};
  assign mem_op_o    = x_atomic ? BYW_OP_ATOMIC :
                       (x_op_q[5:1] == GPU_SW[5:1]) ? BYW_OP_STORE : BYW_OP_LOAD;
  assign mem_func_o  = x_op_q[1:0];
  assign mem_byte_o  = (x_op_q == GPU_LBU) || (x_op_q == GPU_SB);
  assign mem_lanes_o = x_mask_q;
  assign mem_data_o  = x_b_q;
  assign mem_warp_o  = x_warp_q;
  assign mem_pc_o    = x_pc_q;
  assign mem_hint_o  = (x_op_q[5:1] == GPU_LW[5:1]) ? x_imm_q[15:13] : BYW_HINT_NONE;

  byw_gpu_mul #(.LANES(LANES), .TAG_W(TAG_W)) u_mul (
    .clk_i(clk_i), .rst_i(rst_i), .start_valid_i(multiplies), .start_ready_o(mul_ready),
    .start_a_i(x_a_q), .start_b_i(x_b_q), .start_tag_i({x_warp_q, x_d_q, x_mask_q}),
    .done_valid_o(mul_valid), .done_ready_i(mul_done), .done_data_o(mul_data), .done_tag_o(mul_tag)
  );

  // ---- w: one write per cycle, from the ALU, memory or the multiplier
  reg                w_valid_q;
  reg [TAG_W-1:0]    w_tag_q;
  reg [LANES*32-1:0] w_data_q;
  reg [WARPS*5-1:0]  d_of_q;                                  // destination of each warp's load
  wire [4:0]         ans_d;
  integer            n;
  byw_mux #(.N(WARPS), .W(5), .SEL_W(WARP_W)) u_d_of (.data_i(d_of_q), .sel_i(ans_warp_i),
    .data_o(ans_d));
  assign ans_ready_o = !w_valid_q;
  assign mul_done    = !w_valid_q && !ans_valid_i;
  assign hold        = (ans_valid_i && !ans_ready_o) || (mul_valid && !mul_done);
  assign write_en    = (w_valid_q || ans_valid_i || mul_valid) && (write_at[4:0] != 5'd0);
  assign {write_at, write_lanes} = w_valid_q ? w_tag_q :
         ans_valid_i ? {ans_warp_i, ans_d, ans_lanes_i} : mul_tag;
  assign write_data  = w_valid_q ? w_data_q : ans_valid_i ? ans_data_i : mul_data;
  assign wake_valid  = !w_valid_q && ((ans_valid_i && ans_last_i) || (!ans_valid_i && mul_valid));
  assign wake_warp   = ans_valid_i ? ans_warp_i : mul_tag[LANES+5 +: WARP_W];
  always @(posedge clk_i) begin : p_write
    w_valid_q <= x_valid_q && x_alu_q && !rst_i;
    w_tag_q   <= {x_warp_q, x_d_q, x_mask_q};
    w_data_q  <= x_y;
    for (n = 0; n < WARPS; n = n + 1)
      if (mem_valid_o && mem_ready_i && (mem_warp_o == n[WARP_W-1:0])) d_of_q[n*5 +: 5] <= x_d_q;
  end

  assign idle_o = !running_o && !d_valid_q && !r_valid_q && !x_valid_q && !w_valid_q && mul_ready;

  // ---- a fault ends the kernel
  assign stop = (x_fault != FAULT_NONE) || (ans_error_i && running_o);
  always @(posedge clk_i) begin : p_fault
    if (rst_i || start_i) fault_o <= FAULT_NONE;
    else if (stop && (fault_o == FAULT_NONE)) begin
      fault_o    <= (x_fault != FAULT_NONE) ? x_fault : FAULT_MEMORY;
      fault_pc_o <= x_pc_q;
    end
  end

  wire unused = &{1'b0, FAULT_ILLEGAL, FAULT_STACK, FAULT_ALIGN, d_top[SP_W-1]};
endmodule

`default_nettype wire
