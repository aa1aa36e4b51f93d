// SPDX-License-Identifier: Apache-2.0
//
// byw_mem_beats - finds the beats of a narrower bus that hold the bytes of a request.
//
// Behaviour   first_o and last_o: the lowest and the highest beat with a byte in bytes_i; both 0 if
//             bytes_i is empty.  Combinational.
// Paper       none; fpga/adapters/README.md.
//
// Parameter   Default  Range           Meaning
// LINE_BYTES  128      2^n, 4..128     line size
// DATA_W      64       2^n, 8..line    width of the bus, bits
//
`default_nettype none

module byw_mem_beats #(
  parameter integer LINE_BYTES = 128,
  parameter integer DATA_W     = 64,
  parameter integer BEATS      = LINE_BYTES * 8 / DATA_W,
  parameter integer BEAT_IW    = (BEATS > 1) ? $clog2(BEATS) : 1
) (
  input  wire [LINE_BYTES-1:0] bytes_i,
  output wire [BEAT_IW-1:0]    first_o,
  output wire [BEAT_IW-1:0]    last_o
);
  localparam integer BEAT_BYTES = DATA_W / 8;

  generate
    if ((DATA_W < 8) || (DATA_W > LINE_BYTES * 8) || ((DATA_W & (DATA_W - 1)) != 0))
    begin : gen_check_data
      byw_mem_beats_DATA_W_must_be_a_power_of_two_from_8_to_a_line u_error ();
    end
  endgenerate

  wire [BEATS-1:0]   up, down;              // beats with bytes, counted from either end
  wire [1:0]         any;
  wire [BEAT_IW-1:0] from_top;
  genvar             g;

  generate
    for (g = 0; g < BEATS; g = g + 1) begin : gen_beat
      assign up[g]           = |bytes_i[g*BEAT_BYTES +: BEAT_BYTES];
      assign down[BEATS-1-g] = up[g];
    end
  endgenerate

  byw_prio_enc #(.N(BEATS), .IDX_W(BEAT_IW)) u_first (
    .req_i(up), .any_o(any[0]), .index_o(first_o)
  );
  byw_prio_enc #(.N(BEATS), .IDX_W(BEAT_IW)) u_last (
    .req_i(down), .any_o(any[1]), .index_o(from_top)
  );

  localparam integer    TOP_I = BEATS - 1;
  localparam [BEAT_IW-1:0] TOP = TOP_I[BEAT_IW-1:0];
  assign last_o = any[1] ? (TOP - from_top) : {BEAT_IW{1'b0}};

  wire unused_ok = &{1'b0, any[0]};
endmodule

`default_nettype wire
