# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Writes the type stub of one extension module, with nanobind's own generator.

The module is imported by its full name out of an otherwise empty package: the
package's own `__init__.py` imports the module that is only now being described.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from nanobind import stubgen


def place(extension: Path, module: str, root: Path) -> None:
    """Puts `extension` where `import module` finds it below `root`."""
    *parents, name = module.split(".")
    folder = root.joinpath(*parents)
    folder.mkdir(parents=True, exist_ok=True)
    suffix = extension.name.removeprefix(name)
    if sys.platform == "win32":
        suffix = ".pyd"
    (folder / (name + suffix)).symlink_to(extension.resolve())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", required=True, help="dotted name of the module")
    parser.add_argument("--extension", required=True, type=Path, help="its shared library")
    parser.add_argument("--patterns", type=Path, help="pattern file for the generator")
    parser.add_argument("--output", required=True, type=Path, help="the stub to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        place(options.extension, options.module, Path(root))
        arguments = ["-q", "-i", root, "-m", options.module, "-o", str(options.output)]
        if options.patterns:
            arguments += ["-p", str(options.patterns)]
        try:
            stubgen.main(arguments)
        except ImportError as error:
            print(f"{options.module} does not import: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
