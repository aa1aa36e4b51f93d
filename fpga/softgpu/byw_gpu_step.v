// SPDX-License-Identifier: Apache-2.0
//
// byw_gpu_step - the effect of an instruction on its warp: next PC, lane mask, requests to other
//                units, and faults.
//
// Behaviour   Combinational.  An instruction that cannot proceed now (memory_o without
//             memory_ready_i, likewise multiply_o, or a fence with stores in flight) stays at its
//             PC.  A fault changes nothing.
//
// Parameter   Default  Range        Meaning
// LANES, DEPTH, PC_W                as in byw_gpu_warps
//
`default_nettype none

module byw_gpu_step #(
  parameter integer LANES = 4,
  parameter integer DEPTH = 8,
  parameter integer PC_W  = 10,
  parameter integer SP_W  = $clog2(DEPTH) + 1
) (
  input  wire               valid_i,
  input  wire [5:0]         op_i,
  input  wire [PC_W-1:0]    target_i,
  input  wire [PC_W-1:0]    pc_i,
  input  wire [SP_W-1:0]    sp_i,
  input  wire [LANES-1:0]   mask_i,
  input  wire [2*LANES-1:0] top_i,               // top of stack: {mask, lanes for the else}
  input  wire [LANES-1:0]   nonzero_i,           // register a is not 0, per lane
  input  wire [LANES-1:0]   askew_i,             // the address is not a multiple of 4, per lane
  input  wire               memory_ready_i,
  input  wire               multiplier_ready_i,
  input  wire               stores_i,            // the warp has stores in flight

  output reg  [PC_W-1:0]    pc_o,
  output reg  [LANES-1:0]   mask_o,
  output reg  [SP_W-1:0]    sp_o,
  output wire               push_o,
  output wire               memory_o,
  output wire               multiply_o,
  output wire               wait_o,              // wait until a load, atomic or product completes
  output wire               barrier_o,
  output wire               exit_o,
  output wire [2:0]         fault_o
);
  `include "byw_gpu_isa.vh"

  localparam [SP_W-1:0] FULL = DEPTH[SP_W-1:0];

  wire [LANES-1:0] kept     = mask_i & nonzero_i;
  wire             any      = |kept;
  wire             none     = mask_i == {LANES{1'b0}};
  wire             word     = (op_i == GPU_LW) || (op_i == GPU_SW) ||
                              (op_i[5:2] == GPU_AMOADD[5:2]);
  wire             memory   = word || (op_i == GPU_LBU) || (op_i == GPU_SB);
  wire             store    = (op_i == GPU_SW) || (op_i == GPU_SB);
  wire             multiply = (op_i == GPU_MUL) || (op_i == GPU_MULI);
  wire             pushes   = (op_i == GPU_IF) || (op_i == GPU_LOOP);
  wire             pops     = (op_i == GPU_END) || (op_i == GPU_ELSE);

  reg  legal;
  always @* begin : p_legal
    case (op_i)
      6'd15, 6'd40, 6'd41, 6'd42, 6'd43, 6'd44, 6'd45, 6'd46, 6'd47, 6'd61, 6'd62,
      6'd63: legal = 1'b0;
      default: legal = 1'b1;
    endcase
  end

  wire bad_stack = (pushes && (sp_i == FULL)) || (pops && (sp_i == {SP_W{1'b0}}));
  wire bad_align = word && (|(mask_i & askew_i));
  wire bad       = !legal || bad_stack || bad_align;
  wire good      = valid_i && !bad;
  assign fault_o = !valid_i ? 3'd0 : !legal ? 3'd1 : bad_stack ? 3'd2 : bad_align ? 3'd3 : 3'd0;

  assign memory_o   = good && memory && !none;
  assign multiply_o = good && multiply;
  assign push_o     = good && pushes;
  assign exit_o     = good && (op_i == GPU_EXIT);
  assign barrier_o  = good && (op_i == GPU_BAR);
  assign wait_o     = (memory_o && memory_ready_i && !store) || (multiply_o && multiplier_ready_i);

  wire again = (memory_o && !memory_ready_i) || (multiply_o && !multiplier_ready_i) ||
               ((op_i == GPU_FENCE) && stores_i) || bad;
  wire jumps = (op_i == GPU_JMP) || ((op_i == GPU_BNZ) && any) || ((op_i == GPU_BZ) && !any) ||
               (((op_i == GPU_IF) || (op_i == GPU_WHILE)) && !any) ||
               ((op_i == GPU_ELSE) && (top_i[LANES-1:0] == {LANES{1'b0}}));
  always @* begin : p_step
    pc_o   = jumps ? target_i : (pc_i + 1'b1);
    mask_o = mask_i;
    sp_o   = sp_i;
    case (op_i)
      GPU_IF: begin
        mask_o = kept;
        sp_o   = sp_i + 1'b1;
      end
      GPU_LOOP: sp_o = sp_i + 1'b1;
      GPU_WHILE: mask_o = kept;
      GPU_ELSE: mask_o = top_i[LANES-1:0];
      GPU_END: begin
        mask_o = top_i[2*LANES-1:LANES];
        sp_o   = sp_i - 1'b1;
      end
      default: ;
    endcase
    if (again) begin
      pc_o   = pc_i;
      mask_o = mask_i;
      sp_o   = sp_i;
    end
  end
endmodule

`default_nettype wire
