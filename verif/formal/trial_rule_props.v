// SPDX-License-Identifier: Apache-2.0
//
// trial_rule_props - byw_trial_rule's running differences judge as the products of MECHANISMS 13.1
// do: refusals, overtime, the faster side, and whether it beats caching.  Windows of any length from
// six cycles on, in any order of modes that trials have.
// Proof: pdr
//
`default_nettype none

module trial_rule_props (
  input wire clk_i,
  input wire rst_i,
  input wire ends_i,                 // the cycle is the first of a window
  input wire turn_i,                 // ... and of the next mode
  input wire fails_i,                // ... of caching
  input wire asked_i,
  input wire first_i,
  input wire refused_i
);
  localparam integer REFUSED_PCT = 50, MARGIN_PCT = 50, OVERTIME_PCT = 50, WINDOWS = 2, CYCLE_W = 4;
  localparam [1:0] CACHE = 2'd0, PROTECT = 2'd1, RELIEVE = 2'd2;

  reg        started = 1'b0;
  reg  [1:0] mode;
  reg  [3:0] cycles, refused, cached, protecting, relieving;
  reg        second;                 // the measured window of a side
  reg        noted;                  // cached is something

  wire       begins  = ends_i && (cycles > 4'd5);
  wire       caches  = mode == CACHE;
  wire       asked   = begins && caches && asked_i;
  wire       starts  = asked && turn_i;
  wire       side    = begins && (mode == PROTECT) && second && !fails_i;
  wire       over    = begins && !caches && (fails_i || ((mode == RELIEVE) && second));
  wire       counts  = begins || !(&cycles);
  wire       measures = !starts && !side && (begins ? !second : second);
  wire       refusals, late, protects, wins;

  byw_trial_rule #(
    .REFUSED_PCT(REFUSED_PCT), .WINDOWS(WINDOWS), .MARGIN_PCT(MARGIN_PCT),
    .OVERTIME_PCT(OVERTIME_PCT), .CYCLE_W(CYCLE_W)
  ) u_rule (
    .clk_i(clk_i), .rst_i(rst_i), .begins_i(begins), .caches_i(caches), .side_ends_i(side),
    .relieves_i(mode == RELIEVE), .measures_i(measures), .refused_i(refused_i), .asked_i(asked),
    .first_i(first_i || !noted), .refusals_o(refusals), .late_o(late), .protects_o(protects),
    .wins_o(wins)
  );

  always @(posedge clk_i) begin : p_history
    started <= 1'b1;
    if (rst_i) begin
      mode    <= CACHE;
      cycles  <= 4'd0;
      refused <= 4'd0;
      second  <= 1'b0;
      noted   <= 1'b0;
    end else begin
      if (starts) mode <= PROTECT;
      else if (side) mode <= RELIEVE;
      else if (over) mode <= CACHE;
      cycles  <= begins ? 4'd1 : cycles + {3'd0, counts};
      refused <= (begins ? 4'd0 : refused) + {3'd0, refused_i && counts};
      if (begins) second <= !starts && !side && !over && !caches && !second;
      if (asked && (first_i || !noted || (cycles < cached))) cached <= cycles;
      if (asked) noted <= 1'b1;
      if (starts) begin
        protecting <= 4'd0;
        relieving  <= 4'd0;
      end else if ((measures && counts) && (mode == PROTECT)) protecting <= begins ? 4'd1 : protecting + 4'd1;
      else if ((measures && counts) && (mode == RELIEVE)) relieving <= begins ? 4'd1 : relieving + 4'd1;
    end
  end

  wire [11:0] best = {8'd0, protects ? protecting : relieving};

  always @* begin : p_properties
    if (!started) assume (rst_i);
    if (started) begin
      assert (refusals == ({8'd0, refused} * 12'd100 >= {8'd0, cycles} * 12'd50));
      if (mode != CACHE) begin
        assert (late == ({8'd0, cycles} * 12'd100 > {8'd0, cached} * 12'd150));
        if (mode == RELIEVE) begin
          assert (protects == ({8'd0, protecting} * 12'd100 <= {8'd0, relieving} * 12'd150));
          assert (wins == (best * 12'd100 <= {8'd0, cached} * 12'd50) || (cycles < 4'd6));
        end
      end
    end
  end
endmodule

`default_nettype wire
