#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# t_skips.sh - run.sh counts and repeats skipped checks, and a skip without a reason fails. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. verif/common/tap.sh
tap_folder out

cat >"$dir/t_reason.sh" <<'END'
. verif/common/tap.sh
result 0 "one check passes"
skip_check "the other needs a tool" "no tool; install it"
finish
END
cat >"$dir/t_silent.sh" <<'END'
echo "ok 1 - a check # SKIP no tool"
echo "1..1"
END
for test in reason silent; do
    sed -i '1i #!/bin/bash' "$dir/t_$test.sh"
    chmod +x "$dir/t_$test.sh"
done

B=$dir verif/run/run.sh "$dir/t_reason.sh" >"$dir/out" 2>&1 && [ "$(tail -n 1 "$dir/out")" = "1 passed, 0 failed, 1 skipped" ]
result $? "skip_check skips one check and not the test"
grep -q '^SKIP .*t_reason.sh: no tool; install it$' "$dir/out"
result $? "the reason is repeated at the end"
! B=$dir verif/run/run.sh "$dir/t_silent.sh" >"$dir/out" 2>&1 && grep -q 'skipped without a reason' "$dir/out"
result $? "a skip without a reason fails"
! grep -rlE '(ok|result 0 ")[^#]*# SKIP' verif --include='t_*.sh' --include='long_*.sh' | grep -v '^verif/run/t_skips.sh$' >"$dir/out"
result $? "no other script prints a skipped check by itself"
finish
