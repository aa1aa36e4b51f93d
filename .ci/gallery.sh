#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# gallery.sh BYWAY DIR - the 18 workloads of the Decoupled L1D paper under the main policies: pages
# in DIR, the table of the results page (between <!-- gallery --> and <!-- end -->), and, if Chromium is
# installed, the pictures of README and of the pages.
set -eu
cd "$(dirname "$0")/.."
byway=$(realpath "$1")
dir=$2
mkdir -p "$dir" cmodel/doc/results
command -v node >/dev/null || { echo "gallery: needs node; apt-get install nodejs" >&2; exit 1; }
policies=bl,ball,mrpb,pc,two_level,decoupled,decoupled_duel
"$byway" compare -m fermi_linear -w @cnf,@cf,@ci -p $policies --repeat 3 --pages "$dir" --json "$dir/compare.json" >/dev/null
"$byway" compare -m fermi -w @cnf,@cf,@ci -p $policies --repeat 3 --json "$dir/hashed.json" >/dev/null
node .ci/gallery.js table "$dir/compare.json" "$dir/hashed.json" >"$dir/table.md"
.ci/fill.sh cmodel/doc/results/README.md gallery "$dir/table.md"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "gallery: no chromium, the pictures stay as they are; apt-get install chromium" >&2
    exit 0
fi
node .ci/gallery.js chart "$browser" "$dir/index.html" cmodel/doc/results/policies.svg
node .ci/gallery.js shot "$browser" "$dir/index.html" cmodel/doc/pages/policies.png 1240 body
node .ci/gallery.js shot "$browser" "$dir/nw.html" cmodel/doc/pages/workload.png 560 .charts
node .ci/gallery.js why "$browser" "$dir/index.html" cmodel/doc/pages/why.png srad_v2
