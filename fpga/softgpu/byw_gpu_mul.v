// SPDX-License-Identifier: Apache-2.0
//
// byw_gpu_mul - the multiplier of the soft GPU: all lanes of one warp, one bit of b per cycle,
//               without DSP blocks.
//
// Behaviour   When idle, it accepts one product per lane.  It shifts and adds until no lane has a
//             remaining bit of b, and then offers the low 32 bits of the products with their tag.
// Reset       rst_i: idle.
//
// Parameter   Default  Range   Meaning
// LANES       4        1..32   number of lanes
// TAG_W       10       1..     width of the tag {warp, register, mask}
//
`default_nettype none

module byw_gpu_mul #(
  parameter integer LANES = 4,
  parameter integer TAG_W = 10
) (
  input  wire                clk_i,
  input  wire                rst_i,

  input  wire                start_valid_i,
  output wire                start_ready_o,
  input  wire [LANES*32-1:0] start_a_i,
  input  wire [LANES*32-1:0] start_b_i,
  input  wire [TAG_W-1:0]    start_tag_i,

  output wire                done_valid_o,
  input  wire                done_ready_i,
  output wire [LANES*32-1:0] done_data_o,
  output wire [TAG_W-1:0]    done_tag_o
);
  reg                busy_q;
  reg [TAG_W-1:0]    tag_q;
  reg [LANES*32-1:0] a_q, b_q, sum_q;
  integer            i;

  assign start_ready_o = !busy_q;
  assign done_valid_o  = busy_q && (b_q == {LANES*32{1'b0}});
  assign done_data_o   = sum_q;
  assign done_tag_o    = tag_q;

  always @(posedge clk_i) begin : p_step
    if (start_valid_i && start_ready_o) begin
      tag_q <= start_tag_i;
      a_q   <= start_a_i;
      b_q   <= start_b_i;
      sum_q <= {LANES*32{1'b0}};
    end else begin
      for (i = 0; i < LANES; i = i + 1) begin
        if (b_q[i*32]) sum_q[i*32 +: 32] <= sum_q[i*32 +: 32] + a_q[i*32 +: 32];
        a_q[i*32 +: 32] <= {a_q[i*32 +: 31], 1'b0};
        b_q[i*32 +: 32] <= {1'b0, b_q[i*32+1 +: 31]};
      end
    end
  end

  always @(posedge clk_i) begin : p_busy
    if (rst_i) busy_q <= 1'b0;
    else if (start_valid_i && start_ready_o) busy_q <= 1'b1;
    else if (done_valid_o && done_ready_i) busy_q <= 1'b0;
  end
endmodule

`default_nettype wire
