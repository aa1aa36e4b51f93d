#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wheel.py INSTALLED OUT - a wheel of the package byway and of the command.

INSTALLED is the prefix of a `make install`, which the wheel puts below the environment's prefix: bin/byway finds
lib/byway and share/byway from there.  Two runs on the same files write the same bytes.  The command is linked with
this system's libraries, so the wheel is for systems like it (tag linux_ARCHITECTURE, which PyPI does not take).
"""
import base64
import hashlib
import os
import re
import stat
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = ("include/", "lib/libbyway", "lib/pkgconfig/", "share/byway/manifest", "share/byway/rtl/doc/", "share/doc/")
METADATA = """Metadata-Version: 2.1
Name: byway
Version: {version}
Summary: simulator of bypass policies of a GPU's L1 data cache: the command, and a reader of its results
License: Apache-2.0
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: pandas; extra == 'pandas'
"""


def version() -> str:
    text = (ROOT / "cmodel/model/common/byw_version.h").read_text()
    found = re.search(r'^#define BYW_VERSION "(.*)"', text, re.M)
    if found is None:
        sys.exit("byw_version.h: no BYW_VERSION")
    return found.group(1)


def contents(installed: Path, base: str) -> "dict[str, tuple[bytes, int]]":
    """Names in the wheel, with bytes and mode; a link becomes a script that calls what it names."""
    files = {f"byway/{p.name}": (p.read_bytes(), 0o644) for p in sorted((ROOT / "python/byway").iterdir()) if p.is_file()}
    for path in sorted(p for p in installed.rglob("*") if not p.is_dir()):
        name = path.relative_to(installed).as_posix()
        if name.startswith(SKIPPED):
            continue
        if path.is_symlink() and name.startswith("bin/"):
            own, to = path.name.split("-")[1], os.readlink(path)
            text = f'#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/{to}" {own} "$@"\n'.encode()
            files[f"{base}.data/data/{name}"] = (text, 0o755)
        elif not path.is_symlink():
            files[f"{base}.data/data/{name}"] = (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    return files


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: wheel.py INSTALLED OUT")
    base, tag = f"byway-{version()}", f"py3-none-linux_{os.uname().machine}"
    info = f"{base}.dist-info"
    files = contents(Path(sys.argv[1]), base)
    files[f"{info}/METADATA"] = (METADATA.format(version=version()).encode(), 0o644)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: byway\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644)
    files[f"{info}/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), 0o644)
    record = ""
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), 0o644)
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{base}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


main()
