#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_wheel.sh - the Python package: its rows are the values of results, alike from JSON, the folder, the table and
# the database of a sweep; what is no result is an error that names it; the wheel of make wheel is the same bytes
# twice, and in a fresh environment its command runs and its reader reads. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. verif/cli/cli.sh
B=${B:-build}
top=$PWD
command -v python3 >/dev/null || skip_all "no python3; apt-get install python3"
export PYTHONPATH=$top/python${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
make_trace "$dir/a" 1 24
make_trace "$dir/=b" 1 40
by sweep -t a -t ./=b -m fermi -p bl --set l1d.mshrs=16,32 -d swept
by compare -t a -m fermi -p bl,ball --json compare.json
py() { # py NAME: the script on stdin exits 0
    (cd "$dir" && python3 -) >"$dir/out" 2>"$dir/err"
    result $? "$1"
}
py "the same rows from the folder, the table and the database" <<'END'
import byway
folder, table = byway.rows("swept"), byway.rows("swept/results.csv")
assert len(folder) == len(table) == 4
def near(a, b): return a == b or (isinstance(a, (int, float)) and abs(a - b) <= 1e-6 * abs(a))
by_id = {row["run_id"]: row for row in folder}
for row in table:
    own = by_id[row["run_id"]]
    assert len(row) > 100
    for key in row.keys() & own.keys():
        assert near(own[key], row[key]), (key, own[key], row[key])
assert {row["workload"] for row in table} == {"a", "=b"}
END
if [ -e "$dir/swept/results.sqlite" ]; then
    py "and from the database, with settings" <<'END'
import byway
by_id = {row["run_id"]: row for row in byway.rows("swept")}
base = byway.rows("swept/results.sqlite")
assert len(base) == 4
for row in base:
    own = by_id[row["run_id"]]
    shared = [k for k in row if k in own]
    assert len(shared) > 100 and row["config.l1d.mshrs"] in (16, 32)
    for key in shared:
        a, b = own[key], row[key]
        assert a == b or abs(float(a) - float(b)) <= 1e-6 * abs(float(a)), (key, a, b)
END
else
    skip_check "and from the database" "no libsqlite3; apt-get install libsqlite3-dev"
fi
want=$(jq -r '[.runs[] | .l1d.loads] | join(" ")' "$dir/compare.json")
[ -n "$want" ] && [ "$(cd "$dir" && python3 -c 'import byway; print(*[r["l1d.loads"] for r in byway.rows("compare.json")])')" = "$want" ]
result $? "the rows of a comparison: $want"
kernels=$(jq '[.runs[].per_kernel[]] | length' "$dir/compare.json")
[ "$(cd "$dir" && python3 -c 'import byway; r = byway.rows("compare.json", per="kernel"); print(len(r), sum(x["cycles"] > 0 and "kernel" in x for x in r))')" = "$kernels $kernels" ]
result $? "a row per kernel"
echo '{"schema": "other"}' >"$dir/other.json"
echo text >"$dir/text.json"
printf 'x,y\n1,2\n' >"$dir/xy.csv"
cp "$dir/text.json" "$dir/no.sqlite"
mkdir "$dir/empty"
py "what is no result is refused, by name" <<'END'
import byway
for source in ("other.json", "text.json", "xy.csv", "no.sqlite", "empty"):
    try:
        byway.rows(source)
    except byway.Error as error:
        assert source in str(error), error
    else:
        raise SystemExit(source)
END
if python3 -c 'import pandas' 2>/dev/null; then
    py "a pandas frame" <<'END'
import byway
frame = byway.frame("compare.json")
assert len(frame) == 2 and frame["l1d.loads"].sum() > 0
END
else
    skip_check "a pandas frame" "no pandas; pip install pandas"
fi
if python3 -m mypy --version >/dev/null 2>&1; then
    python3 -m mypy --strict --ignore-missing-imports --cache-dir="$dir/mypy" python/byway >"$dir/out" 2>"$dir/err"
    result $? "its types, judged by mypy"
else
    skip_check "its types, judged by mypy" "no mypy; pip install mypy"
fi

# --- the wheel
unset PYTHONPATH
make -s B="$B" wheel >"$dir/out" 2>"$dir/err"
result $? "make wheel"
wheel=$(ls "$B"/wheel/*.whl)
cp "$wheel" "$dir/first.whl"
make -s B="$B" wheel >"$dir/out" 2>"$dir/err" && cmp "$wheel" "$dir/first.whl" >"$dir/out" 2>&1
result $? "the same bytes twice"
if ! python3 -m venv "$dir/venv" >"$dir/out" 2>&1; then
    skip_check "the wheel in a fresh environment" "this python3 has no venv"
    finish
fi
"$dir/venv/bin/pip" install --no-index --no-deps "$wheel" >"$dir/out" 2>"$dir/err"
result $? "pip installs it"
(cd "$dir" && unset BYWAY_CONFIGS BYWAY_TRACES && venv/bin/byway list machines >out 2>err && venv/bin/byway compare -w nw_nospm -p bl,ball --json w.json >out 2>err &&
    venv/bin/python -c 'import byway; print(len(byway.rows("w.json")))' >out 2>err && [ "$(cat out)" = 2 ])
result $? "its command simulates a shipped workload, and its reader reads the result"
[ "$("$dir/venv/bin/byway-nvcc" --help 2>&1 | head -n 1)" = "$("$byway" nvcc --help 2>&1 | head -n 1)" ]
result $? "its byway-nvcc is byway nvcc"
"$dir/venv/bin/pip" uninstall -y byway >"$dir/out" 2>"$dir/err"
[ -z "$(find "$dir/venv" -path '*byway*' -type f)" ]
result $? "pip removes it to the last file"
finish
