#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# json_lines.py FILE... - rewrites JSON of `byway reproduce` with one claim's head and one number a
# line, so that a change shows as the lines of the numbers that changed.
import json
import sys


def line(value):
    return json.dumps(value, ensure_ascii=False)


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        top = json.load(f)
    claims = []
    for claim in top.pop("claims"):
        numbers = claim.pop("numbers", [])
        claims.append(line(claim)[:-1] + ', "numbers": [\n  ' + ",\n  ".join(map(line, numbers)) + "]}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(line(top)[:-1] + ', "claims": [\n ' + ",\n ".join(claims) + "]}\n")
