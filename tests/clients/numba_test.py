# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""numba-cuda's own tests, as they are in its wheel, under `warpyard emulate h100`.

numba_modules.txt says how many tests of each module pass. Fewer are a failure; so are more, until
the list says so: the counts only rise.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

from absl.testing import absltest

_FOLDER = pathlib.Path(__file__).parent

# For the program and all that it starts: Bazel's folders are no site-packages, but numba-cuda
# takes the place of numba's own `numba.cuda` through a .pth file, and looks for CUDA's libraries in
# site-packages.
_SITE_CUSTOMIZE = """
import os, site, sys

_folders = [path for path in sys.path if os.path.isdir(os.path.join(path, "nvidia"))]
_others = site.getsitepackages()
site.getsitepackages = lambda *prefixes: _folders + _others
for _path in list(sys.path):
    if os.path.exists(os.path.join(_path, "_numba_cuda_redirector.pth")):
        site.addsitedir(_path)
"""


def _modules() -> dict[str, int]:
    lines = (_FOLDER / "numba_modules.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: int(passed) for name, passed in rows}


class NumbaTest(absltest.TestCase):
    """One case for each module."""

    def check(self, module: str, expected: int) -> None:
        program = [sys.executable, str(_FOLDER / "numba_run.py"), module]
        home = self.create_tempdir().full_path
        pathlib.Path(home, "sitecustomize.py").write_text(_SITE_CUSTOMIZE, "utf-8")
        environment = os.environ | {
            "HOME": home,
            "NUMBA_CACHE_DIR": home,
            "PYTHONPATH": os.pathsep.join([home, *sys.path]),
            "WARPYARD_CACHE_DIR": home,
        }
        run = subprocess.run(
            [sys.executable, "-m", "warpyard", "emulate", "h100", "--", *program],
            capture_output=True,
            cwd=home,
            encoding="utf-8",
            env=environment,
            timeout=240,
            check=False,
        )
        self.assertEqual(run.returncode, 0, f"{run.stdout}\n{run.stderr}"[-4000:])
        verdicts = json.loads(run.stdout.splitlines()[-1])
        self.assertEmpty(verdicts["failed"], run.stderr[-2000:])
        self.assertLen(verdicts["passed"], expected)


def _case(module: str, expected: int) -> Callable[[NumbaTest], None]:
    return lambda self: self.check(module, expected)


for _module, _expected in _modules().items():
    setattr(NumbaTest, "test_" + _module.replace(".", "_"), _case(_module, _expected))


class ListTest(absltest.TestCase):
    """The list itself."""

    def test_it_does_not_shrink(self) -> None:
        self.assertGreaterEqual(len(_modules()), 100)
        self.assertGreaterEqual(sum(_modules().values()), 1100)


if __name__ == "__main__":
    absltest.main()
