// SPDX-License-Identifier: Apache-2.0
//
// byw_bdu - BDU, the bypass decision unit of the two-level bypass: when to sample, mode, kernels.
//
// Behaviour   A kernel start arms, the next placed CTA opens a window of sample_i cycles, in which
//             loads are cached.  In its last cycle ends_o asks for the verdict on decision_i, which
//             is the mode from the next cycle on.  At one edge: the window's or period's end, then
//             the kernel start, then the CTA.  window_o: a window begins with the next cycle, the
//             monitors are to be cleared.  known_o: the table has the kernel that starts.  The
//             table keeps the last 8 decisions by entry PC.
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
  input  wire [31:0] kernel_pc_i,
  input  wire        cta_placed_i,
  input  wire        decision_i,       // with ends_o: bypass

  output wire        bypass_o,         // the mode
  output wire        armed_o,
  output wire        sampling_o,       // a cycle of a window
  output wire        ends_o,           // its last one
  output wire        window_o,
  output wire        known_o
);
  `include "byw_defs.vh"

  localparam integer TABLE   = 8;
  localparam integer TABLE_W = 3;
  localparam integer PC_W    = 32;
  localparam integer TIMER_W = 30;

  reg               bypass_q, bypass_d;
  reg               armed_q, armed_d;
  reg               sampling_q, sampling_d;
  reg               decided_q;
  reg [TIMER_W-1:0] left_q;            // of the window, or until the next one
  reg [PC_W-1:0]    pc_q;              // of the kernel the window is for
  reg [TABLE_W-1:0] next_q;            // entry to write
  reg [TABLE-1:0]   valid_q;
  reg [TABLE-1:0]   mode_q;

  wire by_kernel = resample_i == BYW_BDU_PER_KERNEL_PC;
  wire running   = sampling_q || ((resample_i == BYW_BDU_PERIODIC) && decided_q);
  wire expires   = running && (left_q == {{(TIMER_W-1){1'b0}}, 1'b1});
  wire reopens   = expires && !sampling_q;
  wire write     = ends_o && by_kernel;

  // What the table says of the kernel that starts, this edge's decision included.
  wire [TABLE-1:0] match;
  wire             match_new = write && (pc_q == kernel_pc_i);
  wire             found     = match_new || (|match);
  wire             found_byp = (match_new && decision_i) || (|(match & mode_q));
  wire             goes_on   = sampling_q && !ends_o && (pc_q == kernel_pc_i);
  wire             takes_pc  = kernel_start_i && by_kernel && (found || !goes_on);
  reg              opens;

  assign bypass_o   = bypass_q;
  assign armed_o    = armed_q;
  assign sampling_o = sampling_q;
  assign ends_o     = expires && sampling_q;
  assign window_o   = reopens || opens;
  assign known_o    = kernel_start_i && by_kernel && found;

  genvar g;
  generate
    for (g = 0; g < TABLE; g = g + 1) begin : gen_entry
      localparam [TABLE_W-1:0] NUMBER = g;
      reg [PC_W-1:0] entry_pc_q;
      wire           here = write && (next_q == NUMBER);

      assign match[g] = valid_q[g] && !here && (entry_pc_q == kernel_pc_i);

      always @(posedge clk_i) begin : p_entry
        if (rst_i) begin
          valid_q[g] <= 1'b0;
        end else if (here) begin
          valid_q[g] <= 1'b1;
          mode_q[g]  <= decision_i;
          entry_pc_q <= pc_q;
        end
      end
    end
  endgenerate

  always @* begin : p_next
    bypass_d   = bypass_q;
    armed_d    = armed_q;
    sampling_d = sampling_q;
    if (ends_o) begin
      bypass_d   = decision_i;
      sampling_d = 1'b0;
    end
    if (reopens) begin
      bypass_d   = 1'b0;
      armed_d    = 1'b0;
      sampling_d = 1'b1;
    end
    if (kernel_start_i) begin
      case (resample_i)
        BYW_BDU_PER_KERNEL_PC:
          if (takes_pc) begin
            sampling_d = 1'b0;
            armed_d    = !found;
            if (found) bypass_d = found_byp;
          end
        BYW_BDU_EVERY_LAUNCH: begin
          sampling_d = 1'b0;
          armed_d    = 1'b1;
        end
        default: armed_d = !decided_q && !sampling_q;
      endcase
    end
    opens = cta_placed_i && armed_d;
    if (opens) begin
      bypass_d   = 1'b0;
      armed_d    = 1'b0;
      sampling_d = 1'b1;
    end
  end

  always @(posedge clk_i) begin : p_mode
    if (rst_i) begin
      bypass_q   <= 1'b0;
      armed_q    <= 1'b0;
      sampling_q <= 1'b0;
      decided_q  <= 1'b0;
    end else begin
      bypass_q   <= bypass_d;
      armed_q    <= armed_d;
      sampling_q <= sampling_d;
      decided_q  <= decided_q || ends_o;
    end
  end

  always @(posedge clk_i) begin : p_timer
    if (window_o) left_q <= {{(TIMER_W-16){1'b0}}, sample_i};
    else if (ends_o) left_q <= period_i;
    else if (running) left_q <= left_q - 1'b1;
  end

  always @(posedge clk_i) begin : p_kernel
    if (rst_i) begin
      pc_q   <= {PC_W{1'b0}};
      next_q <= {TABLE_W{1'b0}};
    end else begin
      if (takes_pc) pc_q <= kernel_pc_i;
      if (write) next_q <= next_q + 1'b1;
    end
  end
endmodule

`default_nettype wire
