# SPDX-License-Identifier: Apache-2.0
#
# cells.awk - "LUT FF RAM LUTRAM DSP" of a mapped netlist in Yosys' RTLIL.  A carry cell of ECP5 takes two LUTs, a
# LUT RAM none of them.  With module=NAME before it only those of the modules whose name has NAME in it.
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
