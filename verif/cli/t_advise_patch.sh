#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_advise_patch.sh - `byway advise --patch` on programs whose patch cannot be measured or written: a
# cached binary, a macro, an alias, an inlined function, an image.  Prints TAP; exit status 77 without
# the capture runtime.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/cli/cli.sh
probe=$(dirname "$byway")/verif/opencl/cl_probe
if [ ! -e "$(dirname "$byway")/lib/libOpenCL.so.1" ] || [ ! -x "$probe" ]; then
    skip_all "no capture runtime or no cl_probe; make deps-all opencl"
fi
export BYWAY_CACHE=$dir/cache
patch_word() { # patch_word FILE KEY: its value in the member `patch`
    sed -n '/^ *"patch": {/,/}/p' "$1" | sed -n "s/^ *\"$2\": \(.*[^,]\),*$/\1/p"
}

# Each lane reads a separate row, so bypassing the L1 saves much.
cat >"$dir/rows.cl" <<'EOF'
kernel void rows(global float *a, global float *out, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[get_global_id(0) * n + i];
    out[get_global_id(0)] = s;
}
EOF
arguments="rows.cl rows 2048 64 - f:65536 f:2048 i:32"
# shellcheck disable=SC2086
succeeds "a program" advise -m fermi --hints volatile --patch rows.diff --json plain.json -- "$probe" $arguments
# shellcheck disable=SC2086
CL_PROBE_CACHE=$dir/built succeeds "a program that keeps its binary" \
    advise -m fermi --hints volatile --patch rows.diff --json kept.json -- "$probe" $arguments
[ "$(patch_word "$dir/kept.json" cycles)" = "$(patch_word "$dir/plain.json" cycles)" ] &&
    [ -n "$(patch_word "$dir/kept.json" cycles)" ]
result $? "binary_from_a_cache_is_built_from_the_patched_source"
! grep -q volatile "$dir/built"
result $? "the_programs_own_cache_does_not_get_the_patched_source"
export CL_PROBE_LINK=1
# shellcheck disable=SC2086
CL_PROBE_CACHE=$dir/bitcode by advise -m fermi --hints volatile --patch rows.diff --json lost.json --html lost.html -- "$probe" $arguments
[ $rc = 1 ] && [ "$(wc -l <"$dir/err")" = 1 ] && grep -q 'kernel rows had no hint (line 4).*cache' "$dir/err"
result $? "patch_that_the_program_did_not_build_is_an_error_with_the_reason"
[ "$(patch_word "$dir/lost.json" measured)" = null ] && [ "$(patch_word "$dir/lost.json" changed)" = 1 ] &&
    patch_word "$dir/lost.json" reason | grep -q 'no hint' && [ -s "$dir/rows.diff" ] &&
    grep -q 'not measured' "$dir/out" && grep -q 'Not measured' "$dir/lost.html"
result $? "unmeasured_patch_keeps_the_advice_and_the_diff"
unset CL_PROBE_LINK

cp "$dir/rows.cl" "$dir/1.cl"
(cd "$dir" && patch -s -p0 <rows.diff) && cmp -s "$dir/1.cl" <(sed 's/s += \(a\[.*\]\);/s += (*(volatile __global const float *)\&\1);/' "$dir/rows.cl")
result $? "patch_p0_applies_the_diff"
if command -v git >/dev/null; then
    cp "$dir/rows.cl" "$dir/1.cl"
    (cd "$dir" && git apply rows.diff) 2>"$dir/err" && grep -q volatile "$dir/1.cl"
    result $? "git_apply_applies_the_diff"
fi
printf 'kernel void rows(global float *a, global float *out, int n) { float s = 0; for (int i = 0; i < n; i++)\ns += a[get_global_id(0) * n + i]; out[get_global_id(0)] = s; }' >"$dir/end.cl"
# shellcheck disable=SC2086
by advise -m fermi --hints volatile --patch end.diff --html rows.html -- "$probe" ${arguments/rows.cl/end.cl}
cp "$dir/end.cl" "$dir/1.cl"
(cd "$dir" && patch -s -p0 <end.diff) && grep -q volatile "$dir/1.cl" && [ "$(tail -c 1 "$dir/1.cl")" = '}' ]
result $? "the_diff_of_a_text_without_a_last_newline_applies"
grep -q '<th>predicted</th><th>measured</th>' "$dir/rows.html" && grep -q ' %</td><td>+[0-9.]* %</td></tr>' "$dir/rows.html"
result $? "the_page_shows_predicted_beside_measured"
grep -q '100.0 % of the program' "$dir/out" && grep -q '100.0 % of the program' "$dir/rows.html"
result $? "the_share_of_the_program_is_given"

# What cannot be patched.
unpatched() { # unpatched NAME REASON EXPRESSION [DECLARATION]
    sed "s/a\[get_global_id(0) \* n + i\]/$3/; s/float s = 0;/float s = 0; ${5-}/" "$dir/rows.cl" | cat <(printf '%s\n' "${4-}") - >"$dir/odd.cl"
    # shellcheck disable=SC2086
    by advise -m fermi --hints volatile --patch odd.diff --json odd.json -- "$probe" ${arguments/rows.cl/odd.cl}
    [ $rc = 0 ] && grep -qF "cannot be written: $2" "$dir/out" && ! grep -q '^ *OpenCL ' "$dir/out" &&
        [ "$(patch_word "$dir/odd.json" changed)" = 0 ] && [ "$(patch_word "$dir/odd.json" measured)" = null ] &&
        [ ! -s "$dir/odd.diff" ]
    result $? "$1"
}
unpatched "place_behind_a_macro_is_named" "macro AT hides the expression" \
    'AT(a, get_global_id(0) * n + i)' '#define AT(p, i) ((p)[i])'
unpatched "place_behind_an_alias_is_named" "'a' is read under another name" \
    'b[i]' '' 'global float *b = a + get_global_id(0) * n;'
unpatched "place_in_an_inlined_function_is_named" "it is in a function that the kernel inlines" \
    'get(a, get_global_id(0) * n + i)' 'float get(global float *a, int i) { return a[i]; }'

cat >"$dir/image.cl" <<'EOF'
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void image(read_only image2d_t m, global float *a, global float *out, int n) {
    float sum = 0;
    int x = get_global_id(0);
    for (int i = 0; i < n; i++)
        sum += read_imagef(m, s, (int2)(i, x)).x + a[x * n + i];
    out[x] = sum;
}
EOF
by advise -m fermi --by load --json image.json -- "$probe" image.cl image 512 64 - p:512 f:16384 f:512 i:32
[ $rc = 0 ] && [ "$(grep -c '"alone": {' "$dir/image.json")" = 1 ] && grep -q '"argument": 1,' "$dir/image.json"
result $? "reads_of_images_get_no_hint"
sed 's/ + a\[.*\];/;/' "$dir/image.cl" >"$dir/only.cl"
refuses "a_program_that_reads_images_only" "there is no global load to advise on|images" \
    advise -m fermi -- "$probe" only.cl image 512 64 - p:512 f:16384 f:512 i:32
finish
