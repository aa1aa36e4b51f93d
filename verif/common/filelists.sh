#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# filelists.sh check | write - rtl/byw_TOP.f for each level that an integrator may use alone, and
# fpga/adapters/byw_TOP.f for each adapter: those files of rtl/byw.f and adapters.f, in their order,
# that TOP instantiates directly or indirectly. They are generated from these two, the only maintained
# lists. check: exit 1 and the difference if one is stale. (synth/files.sh -f makes a list for any folder.)
set -u
cd "${TREE:-$(dirname "$0")/../..}" || exit 2
mode=$1
status=0

list() { # TOP
    cat rtl/byw.f fpga/adapters/adapters.f | grep -v '^#' | xargs awk -v top="$1" '
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

for f in rtl/byw_l1d rtl/byw_sm_l1 rtl/byw_cluster $(sed '/^#/d; /byw_mem_/d; s/[.]v$//' fpga/adapters/adapters.f); do
    if [ "$mode" = write ]; then
        list "${f##*/}" >$f.f
    elif ! list "${f##*/}" | diff -u $f.f -; then
        echo "$f.f is stale: make rtl-lists"
        status=1
    fi
done
exit $status
