// SPDX-License-Identifier: Apache-2.0
//
// byw_rv32_core - a small RISC-V core: RV32I, three cycles an instruction and more for a load or a
//                 store, which waits for its answer.
//
// Behaviour   Starts at address 0 of the program ROM, which is read a cycle after its address.
//             Loads and stores are aligned; others halt the core, as do ECALL, EBREAK, unknown
//             instructions and an error from memory.  FENCE does nothing, because every access is
//             answered before the next instruction.
// Reset       rst_i: at address 0; the registers keep their values.
//
// Parameter   Default  Range   Meaning
// PC_W        10       ..30    width of a word address of the ROM
//
`default_nettype none

module byw_rv32_core #(
  parameter integer PC_W = 10
) (
  input  wire            clk_i,
  input  wire            rst_i,

  output wire [PC_W-1:0] rom_addr_o,        // the word of the next cycle
  input  wire [31:0]     rom_data_i,

  output wire            req_valid_o,       // stays until taken
  input  wire            req_ready_i,
  output wire            req_write_o,
  output wire [31:0]     req_addr_o,        // byte address of the word
  output wire [3:0]      req_bytes_o,
  output wire [31:0]     req_data_o,
  output wire [31:0]     req_pc_o,
  input  wire            rsp_valid_i,       // each request has one response, stores included
  input  wire [31:0]     rsp_data_i,        // the word loaded
  input  wire            rsp_error_i,

  output wire            halted_o
);
  localparam [2:0] FETCH = 3'd0, READ = 3'd1, WORK = 3'd2, ASK = 3'd3, WAIT = 3'd4, HALT = 3'd5;
  localparam [6:0] LUI = 7'h37, AUIPC = 7'h17, JAL = 7'h6f, JALR = 7'h67, BRANCH = 7'h63,
                   LOAD = 7'h03, STORE = 7'h23, IMM = 7'h13, REG = 7'h33, FENCE = 7'h0f;

  reg  [2:0]  state_q;
  reg  [31:0] pc_q, insn_q, a_q, b_q, addr_q;
  reg  [31:0] x_q [0:31];

  // ---- fields
  wire [6:0]  opcode = insn_q[6:0];
  wire [2:0]  f3     = insn_q[14:12];
  wire [4:0]  rd     = insn_q[11:7];
  wire [31:0] imm_i  = {{20{insn_q[31]}}, insn_q[31:20]};
  wire [31:0] imm_s  = {{20{insn_q[31]}}, insn_q[31:25], insn_q[11:7]};
  wire [31:0] imm_b  = {{20{insn_q[31]}}, insn_q[7], insn_q[30:25], insn_q[11:8], 1'b0};
  wire [31:0] imm_u  = {insn_q[31:12], 12'd0};
  wire [31:0] imm_j  = {{12{insn_q[31]}}, insn_q[19:12], insn_q[20], insn_q[30:21], 1'b0};

  // ---- arithmetic
  wire        is_reg   = opcode == REG;
  wire [31:0] operand  = is_reg ? b_q : imm_i;
  wire        less     = $signed(a_q) < $signed(operand);
  wire        below    = a_q < operand;
  wire signed [31:0] shifted = $signed(a_q) >>> operand[4:0];
  reg  [31:0] result;
  always @* begin : p_result
    case (f3)
      3'd0: result = (is_reg && insn_q[30]) ? a_q - operand : a_q + operand;
      3'd1: result = a_q << operand[4:0];
      3'd2: result = {31'd0, less};
      3'd3: result = {31'd0, below};
      3'd4: result = a_q ^ operand;
      3'd5: result = insn_q[30] ? $unsigned(shifted) : a_q >> operand[4:0];
      3'd6: result = a_q | operand;
      default: result = a_q & operand;
    endcase
  end
  // REG: the upper seven bits are 0, or 0x20 for SUB and SRA; IMM: only shifts have such bits.
  wire plain      = insn_q[31:25] == 7'd0;
  wire alternate  = (insn_q[31:25] == 7'h20) && ((f3 == 3'd5) || (is_reg && (f3 == 3'd0)));
  wire legal_alu  = (!is_reg && (f3[1:0] != 2'd1)) || plain || alternate;

  // ---- branches
  wire equal = a_q == b_q;
  wire taken = f3[0] ^ (!f3[2] ? equal : f3[1] ? (a_q < b_q) : ($signed(a_q) < $signed(b_q)));

  // ---- loads and stores
  wire        is_load  = opcode == LOAD;
  wire        is_store = opcode == STORE;
  wire [31:0] at       = a_q + (is_store ? imm_s : imm_i);
  wire        aligned  = !(f3[0] && at[0]) && !(f3[1] && (at[1:0] != 2'd0));
  wire        legal_ls = (f3[1:0] != 2'd3) && (is_load ? (f3 != 3'd6) : !f3[2]);
  wire [4:0]  shift    = {addr_q[1:0], 3'd0};
  wire [31:0] word     = rsp_data_i >> shift;
  wire [31:0] loaded   = f3[1] ? word :
                         f3[0] ? {{16{word[15] && !f3[2]}}, word[15:0]} :
                                 {{24{word[7] && !f3[2]}}, word[7:0]};

  assign rom_addr_o  = pc_q[PC_W+1:2];
  assign req_valid_o = state_q == ASK;
  assign req_write_o = is_store;
  assign req_addr_o  = {addr_q[31:2], 2'b00};
  assign req_bytes_o = (f3[1] ? 4'hf : f3[0] ? 4'h3 : 4'h1) << addr_q[1:0];
  assign req_data_o  = b_q << shift;
  assign req_pc_o    = pc_q;
  assign halted_o    = state_q == HALT;

  // ---- what an instruction does in WORK
  reg        writes, legal;
  reg [31:0] value, next;
  always @* begin : p_work
    writes = 1'b0;
    legal  = 1'b1;
    value  = result;
    next   = pc_q + 32'd4;
    case (opcode)
      LUI:      {writes, value} = {1'b1, imm_u};
      AUIPC:    {writes, value} = {1'b1, pc_q + imm_u};
      JAL:      {writes, value, next} = {1'b1, pc_q + 32'd4, pc_q + imm_j};
      JALR: begin
        {writes, value, next} = {1'b1, pc_q + 32'd4, at & ~32'd1};
        legal = f3 == 3'd0;
      end
      BRANCH: begin
        if (taken) next = pc_q + imm_b;
        legal = (f3[2:1] != 2'd1);
      end
      LOAD, STORE: legal = aligned && legal_ls;
      IMM, REG: {writes, legal} = {1'b1, legal_alu};
      FENCE:    legal = f3 == 3'd0;
      default:  legal = 1'b0;
    endcase
    if (next[1]) legal = 1'b0;                      // a jump to an unaligned address
  end

  wire works = (state_q == WORK) && legal;
  wire ends  = (state_q == WAIT) && rsp_valid_i && !rsp_error_i;

  always @(posedge clk_i) begin : p_registers
    if (rd != 5'd0) begin
      if (works && writes)      x_q[rd] <= value;
      else if (ends && is_load) x_q[rd] <= loaded;
    end
  end

  always @(posedge clk_i) begin : p_state
    case (state_q)
      FETCH: state_q <= READ;                       // the ROM shows the instruction afterwards
      READ: begin
        insn_q  <= rom_data_i;
        a_q     <= (rom_data_i[19:15] == 5'd0) ? 32'd0 : x_q[rom_data_i[19:15]];
        b_q     <= (rom_data_i[24:20] == 5'd0) ? 32'd0 : x_q[rom_data_i[24:20]];
        state_q <= WORK;
      end
      WORK: begin
        addr_q <= at;
        if (!legal) state_q <= HALT;
        else if (is_load || is_store) state_q <= ASK;
        else {state_q, pc_q} <= {FETCH, next};
      end
      ASK: if (req_ready_i) state_q <= WAIT;
      WAIT: if (rsp_valid_i) begin
        state_q <= rsp_error_i ? HALT : FETCH;
        pc_q    <= pc_q + 32'd4;
      end
      default: state_q <= HALT;
    endcase
    if (rst_i) {state_q, pc_q} <= {FETCH, 32'd0};
  end
endmodule

`default_nettype wire
