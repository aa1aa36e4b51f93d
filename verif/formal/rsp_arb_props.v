// SPDX-License-Identifier: Apache-2.0
//
// rsp_arb_props - what byw_rsp_arb guarantees if shown sources stay valid: it chooses a valid
// source, the choice stays until it is taken, and no valid source is passed over three times.
//
`default_nettype none

module rsp_arb_props (
  input wire       clk_i,
  input wire       rst_i,
  input wire [2:0] valid_i,
  input wire       rsp_ready_i
);
  wire       rsp_valid;
  wire [2:0] turn;
  wire [2:0] shown = turn & valid_i;

  byw_rsp_arb u_arb (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .rsp_ready_i(rsp_ready_i),
    .rsp_valid_o(rsp_valid), .turn_o(turn)
  );

  reg        started = 1'b0;
  reg        was_valid;
  reg  [2:0] was_asking;
  reg  [2:0] was_shown;
  reg  [1:0] passed0, passed1, passed2;   // transfers of other sources while this one waited
  wire       taken = rsp_valid && rsp_ready_i;

  always @(posedge clk_i) begin : p_history
    started    <= 1'b1;
    was_valid  <= !rst_i && rsp_valid && !rsp_ready_i;
    was_shown  <= shown;
    was_asking <= rst_i ? 3'd0 : valid_i & ~(taken ? shown : 3'd0);
    passed0 <= (rst_i || !valid_i[0] || (taken && shown[0])) ? 2'd0 : passed0 + {1'b0, taken};
    passed1 <= (rst_i || !valid_i[1] || (taken && shown[1])) ? 2'd0 : passed1 + {1'b0, taken};
    passed2 <= (rst_i || !valid_i[2] || (taken && shown[2])) ? 2'd0 : passed2 + {1'b0, taken};
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    if (started) begin
      assume ((was_asking & ~valid_i) == 3'd0);
      assert (rsp_valid == |valid_i);
      if (rsp_valid) assert ((shown == 3'd1) || (shown == 3'd2) || (shown == 3'd4));
      if (was_valid) assert (shown == was_shown);
      assert ((passed0 != 2'd3) && (passed1 != 2'd3) && (passed2 != 2'd3));
    end
  end
endmodule

`default_nettype wire
