// SPDX-License-Identifier: Apache-2.0
//
// bypass_bit_props - what byw_bypass_bit guarantees about any one line: an access reports a
// misprediction exactly when it is a load that finds the line and the last access that marked or
// fetched it was a load bypassed by prediction, for any interleaving of reads and accesses.
//
`default_nettype none

module bypass_bit_props (
  input wire       clk_i,
  input wire       rd_en_i,
  input wire [1:0] rd_set_i,
  input wire       way_i,
  input wire       found_i,
  input wire       load_i,
  input wire       predicted_i,
  input wire       accept_i
);
  (* anyconst *) wire [1:0] watched_set;
  (* anyconst *) wire       watched_way;

  wire      mispredict;
  reg       started = 1'b0;
  reg       known   = 1'b0;   // the watched line has been brought in
  reg       marked  = 1'b0;
  reg [1:0] set_q   = 2'd0;   // read last
  wire      watched = accept_i && (set_q == watched_set) && (way_i == watched_way);

  byw_bypass_bit #(.SETS(4), .WAYS(2)) u_bits (
    .clk_i(clk_i), .rd_en_i(rd_en_i), .rd_set_i(rd_set_i), .set_i(set_q), .way_i(way_i),
    .found_i(found_i), .load_i(load_i), .predicted_i(predicted_i), .accept_i(accept_i),
    .mispredict_o(mispredict)
  );

  always @(posedge clk_i) begin : p_history
    if (rd_en_i) begin
      started <= 1'b1;
      set_q   <= rd_set_i;
    end
    if (watched) begin
      known <= 1'b1;
      if (!found_i) marked <= load_i && predicted_i;
      else if (load_i) marked <= predicted_i;
    end
  end

  always @* begin : p_properties
    if (!started) assume (!accept_i);
    if (watched && !known) assume (!found_i);
    if (watched) assert (mispredict == (found_i && load_i && marked));
  end
endmodule

`default_nettype wire
