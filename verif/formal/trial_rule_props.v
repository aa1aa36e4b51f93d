// SPDX-License-Identifier: Apache-2.0
//
// trial_rule_props - byw_trial_rule's running differences give the same overtime and the same
// faster side as the products of mechanisms/across.md 13.1. Windows of any length from six cycles
// on, in any order of modes that trials have.
// Proof: pdr
//
`default_nettype none

module trial_rule_props (
  input wire clk_i,
  input wire rst_i,
  input wire ends_i,                 // the cycle is the first of a window
  input wire turn_i,                 // ... in which a trial starts, if requested
  input wire fails_i,                // ... in which a running trial fails
  input wire asked_i,
  input wire first_i
);
  localparam integer MARGIN_PCT = 50, OVERTIME_PCT = 50, WINDOWS = 2, CYCLE_W = 4;
  localparam [1:0] CACHE = 2'd0, PROTECT = 2'd1, RELIEVE = 2'd2;

  reg        started = 1'b0;
  reg  [1:0] mode;
  reg  [3:0] cycles, cached, protecting, relieving;
  reg        second;                 // the measured (second) window of a side
  reg        noted;                  // cached holds a measured value

  wire       begins  = ends_i && (cycles > 4'd5);
  wire       caches  = mode == CACHE;
  wire       asked   = begins && caches && asked_i;
  wire       starts  = asked && turn_i;
  wire       side    = begins && (mode == PROTECT) && second && !fails_i;
  wire       over    = begins && !caches && (fails_i || ((mode == RELIEVE) && second));
  wire       counts  = begins || !(&cycles);
  wire       measures = !starts && !side && (begins ? !second : second);
  wire       late, protects;

  byw_trial_rule #(
    .WINDOWS(WINDOWS), .MARGIN_PCT(MARGIN_PCT), .OVERTIME_PCT(OVERTIME_PCT), .CYCLE_W(CYCLE_W)
  ) u_rule (
    .clk_i(clk_i), .rst_i(rst_i), .begins_i(begins), .caches_i(caches), .side_ends_i(side),
    .relieves_i(mode == RELIEVE), .measures_i(measures), .asked_i(asked),
    .first_i(first_i || !noted), .late_o(late), .protects_o(protects)
  );

  always @(posedge clk_i) begin : p_history
    started <= 1'b1;
    if (rst_i) begin
      mode    <= CACHE;
      cycles  <= 4'd0;
      second  <= 1'b0;
      noted   <= 1'b0;
    end else begin
      if (starts) mode <= PROTECT;
      else if (side) mode <= RELIEVE;
      else if (over) mode <= CACHE;
      cycles  <= begins ? 4'd1 : cycles + {3'd0, counts};
      if (begins) second <= !starts && !side && !over && !caches && !second;
      if (asked && (first_i || !noted || (cycles < cached))) cached <= cycles;
      if (asked) noted <= 1'b1;
      if (starts) begin
        protecting <= 4'd0;
        relieving  <= 4'd0;
      end else if ((measures && counts) && (mode == PROTECT))
        protecting <= begins ? 4'd1 : protecting + 4'd1;
      else if ((measures && counts) && (mode == RELIEVE))
        relieving <= begins ? 4'd1 : relieving + 4'd1;
    end
  end

  always @* begin : p_properties
    if (!started) assume (rst_i);
    if (started && (mode != CACHE)) begin
      assert (late == ({8'd0, cycles} * 12'd100 > {8'd0, cached} * 12'd150));
      if (mode == RELIEVE)
        assert (protects == ({8'd0, protecting} * 12'd100 <= {8'd0, relieving} * 12'd150));
    end
  end
endmodule

`default_nettype wire
