// SPDX-License-Identifier: Apache-2.0
//
// byw_mem_answer - assembles the beats of a bus into lines, and passes lines and responses without
//                  data to the cache.
//
// Behaviour   beat_*: a beat of slot beat_slot_i at position beat_at_i; beats of different slots
//             may be interleaved.  The last beat is registered, and the line is shown in the next
//             cycle, with the beat_entry_i and beat_error_i (of all beats) of that beat.  done_*: a
//             response without data, shown in the next cycle, too.  Each stalls while its register
//             is full; the two alternate at mem_rsp.  Bytes of missing beats are undefined.  A
//             response shown stays until it is taken.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: no response waits.
//
// Parameter   Default  Range         Meaning
// LINE_BYTES  128      2^n, 4..128   line size
// DATA_W      64       2^n, 8..line  width of the bus, bits
// SLOTS       16       1..256        lines assembled at the same time
// ENTRY_W     18                     width of {kind, id}
//
`default_nettype none

module byw_mem_answer #(
  parameter integer LINE_BYTES = 128,
  parameter integer DATA_W     = 64,
  parameter integer SLOTS      = 16,
  parameter integer ENTRY_W    = 18,
  parameter integer BEATS      = LINE_BYTES * 8 / DATA_W,
  parameter integer BEAT_IW    = (BEATS > 1) ? $clog2(BEATS) : 1,
  parameter integer SLOT_IW    = (SLOTS > 1) ? $clog2(SLOTS) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_i,

  input  wire                    beat_valid_i,
  output wire                    beat_ready_o,
  input  wire [SLOT_IW-1:0]      beat_slot_i,
  input  wire [BEAT_IW-1:0]      beat_at_i,
  input  wire                    beat_last_i,
  input  wire [DATA_W-1:0]       beat_data_i,
  input  wire [ENTRY_W-1:0]      beat_entry_i,
  input  wire                    beat_error_i,

  input  wire                    done_valid_i,
  output wire                    done_ready_o,
  input  wire [ENTRY_W-1:0]      done_entry_i,
  input  wire                    done_error_i,

  output wire                    mem_rsp_valid_o,
  input  wire                    mem_rsp_ready_i,
  output wire [ENTRY_W-1:0]      mem_rsp_entry_o,
  output wire [LINE_BYTES*8-1:0] mem_rsp_data_o,
  output wire                    mem_rsp_error_o,

  output wire                    idle_o
);
  reg               line_valid_q, line_error_q, done_valid_q, done_error_q;
  reg [ENTRY_W-1:0] line_entry_q, done_entry_q;
  reg [DATA_W-1:0]  line_beat_q;            // the last beat
  reg               held_q;                 // a response was shown and not taken
  reg               held_done_q;            // the response shown is the one without data
  reg               turn_q;                 // the one without data has priority

  wire pick_done = held_q ? held_done_q : (done_valid_q && (!line_valid_q || turn_q));
  wire taken     = mem_rsp_valid_o && mem_rsp_ready_i;
  wire beat      = beat_valid_i && beat_ready_o;

  assign beat_ready_o    = !line_valid_q || (taken && !pick_done);
  assign done_ready_o    = !done_valid_q || (taken && pick_done);
  assign mem_rsp_valid_o = line_valid_q || done_valid_q;
  assign mem_rsp_entry_o = pick_done ? done_entry_q : line_entry_q;
  assign mem_rsp_error_o = pick_done ? done_error_q : line_error_q;
  assign idle_o          = !mem_rsp_valid_o;

  // ---- the beats before the last one
  generate
    if (BEATS > 1) begin : gen_beats
      localparam [BEATS-1:0] ONE = 1;
      wire [LINE_BYTES*8-1:0] kept;
      reg  [BEAT_IW-1:0]      last_at_q;
      genvar                  g;

      byw_ram_1r1w #(.DEPTH(SLOTS), .LANES(BEATS), .LANE_W(DATA_W)) u_lines (
        .clk_i(clk_i),
        .rd_en_i(beat && beat_last_i), .rd_addr_i(beat_slot_i), .rd_data_o(kept),
        .wr_en_i(beat && !beat_last_i), .wr_addr_i(beat_slot_i), .wr_lane_i(ONE << beat_at_i),
        .wr_data_i({BEATS{beat_data_i}})
      );
      for (g = 0; g < BEATS; g = g + 1) begin : gen_beat
        assign mem_rsp_data_o[g*DATA_W +: DATA_W] =
            (last_at_q == g[BEAT_IW-1:0]) ? line_beat_q : kept[g*DATA_W +: DATA_W];
      end
      always @(posedge clk_i) begin : p_at
        if (beat && beat_last_i) last_at_q <= beat_at_i;
      end
    end else begin : gen_one
      wire unused_ok = &{1'b0, beat_slot_i, beat_at_i};
      assign mem_rsp_data_o = line_beat_q;
    end
  endgenerate

  always @(posedge clk_i) begin : p_valid
    if (rst_i) begin
      line_valid_q <= 1'b0;
      done_valid_q <= 1'b0;
      held_q       <= 1'b0;
      turn_q       <= 1'b0;
    end else begin
      line_valid_q <= (beat && beat_last_i) || (line_valid_q && !(taken && !pick_done));
      done_valid_q <= (done_valid_i && done_ready_o) || (done_valid_q && !(taken && pick_done));
      held_q       <= mem_rsp_valid_o && !taken;
      held_done_q  <= pick_done;
      if (taken) turn_q <= !pick_done;
    end
  end

  always @(posedge clk_i) begin : p_payload
    if (beat && beat_last_i) begin
      line_entry_q <= beat_entry_i;
      line_error_q <= beat_error_i;
      line_beat_q  <= beat_data_i;
    end
    if (done_valid_i && done_ready_o) begin
      done_entry_q <= done_entry_i;
      done_error_q <= done_error_i;
    end
  end
endmodule

`default_nettype wire
