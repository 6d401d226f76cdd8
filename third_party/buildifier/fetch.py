# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Downloads buildifier with npm, which carries its programs for all platforms.

npm is the client so that a registry configured on the machine is honoured.
Without npm nothing is downloaded, and buildifier's checks are left out with a
word about it: npm is needed for nothing else.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path


def main(package: str, version: str, sha256: str, member: str) -> str | None:
    """Leaves the program as bin/buildifier; gives the reason where it cannot."""
    Path("bin").mkdir()
    npm = shutil.which("npm")
    if npm is None:
        Path("bin/missing.txt").write_text("there is no npm on this machine to fetch it with\n")
        return None
    command = [npm, "pack", "--silent", f"{package}@{version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    archives = list(Path().glob("*.tgz"))
    if done.returncode != 0 or len(archives) != 1:
        errors = [line for line in done.stderr.splitlines() if "npm error" in line.lower()]
        cause = errors[0] if errors else done.stderr.strip() or "npm gave no reason"
        return f"cannot fetch {package} {version} with npm: {cause}"
    if hashlib.sha256(archives[0].read_bytes()).hexdigest() != sha256:
        return f"cannot fetch {package} {version}: what npm got does not have the pinned hash"
    with tarfile.open(archives[0]) as archive:
        source = archive.extractfile(f"package/{member}")
        if source is None:
            return f"{package} {version} has no {member}"
        Path("bin/buildifier").write_bytes(source.read())
    Path("bin/buildifier").chmod(0o755)
    archives[0].unlink()
    return None


if __name__ == "__main__":
    if (problem := main(*sys.argv[1:])) is not None:
        print(f"warpyard: {problem}", file=sys.stderr)
        sys.exit(1)
