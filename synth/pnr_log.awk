# SPDX-License-Identifier: Apache-2.0
#
# pnr_log.awk - prints "MHZ CELLS LOGIC_NS WIRE_NS FROM TO" of the slowest clock after routing, from the log of
# nextpnr.  CELLS counts the cells between the two registers.  With path=1 before the file: also the
# nets of the path: time at the cell output, time in wires, name.
/Critical path report for (cross-domain|async)/ { inside = 0 }
/Critical path report for clock/ {
    inside = 1
    cells = -1
    from = to = nets = ""
    clock = $0
    sub(/^.*for clock '/, "", clock)
    sub(/'.*/, "", clock)
    next
}
inside && / Source / {
    name = $NF
    for (i = 2; i < NF; i++) if ($i == "Source") at = $(i - 1)
    if (from == "") from = name
    cells++
}
inside && / Net / {
    for (i = 2; i < NF; i++) if ($i == "Net") {
        wire = $(i - 2)
        net = $(i + 1)
    }
    if (length(net) > 90) net = substr(net, 1, 40) "..." substr(net, length(net) - 46)
    nets = nets sprintf("  %6.1f %5.1f  %s\n", at, wire, net)
}
inside && / Sink / { to = $NF }
inside && /ns logic, .* ns routing/ {
    for (i = 1; i < NF; i++) {
        if ($(i + 1) == "ns" && $(i + 2) ~ /^logic/) logic = $i
        if ($(i + 1) == "ns" && $(i + 2) ~ /^routing/) wires = $i
    }
    inside = 0
    found[clock] = cells " " logic " " wires " " from " " to
    list[clock] = nets
}
/Max frequency for clock/ {
    clock = $0
    sub(/^.*for clock *'/, "", clock)
    sub(/'.*/, "", clock)
    for (i = 1; i < NF; i++) if ($(i + 1) == "MHz" && $i + 0 > 0) { mhz[clock] = $i; break }
}
END {
    for (c in found) if ((c in mhz) && (slow == "" || mhz[c] + 0 < mhz[slow] + 0)) slow = c
    if (slow == "") exit 1
    if (path) printf "%s", list[slow]
    print mhz[slow], found[slow]
}
