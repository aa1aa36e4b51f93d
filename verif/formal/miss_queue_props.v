// SPDX-License-Identifier: Apache-2.0
//
// miss_queue_props - what byw_miss_queue guarantees, for all traffic that follows its rules: valid
// stays and the payload is stable until taken, entries leave in the order and with the contents of
// their pushes, and the room outputs equal the remaining credits.
//
`default_nettype none

module miss_queue_props #(
  parameter integer MISS_DEPTH   = 2,
  parameter integer BYPASS_DEPTH = 1
) (
  input wire       clk_i,
  input wire       rst_i,
  input wire       push_i,
  input wire       push_bypass_i,
  input wire       push_entry_i,
  input wire       pop_ready_i
);
  localparam integer DEPTH = MISS_DEPTH + BYPASS_DEPTH;

  wire miss_room, bypass_room, pop_valid, pop_bypass, pop_entry;
  wire push = push_i && (push_bypass_i ? bypass_room : miss_room);
  wire pop  = pop_valid && pop_ready_i;

  byw_miss_queue #(.MISS_DEPTH(MISS_DEPTH), .BYPASS_DEPTH(BYPASS_DEPTH), .ENTRY_W(1)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .miss_room_o(miss_room), .bypass_room_o(bypass_room),
    .push_miss_i(push && !push_bypass_i), .push_bypass_i(push && push_bypass_i),
    .push_entry_i(push_entry_i), .pop_valid_o(pop_valid), .pop_ready_i(pop_ready_i),
    .pop_bypass_o(pop_bypass), .pop_entry_o(pop_entry)
  );

  // Reference model: a shift register, oldest entry in 0.
  reg                started = 1'b0;
  reg  [DEPTH-1:0]   is_bypass;
  reg  [DEPTH-1:0]   entry;
  reg  [3:0]         count;
  reg                was_valid, was_bypass, was_entry;
  wire [3:0]         at = count - {3'd0, pop};
  wire [DEPTH-1:0]   place = {{(DEPTH-1){1'b0}}, 1'b1} << at;
  wire [DEPTH-1:0]   rest_bypass = pop ? is_bypass >> 1 : is_bypass;
  wire [DEPTH-1:0]   rest_entry  = pop ? entry >> 1 : entry;

  reg     [3:0] bypasses;
  integer       i;
  always @* begin : p_bypasses
    bypasses = 4'd0;
    for (i = 0; i < DEPTH; i = i + 1)
      if ((i < count) && is_bypass[i]) bypasses = bypasses + 4'd1;
  end

  always @(posedge clk_i) begin : p_model
    started    <= 1'b1;
    was_valid  <= started && !rst_i && pop_valid && !pop_ready_i;
    was_bypass <= pop_bypass;
    was_entry  <= pop_entry;
    if (rst_i) begin
      count <= 4'd0;
    end else begin
      count     <= at + {3'd0, push};
      is_bypass <= push ? (rest_bypass & ~place) | (place & {DEPTH{push_bypass_i}}) : rest_bypass;
      entry     <= push ? (rest_entry & ~place) | (place & {DEPTH{push_entry_i}}) : rest_entry;
    end
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    if (started) begin
      assert (pop_valid == (count != 4'd0));
      assert (bypass_room == (bypasses != BYPASS_DEPTH));
      assert (miss_room == (count - bypasses != MISS_DEPTH));
      if (pop_valid) assert ({pop_bypass, pop_entry} == {is_bypass[0], entry[0]});
      if (was_valid) assert (pop_valid && ({pop_bypass, pop_entry} == {was_bypass, was_entry}));
    end
  end
endmodule

`default_nettype wire
