# SPDX-License-Identifier: Apache-2.0
#
# cells.awk - prints "LUT FF RAM LUTRAM DSP" of a mapped netlist in Yosys' RTLIL.  A carry cell of ECP5 counts as two
# LUTs, a LUT RAM as none.  With module=NAME before the file: only modules whose name contains NAME.
$1 == "module" { skip = module != "" && index($2, module) == 0 }
skip { next }
$1 == "cell" {
    t = substr($2, 2)
    if (t == "LUT4" || t == "SB_LUT4") lut++
    else if (t == "CCU2C") lut += 2
    else if (t == "TRELLIS_FF" || t ~ /^SB_DFF/) ff++
    else if (t ~ /^(DP16KD|PDPW16KD|SB_RAM40_4K.*)$/) ram++
    else if (t == "TRELLIS_DPR16X4") lutram++
    else if (t ~ /MULT18X18D|SB_MAC16/) dsp++
}
END { print lut + 0, ff + 0, ram + 0, lutram + 0, dsp + 0 }
