# SPDX-License-Identifier: Apache-2.0
#
# aag2c.awk - turns a combinational AIGER file (ASCII, with symbols) into the functions of
# verif/cosim/dut.h, for CBMC: ports are words of 32 bits, dut_eval() computes the outputs.
function literal(n) { return (n % 2 ? "!" : "") (n < 2 ? "0" : "v" int(n / 2)) }
function at(symbol,    bit) { # "name[bit]": the place of a port's bit
    bit = 0
    if (match(symbol, /\[[0-9]+\]$/)) {
        bit = substr(symbol, RSTART + 1, RLENGTH - 2)
        symbol = substr(symbol, 1, RSTART - 1)
    }
    if (!(symbol in port)) {
        port[symbol] = ports++
        name[port[symbol]] = symbol
    }
    return "word[" port[symbol] "][" int(bit / 32) "]" SUBSEP bit % 32
}
NR == 1 {
    if ($1 != "aag" || $4 != 0) { print "aag2c.awk: expected a combinational circuit in ASCII" >"/dev/stderr"; failed = 1; exit 1 }
    inputs = $3; outputs = $5; gates = $6
    next
}
NR <= 1 + inputs { input[NR - 2] = $1; next }
NR <= 1 + inputs + outputs { output[NR - 2 - inputs] = $1; next }
NR <= 1 + inputs + outputs + gates { gate[++count] = "    _Bool v" $1 / 2 " = " literal($2) " & " literal($3) ";"; next }
/^[io][0-9]/ {
    n = substr($1, 2)
    split(at($2), place, SUBSEP)
    if ($1 ~ /^i/)
        source[n] = "    _Bool v" input[n] / 2 " = " place[1] " >> " place[2] " & 1;"
    else
        sink[n] = "    " place[1] " |= (uint32_t)(" literal(output[n]) ") << " place[2] ";"
    outs[place[1]] = outs[place[1]] || $1 ~ /^o/
}
END {
    if (failed) exit 1
    print "#include \"cosim/lock.h\"\n"
    print "static uint32_t word[" ports "][DUT_WORDS];\n\nuint32_t dut_port(const struct dut *dut, const char *name)\n{"
    for (n = 0; n < ports; n++) print "    if (strcmp(name, \"" name[n] "\") == 0)\n        return " n ";"
    print "    __CPROVER_assert(0, \"the module has the port\");\n    return 0;\n}\n"
    print "uint32_t *dut_words(uint32_t port)\n{\n    return word[port];\n}\n\nvoid dut_eval(struct dut *dut)\n{"
    for (n = 0; n < inputs; n++) if (n in source) print source[n]
    for (n = 1; n <= count; n++) print gate[n]
    for (p in outs) if (outs[p]) print "    " p " = 0;"
    for (n = 0; n < outputs; n++) if (n in sink) print sink[n]
    print "}"
}
