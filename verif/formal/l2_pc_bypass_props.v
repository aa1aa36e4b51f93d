// SPDX-License-Identifier: Apache-2.0
//
// l2_pc_bypass_props - byw_l2_pc_bypass counts as it would with a plain array of line hashes: no
// order of reads, writes and forwarding of hashes trains a wrong counter; a prediction follows the
// counter; an access that neither allocates nor finds a line changes nothing.
//
`default_nettype none

module l2_pc_bypass_props (
  input wire       clk_i,
  input wire       rst_i,
  input wire       rd_en_i,
  input wire       rd_set_i,
  input wire       hash_i,
  input wire       asked_i,
  input wire       reuse_i,
  input wire       take_i,
  input wire       evict_i,
  input wire       way_i,
  input wire       traced_i
);
  localparam [1:0] THRESHOLD = 2'd2;

  wire [1:0] counter;
  wire       dead, sampled, overruled, bypass;

  reg        started = 1'b0;
  reg        read    = 1'b0;
  reg        set_q   = 1'b0;      // the set read last
  reg  [3:0] known   = 4'd0;      // by {set, way}: the line was taken
  reg  [3:0] traced, hash;        // by {set, way}
  reg  [1:0] count0, count1;

  wire [1:0] line    = {set_q, way_i};
  wire       trains  = traced[line];
  wire       up      = take_i && evict_i && trains;
  wire       down    = reuse_i && traced_i && trains;

  byw_l2_pc_bypass #(.ENTRIES(2), .CTR_W(2), .SETS(2), .WAYS(2)) u_unit (
    .clk_i(clk_i), .rst_i(rst_i), .threshold_i(THRESHOLD),
    .store_threshold_i(THRESHOLD), .store_i(1'b0), .initial_i(2'd0), .sample_i(11'd3),
    .rd_en_i(rd_en_i), .rd_set_i(rd_set_i), .set_i(set_q), .hash_i(hash_i), .counter_o(counter),
    .dead_o(dead), .sampled_o(sampled), .overruled_o(overruled), .bypass_o(bypass),
    .asked_i(asked_i), .reuse_i(reuse_i), .take_i(take_i), .evict_i(evict_i), .way_i(way_i),
    .traced_i(traced_i)
  );

  always @(posedge clk_i) begin : p_reference
    started <= 1'b1;
    if (rd_en_i) begin
      read  <= 1'b1;
      set_q <= rd_set_i;
    end
    if (take_i) known[line] <= 1'b1;
    if (take_i || (reuse_i && traced_i)) begin
      traced[line] <= traced_i;
      hash[line]   <= hash_i;
    end
    if (rst_i) begin
      count0 <= 2'd0;
      count1 <= 2'd0;
    end else if (!hash[line]) begin
      if (up && (count0 != 2'd3)) count0 <= count0 + 2'd1;
      if (down && (count0 != 2'd0)) count0 <= count0 - 2'd1;
    end else begin
      if (up && (count1 != 2'd3)) count1 <= count1 + 2'd1;
      if (down && (count1 != 2'd0)) count1 <= count1 - 2'd1;
    end
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    assume (!(reuse_i && take_i));
    if (!read) assume (!reuse_i && !take_i);
    if (reuse_i || evict_i) assume (known[line]);
    if (started) begin
      assert (counter == (hash_i ? count1 : count0));
      assert (dead == (counter >= THRESHOLD));
      assert (!overruled);
      assert (bypass == (dead && !sampled));
      if (sampled) assert (dead);
    end
  end
endmodule

`default_nettype wire
