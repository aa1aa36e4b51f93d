// SPDX-License-Identifier: Apache-2.0
//
// byw_mem_slots - slots for the requests in flight on a reordering bus, and their order.
//
// Behaviour   ask_ok_o: a slot is free and no request in flight blocks this one.  ORDER 1: a
//             request of the same line blocks it if either one writes.  ORDER 2: any request of the
//             same line does.  ORDER 0: none does.  ask_slot_o, once shown with ask_i and ask_ok_o,
//             stays until take_i, which stores entry_i.  give_r_i and give_w_i each free a slot;
//             its entry is always shown.  A slot freed in a cycle can be taken in the next.
//             Outputs depend combinationally on ask_*.
// Paper       none; fpga/adapters/README.md.
// Reset       rst_i: all slots are free.
//
// Parameter   Default  Range     Meaning
// SLOTS       16       1..256    requests in flight
// LINE_W      25                 width of a line address
// ENTRY_W     19                 width of what is stored for the response
// ORDER       1        0, 1, 2   order within one line: none, around writes, all requests
//
`default_nettype none

module byw_mem_slots #(
  parameter integer SLOTS   = 16,
  parameter integer LINE_W  = 25,
  parameter integer ENTRY_W = 19,
  parameter integer ORDER   = 1,
  parameter integer SLOT_IW = (SLOTS > 1) ? $clog2(SLOTS) : 1
) (
  input  wire               clk_i,
  input  wire               rst_i,

  input  wire               ask_i,
  input  wire [LINE_W-1:0]  ask_line_i,
  input  wire               ask_write_i,
  input  wire [ENTRY_W-1:0] ask_entry_i,
  output wire               ask_ok_o,
  output wire [SLOT_IW-1:0] ask_slot_o,
  input  wire               take_i,         // needs ask_i and ask_ok_o

  input  wire               give_r_i,
  input  wire [SLOT_IW-1:0] give_r_slot_i,
  output wire [ENTRY_W-1:0] give_r_entry_o,
  input  wire               give_w_i,
  input  wire [SLOT_IW-1:0] give_w_slot_i,
  output wire [ENTRY_W-1:0] give_w_entry_o,

  output wire               idle_o
);
  localparam [SLOTS-1:0] ONE = 1;

  generate
    if ((SLOTS < 1) || (SLOTS > 256)) begin : gen_check_slots
      byw_mem_slots_SLOTS_must_be_1_to_256 u_error ();
    end
    if ((ORDER < 0) || (ORDER > 2)) begin : gen_check_order
      byw_mem_slots_ORDER_must_be_0_to_2 u_error ();
    end
  endgenerate

  reg [ENTRY_W-1:0] entry_q [0:SLOTS-1];
  reg [SLOTS-1:0]   free_q;
  reg               held_q;                 // a slot was shown and not taken
  reg [SLOT_IW-1:0] held_slot_q;            // the slot shown

  wire               any_free, clash;
  wire [SLOT_IW-1:0] lowest;
  wire [SLOTS-1:0]   taken   = take_i ? (ONE << ask_slot_o) : {SLOTS{1'b0}};
  wire [SLOTS-1:0]   given_r = give_r_i ? (ONE << give_r_slot_i) : {SLOTS{1'b0}};
  wire [SLOTS-1:0]   given_w = give_w_i ? (ONE << give_w_slot_i) : {SLOTS{1'b0}};

  byw_prio_enc #(.N(SLOTS), .IDX_W(SLOT_IW)) u_lowest (
    .req_i(free_q), .any_o(any_free), .index_o(lowest)
  );

  assign ask_ok_o       = any_free && !clash;
  assign ask_slot_o     = held_q ? held_slot_q : lowest;
  assign give_r_entry_o = entry_q[give_r_slot_i];
  assign give_w_entry_o = entry_q[give_w_slot_i];
  assign idle_o         = &free_q;

  // ---- the lines in flight
  genvar g;
  generate
    if (ORDER != 0) begin : gen_order
      wire [SLOTS-1:0] same;
      for (g = 0; g < SLOTS; g = g + 1) begin : gen_slot
        reg [LINE_W-1:0] line_q;
        reg              write_q;
        assign same[g] = !free_q[g] && (line_q == ask_line_i) &&
                         ((ORDER == 2) || write_q || ask_write_i);
        always @(posedge clk_i) begin : p_line
          if (taken[g]) begin
            line_q  <= ask_line_i;
            write_q <= ask_write_i;
          end
        end
      end
      assign clash = |same;
    end else begin : gen_no_order
      wire unused_ok = &{1'b0, ask_line_i, ask_write_i};
      assign clash = 1'b0;
    end
  endgenerate

  always @(posedge clk_i) begin : p_free
    if (rst_i) begin
      free_q <= {SLOTS{1'b1}};
      held_q <= 1'b0;
    end else begin
      free_q      <= (free_q & ~taken) | given_r | given_w;
      held_q      <= (held_q || (ask_i && ask_ok_o)) && !take_i;
      held_slot_q <= ask_slot_o;
    end
  end

  always @(posedge clk_i) begin : p_entries
    if (take_i) entry_q[ask_slot_o] <= ask_entry_i;
  end
endmodule

`default_nettype wire
