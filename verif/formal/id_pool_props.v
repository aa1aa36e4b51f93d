// SPDX-License-Identifier: Apache-2.0
//
// id_pool_props - what byw_id_pool guarantees to users that follow its rules: an allocated
// number was free, a number is available exactly while not all are allocated, and all_free_o is
// correct.
//
`default_nettype none

module id_pool_props #(
  parameter integer N = 5
) (
  input wire       clk_i,
  input wire       rst_i,
  input wire       take_i,
  input wire       give_i,
  input wire [2:0] give_id_i
);
  wire         ready, all_free;
  wire [2:0]   id;
  wire         take = take_i && ready;
  reg  [N-1:0] out;
  reg          started = 1'b0;
  wire [N-1:0] given = {{(N-1){1'b0}}, 1'b1} << give_id_i;
  wire [N-1:0] taken = {{(N-1){1'b0}}, 1'b1} << id;
  wire         give  = give_i && ((out & given) != {N{1'b0}});

  byw_id_pool #(.N(N)) u_pool (
    .clk_i(clk_i), .rst_i(rst_i), .take_i(take), .take_ready_o(ready), .take_id_o(id),
    .give_i(give), .give_id_i(give_id_i), .all_free_o(all_free)
  );

  always @(posedge clk_i) begin : p_model
    started <= 1'b1;
    if (rst_i) out <= {N{1'b0}};
    else       out <= (out & ~(give ? given : {N{1'b0}})) | (take ? taken : {N{1'b0}});
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    if (started) begin
      assert (ready == (out != {N{1'b1}}));
      assert (all_free == (out == {N{1'b0}}));
      if (ready) assert (((out & taken) == {N{1'b0}}) && (id < N));
    end
  end
endmodule

`default_nettype wire
