#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_registers.sh - registers per thread in a trace: the capture's estimate, and those that NVIDIA's assembler
# assigned (BYWAY_PTXAS).  Prints TAP; exit status 77 without the runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
B=${B:-build}
probe=$B/verif/opencl/cl_probe
needs_built libOpenCL.so.1 "$B/byway" "$probe"
tap_folder out err
cat >"$dir/k.cl" <<'EOF'
kernel void scale(global int *a, global int *b, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] = 3 * b[i];
}
EOF
# An assembler that counts 42 registers of the kernel, and one that refuses the code.
cat >"$dir/ptxas" <<'EOF'
#!/bin/sh
for f; do case $f in *.ptx) break ;; esac; done
grep -q 'entry scale' "$f" || exit 1
cat >&2 <<'END'
ptxas info    : Compiling entry function 'scaled' for 'sm_90'
ptxas info    : Used 13 registers, used 0 barriers
ptxas info    : Compiling entry function 'scale' for 'sm_90'
ptxas info    : Used 42 registers, used 0 barriers
END
EOF
printf '#!/bin/sh\necho "Used 13 registers" >&2\nexit 255\n' >"$dir/refuses"
chmod +x "$dir/ptxas" "$dir/refuses"
# Captures into $dir/$1.bwt with assembler $2.
capture() {
    env BYWAY_PTXAS="$2" "$B/byway" trace capture -o "$dir/$1.bwt" -- \
        "$probe" "$dir/k.cl" scale 64 32 - b:256 b:256 i:64 >"$dir/out" 2>"$dir/err"
}
field() { # field TRACE NAME: of the first launch
    "$B/byway" trace info --json "$dir/$1.bwt" | sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" | head -1
}
capture off off && [ "$(field off compiled_registers)" = 0 ] && [ "$(field off registers)" -gt 0 ]
result $? "without an assembler a trace has the estimate alone"
capture fake "$dir/ptxas" && [ "$(field fake compiled_registers)" = 42 ]
result $? "a trace has the registers that the assembler assigned to its kernel"
[ "$(field fake registers)" = "$(field off registers)" ]
result $? "the estimate does not depend on the assembler"
capture refuses "$dir/refuses" && [ "$(field refuses compiled_registers)" = 0 ]
result $? "code that the assembler refuses has unknown registers, and is captured"
capture bad "$dir/nowhere"
[ $? = 2 ] && grep -qF "BYWAY_PTXAS is '$dir/nowhere'; expected a program, or off" "$dir/err"
result $? "an assembler that cannot be run is refused before the program starts"
if real=$(cuda_tool ptxas); then
    capture real "$real" && [ "$(field real compiled_registers)" -ge 4 ] && [ "$(field real compiled_registers)" -le 32 ]
    result $? "NVIDIA's own assembler gives a small kernel 4 to 32 registers"
else
    echo "# SKIP no ptxas; make deps-cuda"
fi
finish
