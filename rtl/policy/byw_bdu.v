// SPDX-License-Identifier: Apache-2.0
//
// byw_bdu - BDU, the bypass decision unit of the two-level bypass: when to sample, mode, kernels.
//
// Behaviour   A kernel start arms, the next placed CTA opens a window of sample_i cycles, in which
//             loads are cached.  In its last cycle ends_o asks for the verdict on decision_i, which
//             is the mode from the next cycle on.  At one edge: the window's or period's end, then
//             the kernel start, then the CTA.  window_o: a window begins with the next cycle, the
//             monitors are to be cleared.  A table of 8 has each kernel's decision or its held
//             window: hold_o, the open window waits from the next cycle on, the monitors' values of
//             this cycle are to be kept in hold_slot_o; resume_o, the one in resume_slot_o goes on.
//             known_o: the kernel that starts has its decision.
// Paper       001; MECHANISMS 3.3, 3.4; rtl/doc/bdu.md has what resample_i means, row by row.
// C twin      cmodel/policy/byw_bdu.c; checked by verif/policy/lockstep_bdu.c.
// Reset       rst_i: loads are cached, empty table.  Settings may change only together with it.
//
`default_nettype none

module byw_bdu (
  input  wire        clk_i,
  input  wire        rst_i,

  // settings
  input  wire [1:0]  resample_i,       // BYW_BDU_*
  input  wire [15:0] sample_i,         // cycles, 1 or more
  input  wire [29:0] period_i,         // cycles, 1 or more

  // pulses of this cycle
  input  wire        kernel_start_i,
  input  wire [31:0] kernel_pc_i,      // a cycle ahead: the kernel's that starts with the next one
  input  wire        cta_placed_i,
  input  wire        decision_i,       // with ends_o: bypass

  output wire        bypass_o,         // the mode
  output wire        armed_o,
  output wire        sampling_o,       // a cycle of a window
  output wire        ends_o,           // its last one
  output wire        window_o,
  output wire        hold_o,
  output wire [2:0]  hold_slot_o,
  output wire        resume_o,
  output wire [2:0]  resume_slot_o,
  output wire        known_o,

  // the same, without asking whether a window begins: with the next cycle one may begin or go on,
  // but not that of this cycle, and if one does it is a held one
  output wire        fresh_o,
  output wire        open_o,           // a cycle of a window, not its last one
  output wire        is_held_o
);
  `include "byw_defs.vh"

  localparam integer TABLE    = 8;
  localparam integer TABLE_W  = 3;
  localparam integer PC_W     = 32;
  localparam integer TIMER_W  = 30;
  localparam integer WINDOW_W = 16;

  reg                bypass_q, bypass_d;
  reg                armed_q, armed_d;
  reg                sampling_q, sampling_d;
  reg                any_decided_q;
  reg [TIMER_W-1:0]  left_q;            // of the window, or until the next one
  reg [TABLE_W-1:0]  kernel_q;          // entry of the running kernel
  reg [TABLE_W-1:0]  next_q;            // entry to give away
  reg [TABLE-1:0]    valid_q;
  reg [TABLE-1:0]    decided_q;
  reg [TABLE-1:0]    mode_q;            // decided: loads bypass
  reg [TABLE-1:0]    held_q;            // a window has begun and waits for the kernel
  reg [WINDOW_W-1:0] held_left_q [0:TABLE-1];

  wire by_kernel = resample_i == BYW_BDU_PER_KERNEL_PC;
  wire every_launch = resample_i == BYW_BDU_EVERY_LAUNCH;
  wire running   = sampling_q || ((resample_i == BYW_BDU_PERIODIC) && any_decided_q);
  wire expires   = running && (left_q == {{(TIMER_W-1){1'b0}}, 1'b1});
  wire reopens   = expires && !sampling_q;
  wire [TIMER_W-1:0] left_next = left_q - 1'b1;

  // The entry of the kernel that starts, and what it says, this edge's decision included.  PCs are
  // compared the cycle before, with what the entries will be.
  localparam [TABLE-1:0] ENTRY = 1;
  reg  [PC_W-1:0]    pc_q;                     // of the kernel that starts
  reg  [TABLE-1:0]   match_q;                  // the entry is that kernel's, one at most
  wire [TABLE-1:0]   running_one = ENTRY << kernel_q;
  wire [TABLE-1:0]   held_one;
  wire               pc_stays = pc_q == kernel_pc_i;
  reg  [TABLE_W-1:0] match_slot;
  wire               starts   = kernel_start_i && by_kernel;
  wire               found    = |match_q;
  wire               same     = |(running_one & match_q);
  wire               open     = sampling_q && !ends_o;
  wire               takes    = starts && !(open && same);
  wire               gives    = takes && !found;
  wire [TABLE_W-1:0] slot     = !takes ? kernel_q : found ? match_slot : next_q;
  // Of a window that goes on: a kernel that does not take its entry at its start is in it.
  wire [TABLE_W-1:0] again    = starts ? match_slot : kernel_q; // if one is held
  wire               new_dec  = ends_o && same;
  wire               is_dec   = |(match_q & (decided_q | (running_one & {TABLE{ends_o}})));
  wire               says_byp = new_dec ? decision_i : |(match_q & mode_q);
  wire               is_held  = |held_one;

  // Whether a window begins, by the kernel's entry last.
  reg                armed_else;
  wire               armed_now = takes ? !is_dec : armed_else;
  wire               opens     = cta_placed_i && armed_now;

  assign held_one      = (starts ? match_q : running_one) & held_q;

  assign bypass_o      = bypass_q;
  assign armed_o       = armed_q;
  assign sampling_o    = sampling_q;
  assign ends_o        = expires && sampling_q;
  assign window_o      = reopens || (opens && !is_held);
  assign hold_o        = takes && open;
  assign hold_slot_o   = kernel_q;
  assign resume_o      = opens && is_held;
  assign resume_slot_o = again;
  assign known_o       = takes && is_dec;
  assign fresh_o       = !open || (starts && !same) || (kernel_start_i && every_launch);
  assign open_o        = open;
  assign is_held_o     = is_held;

  genvar g, b;
  generate
    for (g = 0; g < TABLE; g = g + 1) begin : gen_entry
      localparam [TABLE_W-1:0] NUMBER = g;
      reg [PC_W-1:0] entry_pc_q;
      wire           mine = running_one[g];
      wire           goes = gives && (next_q == NUMBER);
      wire           decides = ends_o && by_kernel && mine;

      // Two bits are one LUT; where they meet is said, or synthesis shares what costs more.
      (* keep *) wire [PC_W/2-1:0] differs;
      wire           is_it   = valid_q[g] && !(|differs);

      for (b = 0; b < PC_W/2; b = b + 1) begin : gen_part
        assign differs[b] = entry_pc_q[2*b +: 2] != kernel_pc_i[2*b +: 2];
      end

      // An entry means nothing while it is not valid, its mode nothing while that is not decided.
      always @(posedge clk_i) begin : p_entry
        if (rst_i)     valid_q[g] <= 1'b0;
        else if (goes) valid_q[g] <= 1'b1;
        match_q[g] <= !rst_i && (goes ? pc_stays : is_it);
        if (goes) entry_pc_q <= pc_q;
        if (goes)         decided_q[g] <= 1'b0;
        else if (decides) decided_q[g] <= 1'b1;
        if (decides) mode_q[g] <= decision_i;
        held_q[g] <= !goes && !rst_i &&
                     ((hold_o && mine) || (held_q[g] && !(opens && held_one[g])));
      end
    end
  endgenerate

  integer k;
  always @* begin : p_slot
    match_slot = {TABLE_W{1'b0}};
    for (k = 0; k < TABLE; k = k + 1) begin
      match_slot = match_slot | (k[TABLE_W-1:0] & {TABLE_W{match_q[k]}});
    end
  end

  always @* begin : p_armed
    armed_else = armed_q && !reopens;
    if (kernel_start_i) begin
      case (resample_i)
        BYW_BDU_PER_KERNEL_PC: ;
        BYW_BDU_EVERY_LAUNCH:  armed_else = 1'b1;
        default:               armed_else = !any_decided_q && !sampling_q;
      endcase
    end
  end

  always @* begin : p_next
    bypass_d   = bypass_q;
    armed_d    = armed_now && !cta_placed_i;
    sampling_d = sampling_q;
    if (ends_o) begin
      bypass_d   = decision_i;
      sampling_d = 1'b0;
    end
    if (reopens) begin
      bypass_d   = 1'b0;
      sampling_d = 1'b1;
    end
    if (kernel_start_i) begin
      case (resample_i)
        BYW_BDU_PER_KERNEL_PC:
          if (takes) begin
            sampling_d = 1'b0;
            if (is_dec) bypass_d = says_byp;
          end
        BYW_BDU_EVERY_LAUNCH: sampling_d = 1'b0;
        default: ;
      endcase
    end
    if (opens) begin
      bypass_d   = 1'b0;
      sampling_d = 1'b1;
    end
  end

  always @(posedge clk_i) begin : p_mode
    if (rst_i) begin
      bypass_q      <= 1'b0;
      armed_q       <= 1'b0;
      sampling_q    <= 1'b0;
      any_decided_q <= 1'b0;
    end else begin
      bypass_q      <= bypass_d;
      armed_q       <= armed_d;
      sampling_q    <= sampling_d;
      any_decided_q <= any_decided_q || ends_o;
    end
  end

  // While no window is open and no period runs, what is left of the next one is at hand; so nobody
  // waits for whether it begins.  A period and a window that waits to begin are never together.
  wire                periodic  = (resample_i == BYW_BDU_PERIODIC);
  // fresh_o, without and with who runs
  (* keep *) wire     loads_else, switches;
  assign              loads_else = periodic ? reopens || !running
                                            : !open || (kernel_start_i && every_launch);
  assign              switches   = starts && open;
  wire                loads     = loads_else || (switches && !same);
  wire [WINDOW_W-1:0] left_new  = is_held ? held_left_q[again] : sample_i;
  wire [TIMER_W-1:0]  left_old  = ends_o ? period_i : left_next;

  always @(posedge clk_i) begin : p_timer
    left_q[WINDOW_W-1:0]       <= loads ? left_new : left_old[WINDOW_W-1:0];
    // As gates: a synchronous reset that depends on its register is a loop to Yosys, which cuts it.
    left_q[TIMER_W-1:WINDOW_W] <= left_old[TIMER_W-1:WINDOW_W] & {(TIMER_W-WINDOW_W){!loads}};
    if (open) held_left_q[kernel_q] <= left_next[WINDOW_W-1:0];
  end

  always @(posedge clk_i) begin : p_kernel
    if (rst_i) begin
      kernel_q <= {TABLE_W{1'b0}};
      next_q   <= {TABLE_W{1'b0}};
    end else begin
      kernel_q <= slot;
      if (gives) next_q <= next_q + 1'b1;
    end
    pc_q <= kernel_pc_i;
  end
endmodule

`default_nettype wire
