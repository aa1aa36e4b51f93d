#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# manifests.sh core|bender - prints the FuseSoC core file rtl/byway.core, or Bender's manifest rtl/Bender.yml,
# generated from rtl/byw.f and fpga/adapters/adapters.f (`make rtl-manifests`).
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define BYW_VERSION "\(.*\)"/\1/p' cmodel/model/common/byw_version.h)
files() { # files LIST INDENT: relative to rtl
    sed '/^#/d;s,^rtl/,,;s,^fpga/,../fpga/,' "$1" | sed "s/^/$2- /"
}
systemverilog() { # systemverilog INDENT: the package and the wrapper with structs
    for f in byw_pkg byw_sm_l1_sv; do echo "$1- sv/$f.sv"; done
}
case $1 in
core)
    echo 'CAPI=2:'
    echo '# made from rtl/byw.f and fpga/adapters/adapters.f by make rtl-manifests; not edited'
    echo "name: ::byway:$version"
    echo 'description: GPU L1 data cache with bypass mechanisms'
    echo 'filesets:'
    echo '  rtl:'
    echo '    file_type: verilogSource-2005'
    echo '    files:'
    for h in rtl/include/*.vh; do
        echo "    - ${h#rtl/}: {is_include_file: true, include_path: include}"
    done
    files rtl/byw.f '    '
    echo '  adapters:'
    echo '    file_type: verilogSource-2005'
    echo '    files:'
    files fpga/adapters/adapters.f '    '
    echo '  systemverilog:'
    echo '    file_type: systemVerilogSource'
    echo '    files:'
    echo '    - sv/byw_typedef.svh: {is_include_file: true, include_path: sv}'
    systemverilog '    '
    echo 'targets:'
    echo '  default:'
    echo '    filesets: [rtl]'
    echo '  adapters:'
    echo '    filesets: [rtl, adapters]'
    echo '  systemverilog:'
    echo '    filesets: [rtl, systemverilog]'
    echo '  lint:'
    echo '    filesets: [rtl, adapters]'
    echo '    default_tool: verilator'
    echo '    toplevel: byw_cluster'
    echo '    tools: {verilator: {mode: lint-only, verilator_options: [--language, 1364-2005]}}'
    ;;
bender)
    echo '# made from rtl/byw.f and fpga/adapters/adapters.f by make rtl-manifests; not edited'
    echo 'package:'
    echo '  name: byway'
    echo 'sources:'
    echo '- include_dirs: [include]'
    echo '  files:'
    files rtl/byw.f '  '
    echo '- target: byway_adapters'
    echo '  include_dirs: [include]'
    echo '  files:'
    files fpga/adapters/adapters.f '  '
    echo '- target: byway_systemverilog'
    echo '  include_dirs: [include, sv]'
    echo '  files:'
    systemverilog '  '
    ;;
*)
    sed -n '4,5s/^# //p' "$0" >&2
    exit 2
    ;;
esac
