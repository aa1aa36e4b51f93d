// SPDX-License-Identifier: Apache-2.0
//
// byw_prio_enc - number of the lowest set bit.
//
// Behaviour   any_o = some bit of req_i is set; index_o = the lowest of them, 0 when none is.
//             Combinational.
// C twin      byw_ctz64() of cmodel/common/byw_bits.h and byw_id_pool.c.
//
// Parameter   Default  Range     Meaning
// N           8        1..4096   bits
// IDX_W       $clog2(N), at least 1
//
`default_nettype none

module byw_prio_enc #(
  parameter integer N     = 8,
  parameter integer IDX_W = (N > 1) ? $clog2(N) : 1
) (
  input  wire [N-1:0]     req_i,
  output wire             any_o,
  output reg  [IDX_W-1:0] index_o
);
  integer i;

  assign any_o = |req_i;

  always @* begin : p_encode
    index_o = {IDX_W{1'b0}};
    for (i = N - 1; i >= 0; i = i - 1)
      if (req_i[i]) index_o = i[IDX_W-1:0];
  end
endmodule

`default_nettype wire
