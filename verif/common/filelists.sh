#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# filelists.sh check | write - rtl/byw_TOP.f for each level that an integrator may use alone: those
# files of rtl/byw.f, in its order, that TOP instantiates directly or indirectly. They are generated
# from rtl/byw.f, the only maintained list. check: exit 1 and the difference if one is stale.
set -u
cd "${TREE:-$(dirname "$0")/../..}" || exit 2
mode=$1
status=0

list() { # TOP
    grep -v '^#' rtl/byw.f | xargs awk -v top="$1" '
        FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.v$/, "", file)
                   path[file] = FILENAME; order[++n] = file }
        /^ *byw_[a-z0-9_]+ +(#\(|u_)/ { name = $1; uses[file] = uses[file] " " name }
        function reach(m,    part, i, count) {
            if (m in seen || !(m in path)) return
            seen[m] = 1
            count = split(uses[m], part, " ")
            for (i = 1; i <= count; i++) reach(part[i])
        }
        END { reach(top)
              print "# SPDX-License-Identifier: Apache-2.0"
              print "# Files of " top ", relative to the root of the tree.  Made from byw.f (make rtl-lists)."
              print "+incdir+rtl/include"
              for (i = 1; i <= n; i++) if (order[i] in seen) print path[order[i]] }'
}

for top in byw_l1d byw_sm_l1 byw_cluster; do
    if [ "$mode" = write ]; then
        list $top >rtl/$top.f
    elif ! list $top | diff -u rtl/$top.f -; then
        echo "rtl/$top.f is stale: make rtl-lists"
        status=1
    fi
done
exit $status
