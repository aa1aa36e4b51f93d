// SPDX-License-Identifier: Apache-2.0
//
// mshr_bytes - what byw_mshr guarantees about a register and an entry of its list, both symbolic,
// for all traffic that follows the rules of its ports.
//
//   list     an entry that is read shows the id of the request that joined at its place, also after
//            a detachment; the length is the number of requests that joined
//   line     the register shows line, set and way of its allocation
//   attached fill_attached_o is 1 from the allocation to a detachment, detach_all_i or the fill
//
`default_nettype none

module mshr_bytes #(
  parameter integer MSHRS  = 2,
  parameter integer MERGES = 2
) (
  input wire       clk_i,
  input wire       rst_i,
  input wire       line_i,
  input wire       set_i,
  input wire       way_i,
  input wire       id_i,
  input wire       alloc_i,
  input wire       joins_i,
  input wire       merge_i,
  input wire       detach_i,
  input wire       detach_all_i,
  input wire       fill_i,
  input wire       fill_mshr_i,
  input wire       query_mshr_i,
  input wire       count_mshr_i,
  input wire       drain_mshr_i,
  input wire       drain_index_i,
  input wire       free_i,
  input wire       free_mshr_i,
  input wire       mshr_i,
  input wire       index_i
);
  wire       free, match, room, alloc_mshr, list_mshr, list_index, attached, drain_id;
  wire       query_line, query_set, query_way, fill_set, fill_way;
  wire [1:0] count, fill_count;

  byw_mshr #(
    .MSHRS(MSHRS), .MERGES(MERGES), .LINE_W(1), .SET_IW(1), .WAY_IW(1), .ID_W(1), .SEARCH(1)
  ) u_mshr (
    .clk_i(clk_i), .rst_i(rst_i), .line_i(line_i), .set_i(set_i), .way_i(way_i), .id_i(id_i),
    .given_mshr_i(1'b0), .given_count_i(2'd0), .given_one_left_i(1'b0), .mshr_free_o(free),
    .mshr_match_o(match), .list_room_o(room),
    .alloc_i(alloc_i), .alloc_mshr_o(alloc_mshr), .merge_select_i(joins_i), .merge_i(merge_i),
    .list_mshr_o(list_mshr), .list_index_o(list_index), .detach_i(detach_i),
    .detach_all_i(detach_all_i), .fill_i(fill_i), .fill_mshr_i(fill_mshr_i),
    .fill_attached_o(attached), .fill_set_o(fill_set), .fill_way_o(fill_way),
    .fill_count_o(fill_count), .query_mshr_i(query_mshr_i), .query_line_o(query_line),
    .query_set_o(query_set), .query_way_o(query_way), .count_mshr_i(count_mshr_i),
    .count_o(count), .drain_mshr_i(drain_mshr_i), .drain_index_i(drain_index_i),
    .drain_id_o(drain_id), .free_i(free_i), .free_mshr_i(free_mshr_i)
  );

  reg       started = 1'b0;
  reg       mshr_q, index_q;                        // the watched register and entry
  reg       used, joined, attaches, line, set, way, id, shown, shown_id;
  reg [1:0] length;
  reg [1:0] busy;                                   // registers in use
  wire      takes = alloc_i && (alloc_mshr == mshr_q);
  wire      adds  = merge_i && (list_mshr == mshr_q);
  wire      frees = free_i && (free_mshr_i == mshr_q);
  wire      mine  = used && attaches && (line_i == line);

  always @(posedge clk_i) begin : p_model
    started <= 1'b1;
    if (!started) {mshr_q, index_q} <= {mshr_i, index_i};
    shown    <= joined && (drain_mshr_i == mshr_q) && (drain_index_i == index_q);
    shown_id <= id;
    if (takes) begin
      {line, set, way} <= {line_i, set_i, way_i};
      length   <= 2'd1;
      joined   <= index_q == 1'b0;
      if (index_q == 1'b0) id <= id_i;
    end else if (adds) begin
      length <= length + 2'd1;
      if (length == {1'b0, index_q}) {joined, id} <= {1'b1, id_i};
    end
    busy <= (busy | (alloc_i ? 2'd1 << alloc_mshr : 2'd0)) &
            ~(free_i ? 2'd1 << free_mshr_i : 2'd0);
    used <= (used || takes) && !frees;
    attaches <= (attaches || takes) && !(detach_i && mine) && !(fill_i && (fill_mshr_i == mshr_q));
    if (frees) joined <= 1'b0;
    if (detach_all_i) attaches <= 1'b0;
    if (rst_i) {used, joined, attaches, shown, busy} <= 6'd0;
  end

  always @* begin : p_rules
    assume (rst_i || started);
    if (MSHRS == 1) assume (!(fill_mshr_i || query_mshr_i || count_mshr_i || drain_mshr_i ||
                              free_mshr_i || mshr_i));
    // Fills and releases are of registers in use; a line with an attached register is not
    // allocated again; detach_all_i comes without an allocation; a register that ends is filled.
    if (started && fill_i) assume (busy[fill_mshr_i]);
    if (started && free_i) assume (busy[free_mshr_i] && !(frees && attaches) &&
                                   !(merge_i && (list_mshr == free_mshr_i)));
    if (alloc_i) assume (!match && !detach_all_i);
  end

  always @* begin : p_properties
    if (started && !rst_i) begin
      if (shown) assert (drain_id == shown_id);
      if (used && (count_mshr_i == mshr_q)) assert (count == length);
      if (used && (query_mshr_i == mshr_q))
        assert ({query_line, query_set, query_way} == {line, set, way});
      if (used && (fill_mshr_i == mshr_q)) begin
        assert ((fill_count == length) && (attached == attaches));
        assert ({fill_set, fill_way} == {set, way});
      end
      if (mine) assert (match);
      if (takes) assert (!used);
      if (match && mine) assert (room == (length != MERGES));
    end
  end
endmodule

`default_nettype wire
