# SPDX-License-Identifier: Apache-2.0
#
# shuffle.awk - shuffles the cells of a flattened module in Yosys' RTLIL, by -v seed=N (1 or more).
# It uses its own generator (x = 16807 x mod 2^31 - 1) instead of rand(), so every awk gives the same order.
function below(n) {
    x = (x * 16807) % 2147483647
    return x % n
}
BEGIN { x = seed }
!inside && /^  attribute / { held = held $0 "\n"; next }
!inside && /^  cell / { inside = 1; text = held; held = "" }
inside {
    text = text $0 "\n"
    if (/^  end/) { cell[cells++] = text; inside = 0 }
    next
}
/^end/ {
    for (i = cells - 1; i > 0; i--) {
        j = below(i + 1)
        text = cell[i]
        cell[i] = cell[j]
        cell[j] = text
    }
    for (i = 0; i < cells; i++) printf "%s", cell[i]
    cells = 0
}
{ printf "%s%s\n", held, $0; held = "" }
