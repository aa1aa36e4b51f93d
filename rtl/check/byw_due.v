// SPDX-License-Identifier: Apache-2.0
//
// byw_due - counts outstanding requests for each of 2^AT_W numbers, up to 255 each; for the
// checkers.
//
// Behaviour   more_i adds one at more_at_i, less_i subtracts one at less_at_i; both may name the
//             same number.  more_count_o, less_count_o: the counts at the two before the edge.
// Reset       rst_i: nothing is due.  Above 64 numbers entries are not reset but marked with the
//             number of the reset before them, so that they can be a RAM.
//
// Parameter   Default  Range  Meaning
// AT_W        4        1..20  width of the numbers
//
`default_nettype none

module byw_due #(
  parameter integer AT_W = 4
) (
  input  wire            clk_i,
  input  wire            rst_i,
  input  wire            more_i,
  input  wire [AT_W-1:0] more_at_i,
  input  wire            less_i,
  input  wire [AT_W-1:0] less_at_i,
  output wire [7:0]      more_count_o,
  output wire [7:0]      less_count_o
);
  localparam integer N     = 1 << AT_W;
  wire               stays = more_i && less_i && (more_at_i == less_at_i);

  generate
    if (N <= 64) begin : gen_small
      reg [7:0] count_q [0:N-1];
      integer   i;
      assign more_count_o = count_q[more_at_i];
      assign less_count_o = count_q[less_at_i];
      always @(posedge clk_i) begin : p_count
        for (i = 0; i < N; i = i + 1) if (rst_i) count_q[i] <= 8'd0;
        if (!rst_i && more_i && !stays) count_q[more_at_i] <= more_count_o + 8'd1;
        if (!rst_i && less_i && !stays) count_q[less_at_i] <= less_count_o - 8'd1;
      end
    end else begin : gen_large
      reg  [39:0] entry_q [0:N-1];             // number of the reset, count
      reg  [31:0] resets_q = 32'd0;
      wire [39:0] more = entry_q[more_at_i];
      wire [39:0] less = entry_q[less_at_i];
      reg  [7:0]  more_count, less_count;
      always @* begin : p_counts               // an unknown mark counts as different
        more_count = 8'd0;
        less_count = 8'd0;
        if (more[39:8] == resets_q) more_count = more[7:0];
        if (less[39:8] == resets_q) less_count = less[7:0];
      end
      assign more_count_o = more_count;
      assign less_count_o = less_count;
      always @(posedge clk_i) begin : p_entry
        if (rst_i) resets_q <= resets_q + 32'd1;
        if (!rst_i && more_i && !stays) entry_q[more_at_i] <= {resets_q, more_count + 8'd1};
        if (!rst_i && less_i && !stays) entry_q[less_at_i] <= {resets_q, less_count - 8'd1};
      end
    end
  endgenerate
endmodule

`default_nettype wire
