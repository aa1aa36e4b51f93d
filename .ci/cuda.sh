#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# cuda.sh FOLDER - puts NVIDIA's compiler, assembler, disassembler and their headers into FOLDER
# (bin, include, lib, nvvm), from NVIDIA's wheels on PyPI, without root. About 130 MB to fetch, 280
# on disk. Where a toolkit in /usr/local/cuda or on PATH exists, byway uses that one.
#
# Needs python3 with pip. Exit status 0: FOLDER is complete; it appears only then.
set -eu
folder=$1
release='13.0.*'
# nvdisasm has no wheel of that release.
wheels="nvidia-cuda-nvcc==$release nvidia-nvvm==$release nvidia-cuda-crt==$release nvidia-cuda-runtime==$release
    nvidia-cuda-cccl==$release nvidia-cuda-nvdisasm==13.2.* nvidia-curand==10.4.0.*"
python=${BYWAY_PYTHON:-python3}

if [ -x "$folder/bin/nvcc" ] && [ -x "$folder/bin/nvdisasm" ]; then
    echo "$folder has a toolkit: $("$folder/bin/nvcc" --version | sed -n 's/.*release /release /p')"
    exit 0
fi
if ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "cuda.sh: $python has no pip: apt-get install python3-pip, or name a Python that has it in BYWAY_PYTHON" >&2
    exit 2
fi
mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2086 # words
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-cache-dir --target "$new/wheels" $wheels
made=$new/wheels/nvidia/cu13
for tool in nvcc ptxas nvdisasm cudafe++; do
    [ -x "$made/bin/$tool" ] || { echo "cuda.sh: the wheels have no $tool" >&2; exit 1; }
done
ln -s lib "$made/lib64" # where nvcc looks
ln -s libcudart.so.13 "$made/lib/libcudart.so"
rm -rf "$folder"
mv "$made" "$folder"
echo "$folder: $("$folder/bin/nvcc" --version | sed -n 's/.*release /release /p')"
