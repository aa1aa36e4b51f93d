// SPDX-License-Identifier: Apache-2.0
//
// fill_bytes - what byw_fill guarantees, without stages, about one bit of the data, symbolic like
// its beat, for all traffic that follows the rules of its ports.
//
//   order    fills are shown in the order in which they came, each until its last request is taken
//   bytes    with the register, the error and, of the watched beat, the bit that came
//   place    the index counts the requests taken
//   path 2   a response is shown as it came until it is taken
//
`default_nettype none

module fill_bytes #(
  parameter integer BEATS = 1
) (
  input wire        clk_i,
  input wire        rst_i,
  input wire        take_i,
  input wire        mshr_i,
  input wire        direct_i,
  input wire        store_i,
  input wire        id_i,
  input wire        error_i,
  input wire [63:0] data_i,
  input wire        want_i,             // beat that the request shown wants
  input wire        drain_i,
  input wire        last_i,
  input wire        direct_drain_i,
  input wire [5:0]  bit_i,              // the watched bit and beat
  input wire        beat_i
);
  wire        ready, room, beat, ended, failed, valid, mshr, index, error, direct, d_store, d_id,
              d_error;
  wire [1:0]  after;
  wire [63:0] data, d_data;

  byw_fill #(
    .STAGED(0), .LINE_BYTES(8 * BEATS), .BEAT_BYTES(8), .MSHR_IW(1), .LIST_IW(1), .ID_W(1)
  ) u_fill (
    .clk_i(clk_i), .rst_i(rst_i), .fill_take_i(take_i), .fill_mshr_i(mshr_i),
    .direct_take_i(direct_i), .direct_store_i(store_i), .direct_id_i(id_i), .error_i(error_i),
    .data_i(data_i), .fill_ready_o(ready), .fill_room_o(room), .fill_next_o(beat),
    .fill_last_o(ended), .fill_failed_o(failed), .fill_valid_o(valid), .fill_mshr_o(mshr),
    .fill_index_o(index), .fill_index_plus_1_o(after), .fill_error_o(error), .fill_beat_i(want_i),
    .fill_data_o(data), .drain_i(drain_i), .drain_last_i(last_i), .direct_valid_o(direct),
    .direct_store_o(d_store), .direct_id_o(d_id), .direct_error_o(d_error),
    .direct_data_o(d_data), .direct_drain_i(direct_drain_i)
  );

  // ---- reference: up to two fills, the oldest in 0; and the one whose beats arrive
  reg       started = 1'b0;
  reg [5:0] bit_q;
  reg       beat_q, came, bad, value, taken;
  reg [1:0] count, mshrs, errors, values;
  reg       d_any, d_was_store, d_was_id, d_was_error, d_value;
  wire      fills = take_i && (came || (BEATS == 1));        // the last beat
  wire      ends  = drain_i && last_i;
  wire [1:0] left = count - {1'b0, ends};
  wire      mine  = (BEATS == 1) || (came == beat_q);
  wire      now   = mine ? data_i[bit_q] : value;

  always @(posedge clk_i) begin : p_model
    started <= 1'b1;
    if (!started) {bit_q, beat_q} <= {bit_i, beat_i};
    if (take_i) begin
      came <= !fills;
      bad  <= (bad || error_i) && !fills;
      if (mine) value <= data_i[bit_q];
    end
    if (ends) {mshrs[0], errors[0], values[0]} <= {mshrs[1], errors[1], values[1]};
    if (fills && (left == 2'd0)) {mshrs[0], errors[0], values[0]} <= {mshr_i, error_i || bad, now};
    if (fills && (left != 2'd0)) {mshrs[1], errors[1], values[1]} <= {mshr_i, error_i || bad, now};
    count <= left + {1'b0, fills};
    if (drain_i) taken <= last_i ? 1'b0 : !taken;
    d_any <= direct_i || (d_any && !direct_drain_i);
    if (direct_i) begin
      {d_was_store, d_was_id, d_was_error} <= {store_i, id_i, error_i};
      d_value <= data_i[bit_q];
    end
    if (rst_i) {came, bad, count, taken, d_any} <= 6'd0;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    if (BEATS == 1) assume (!beat_i && !want_i);
  end

  always @* begin : p_properties
    if (started && !rst_i) begin
      assert (valid == (count != 2'd0));
      assert (ready == (count != 2'd2));
      if (valid) assert ((mshr == mshrs[0]) && (error == errors[0]));
      if (valid && (want_i == beat_q)) assert (data[bit_q] == values[0]);
      if (valid) assert (index == taken);
      if (BEATS > 1) assert ((beat == came) && (failed == bad));
      assert (direct == d_any);
      if (direct) assert ((d_store == d_was_store) && (d_id == d_was_id) &&
                          (d_error == d_was_error) && (d_data[bit_q] == d_value));
    end
  end
endmodule

`default_nettype wire
