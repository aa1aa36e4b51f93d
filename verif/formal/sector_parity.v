// SPDX-License-Identifier: Apache-2.0
//
// sector_parity - what byw_sector_store guarantees about parity, with a symbolic watched set whose
// records may be written with a wrong key, for all traffic.
//
//   found    a request or fill that read the watched set, which was neither written nor cleared
//            since, is told whether the record written last has a line with a wrong key
//   quiet    nothing is reported while no wrong key has been written
//
// A wrong key that is written stands for a bit that flips later: the unit does not check what it
// writes.
//
`default_nettype none

module sector_parity #(
  parameter integer WAYS  = 2,
  parameter integer KEY_W = 3             // with the parity bit
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire                  s0_take_i,
  input wire                  s0_set_i,
  input wire [KEY_W-1:0]      s0_key_i,
  input wire                  s1_move_i,
  input wire                  f0_take_i,
  input wire                  f0_set_i,
  input wire [KEY_W-1:0]      f0_key_i,
  input wire                  wr_en_i,
  input wire                  wr_set_i,
  input wire                  wr_new_key_i,
  input wire                  wr_way_i,
  input wire [WAYS*KEY_W-1:0] wr_rec_key_i,
  input wire [WAYS-1:0]       wr_rec_lines_i,
  input wire [WAYS-1:0]       wr_rec_rank_i,
  input wire [WAYS-1:0]       wr_rec_reused_i,
  input wire                  clear_i,
  input wire                  set_i              // the watched set
);
  wire [WAYS*KEY_W-1:0] s2_key, f2_key;
  wire [WAYS-1:0]       s2_lines, f2_lines, s2_rank, f2_rank, s2_reused, f2_reused;
  wire [KEY_W-1:0]      fill_key;
  wire                  s1_set, s2_set, s2_hit, s2_way, s2_bad, f1_set, f2_set, f2_hit, f2_way,
                        f2_bad;

  byw_sector_store #(
    .SETS(2), .WAYS(WAYS), .SECTORS(1), .KEY_W(KEY_W), .PARITY(1)
  ) u_records (
    .clk_i(clk_i), .rst_i(rst_i), .s0_take_i(s0_take_i), .s0_read_i(1'b1), .s0_set_i(s0_set_i),
    .s0_key_i(s0_key_i), .s1_move_i(s1_move_i), .s1_set_o(s1_set), .s2_set_o(s2_set),
    .s2_hit_o(s2_hit), .s2_hit_way_o(s2_way), .s2_bad_o(s2_bad), .s2_key_o(s2_key),
    .s2_sectors_o(s2_lines), .s2_rank_o(s2_rank), .s2_reused_o(s2_reused), .f0_take_i(f0_take_i),
    .f0_set_i(f0_set_i), .f0_key_i(f0_key_i), .f1_set_o(f1_set), .f2_set_o(f2_set),
    .f2_fill_key_o(fill_key), .f2_hit_o(f2_hit), .f2_hit_way_o(f2_way), .f2_bad_o(f2_bad),
    .f2_key_o(f2_key), .f2_sectors_o(f2_lines), .f2_rank_o(f2_rank), .f2_reused_o(f2_reused),
    .wr_en_i(wr_en_i), .wr_set_i(wr_set_i), .wr_new_key_i(wr_new_key_i), .wr_way_i(wr_way_i),
    .wr_key_i(wr_rec_key_i[wr_way_i*KEY_W +: KEY_W]), .wr_rec_key_i(wr_rec_key_i),
    .wr_rec_sectors_i(wr_rec_lines_i), .wr_rec_rank_i(wr_rec_rank_i),
    .wr_rec_reused_i(wr_rec_reused_i), .clear_i(clear_i)
  );

  // ---- reference
  reg  started = 1'b0, set_q, wrong, ever;       // the watched record has a wrong key; any ever had
  reg  [2*WAYS-1:0] lines;                       // ways of each set that hold a line
  reg  s1_any, s2_any, f1_any, f2_any;           // there is a request or fill in that stage
  reg  s1_knows, s2_knows, f1_knows, f2_knows;   // of the watched set, not written since it read
  reg  s1_wrong, s2_wrong, f1_wrong, f2_wrong;   // what it read
  wire changes = clear_i || (wr_en_i && (wr_set_i == set_q));
  reg  writes_wrong;
  wire now_wrong = !clear_i && ((wr_en_i && (wr_set_i == set_q)) ? writes_wrong : wrong);
  integer i, j;

  always @* begin : p_written
    writes_wrong = 1'b0;
    for (i = 0; i < WAYS; i = i + 1)
      if (wr_rec_lines_i[i] && ^wr_rec_key_i[i*KEY_W +: KEY_W]) writes_wrong = 1'b1;
  end

  always @(posedge clk_i) begin : p_model
    started <= 1'b1;
    if (!started) set_q <= set_i;
    wrong <= now_wrong;
    if (wr_en_i) lines[wr_set_i*WAYS +: WAYS] <= wr_rec_lines_i;
    if (rst_i || clear_i) lines <= {2*WAYS{1'b0}};
    ever  <= ever || (wr_en_i && writes_wrong);
    if (s1_move_i) {s2_any, s2_knows, s2_wrong} <= {s1_any, s1_knows && !changes, s1_wrong};
    else           s2_knows <= s2_knows && !changes;
    if (s0_take_i) {s1_any, s1_knows, s1_wrong} <= {1'b1, s0_set_i == set_q, now_wrong};
    else           {s1_any, s1_knows} <= {s1_any && !s1_move_i, s1_knows && !changes};
    {f2_any, f2_knows, f2_wrong} <= {f1_any, f1_knows && !changes, f1_wrong};
    {f1_any, f1_knows, f1_wrong} <= {f0_take_i, f0_set_i == set_q, now_wrong};
    if (rst_i) {wrong, ever, s1_any, s2_any, f1_any, f2_any} <= 6'd0;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    assume (!s0_take_i || !s1_any || s1_move_i);
    // a way without a line gets one with a new key
    for (j = 0; j < WAYS; j = j + 1)
      assume (!wr_en_i || !wr_rec_lines_i[j] || lines[wr_set_i*WAYS + j] ||
              (wr_new_key_i && (wr_way_i == j[0])));
  end

  always @* begin : p_properties
    if (started && !rst_i) begin
      if (s2_any && s2_knows) assert (s2_bad == s2_wrong);
      if (f2_any && f2_knows) assert (f2_bad == f2_wrong);
      if (s2_any && !ever) assert (!s2_bad);
      if (f2_any && !ever) assert (!f2_bad);
    end
  end
endmodule

`default_nettype wire
