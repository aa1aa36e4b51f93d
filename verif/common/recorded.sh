#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# recorded.sh - prints the folder of the recorded references (runs of other simulators, counters of a
# GPU), which do not come with byway: BYWAY_REFERENCE, or the folder `reference` next to the
# checkout that has them.  Prints nothing if there is none.
cd "$(dirname "$0")/../.." || exit 1
if [ -n "${BYWAY_REFERENCE:-}" ]; then
    echo "$BYWAY_REFERENCE"
    exit
fi
for folder in ../*/reference; do
    if [ -e "$folder/accelsim/results.json" ]; then
        echo "$folder"
        exit
    fi
done
