#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# figures.sh MARKDOWN RESULTS - makes the results page RESULTS/README.md and its pictures from the figures in a folder
# that `byway reproduce --markdown` wrote, without the claims, which are in verdicts.md. Removes pictures of figures
# that the folder no longer has.
set -eu
md=$1 results=$2
awk '
    NR == 1 {
        print "# The papers redone\n\n## The policies side by side\n\n<!-- gallery -->\n<!-- end -->\n"
        print "[Does bypassing still pay?](today.md): the papers'"'"' mechanisms on a GPU of today, next to what a real one did."
        print "[Machine-learning kernels](models.md): what the L1 does for kernels of models of today."
        next
    }
    /^Made by / { sub(/`byway reproduce[^`]*`/, "`make gallery`") }
    /^## [0-9]/ && !body {
        body = 1
        print "**The claims with their verdicts are in [verdicts](verdicts.md)**, from several runs of each kind with noise. The figures here are"
        print "of one run each without noise, with the linear set index; what both decide: [noise](../noise.md), [sensitivity](../sensitivity.md).\n"
    }
    !body && NR > 5 { next }
    /^[|] [|] claim / { claims = 1 }
    claims && /^$/ { claims = 0; next }
    !claims { print }' "$md/README.md" >"$results/README.md.new"
rm -f "$results"/00[0-9]-*.svg
cp "$md"/*.svg "$results"
# What gallery.sh filled in stays until it fills it in again.
awk '/^<!-- gallery -->$/ { on = 1; next } /^<!-- end -->$/ { exit } on' "$results/README.md" >"$results/README.md.table"
mv "$results/README.md.new" "$results/README.md"
"$(dirname "$0")/fill.sh" "$results/README.md" gallery "$results/README.md.table"
rm "$results/README.md.table"
