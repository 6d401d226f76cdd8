# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The platform that a wheel truly needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path


class PlatformError(Exception):
    """A wheel that would not work where its name says."""


def of_this_machine() -> str:
    """The tag of a wheel that is for machines like this one, and checked by nobody."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _audit(wheel: Path) -> dict:
    """What auditwheel finds out about a wheel."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = {}
    if done.returncode != 0 or "overall_tag" not in report:
        reason = report.get("error") or done.stderr.strip() or "auditwheel gave no reason"
        raise PlatformError(f"{wheel.name} cannot be audited: {reason}")
    return report


def needed_by(wheel: Path) -> str:
    """The oldest policy (manylinux, musllinux) that has all that a wheel needs.

    The tag that the wheel carries so far plays no part. Where there are no such
    policies, outside Linux, it is that of this machine.
    """
    if not sys.platform.startswith("linux"):
        return of_this_machine()
    report = _audit(wheel)
    tag = report["overall_tag"]
    if tag.startswith("linux_"):
        libraries = ", ".join(sorted(report["external_libs"])) or "none"
        symbols = json.dumps(report["versioned_symbols"], sort_keys=True)
        raise PlatformError(
            f"{wheel.name} works on no range of systems: libraries that it needs and that are "
            f"not everywhere: {libraries}; symbol versions: {symbols}. Link such libraries "
            "statically, or open them at run time."
        )
    return tag
