# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Builds one wheel, whose name says what it truly needs."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

import archive
import description
import metadata
import platform_tag
from description import Description
from packaging.metadata import ExceptionGroup
from packaging.requirements import InvalidRequirement
from packaging.version import InvalidVersion

_EXTENSION_MODULE = re.compile(r"\.(so|pyd|dylib)$")


class WheelError(Exception):
    """A description of what cannot be a wheel."""


def check_abi(wheel: Description) -> bool:
    """Whether there are extension modules; raises where the ABI tag is not true of one."""
    modules = [path for path in sorted(wheel.files) if _EXTENSION_MODULE.search(path)]
    for path in modules:
        if wheel.abi_tag == "none":
            raise WheelError(f"{path} is an extension module, and abi_tag says that there is none")
        if wheel.abi_tag == "abi3" and re.search(r"\.(cpython-|cp)\d", path):
            raise WheelError(
                f"{path} is for one version of Python, and abi_tag abi3 says that the wheel is "
                "for all. Build it with nanobind_extension, or set python_tag and abi_tag."
            )
    return bool(modules)


def contents(wheel: Description, platform: str) -> dict[str, bytes]:
    """All files of the wheel but its RECORD."""
    files = {path: Path(source).read_bytes() for path, source in wheel.files.items()}
    texts = {
        "METADATA": metadata.metadata(wheel),
        "WHEEL": metadata.wheel_file(wheel, platform),
        "entry_points.txt": metadata.entry_points(wheel),
    }
    files |= {f"{wheel.dist_info}/{name}": text.encode() for name, text in texts.items() if text}
    for name, source in wheel.license_files.items():
        files[f"{wheel.dist_info}/licenses/{name}"] = Path(source).read_bytes()
    return files


def build(wheel: Description, folder: Path) -> Path:
    """Writes the wheel into `folder`."""

    def write(into: Path, platform: str) -> Path:
        path = into / f"{wheel.stem}-{wheel.python_tag}-{wheel.abi_tag}-{platform}.whl"
        archive.write(path, contents(wheel, platform), wheel.dist_info)
        return path

    folder.mkdir(parents=True, exist_ok=True)
    if not check_abi(wheel):
        return write(folder, "any")
    with tempfile.TemporaryDirectory() as scratch:
        draft = write(Path(scratch), platform_tag.of_this_machine())
        platform = platform_tag.needed_by(draft)
    return write(folder, platform)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--description", required=True, type=Path, help="what the rule wrote")
    parser.add_argument("--output", required=True, type=Path, help="folder for the wheel")
    options = parser.parse_args(arguments)
    try:
        build(description.read(options.description), options.output)
    except (WheelError, platform_tag.PlatformError, InvalidRequirement, InvalidVersion) as error:
        print(f"warpyard_wheel: {error}", file=sys.stderr)
        return 1
    except ExceptionGroup as group:
        for error in group.exceptions:
            print(f"warpyard_wheel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
