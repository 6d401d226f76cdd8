# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the wheel's name claims is true, by the tools that others judge it with."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from absl.testing import absltest
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

[_WHEEL] = Path("python/wheel").iterdir()


def run_module(*arguments: str) -> dict:
    """Runs `python -m ARGUMENTS` and reads the JSON that it prints."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


class AuditTest(absltest.TestCase):
    def test_name(self):
        name, _, build, tags = parse_wheel_filename(_WHEEL.name)
        self.assertEqual((name, build), ("warpyard", ()))
        for tag in tags:
            self.assertEqual((tag.interpreter, tag.abi), ("cp310", "abi3"))
            self.assertRegex(tag.platform, r"^(manylinux|musllinux)_\d+_\d+_")

    def test_platform_is_the_one_that_is_needed(self):
        report = run_module("auditwheel", "show", "--json", str(_WHEEL))
        platforms = _WHEEL.stem.split("-")[-1].split(".")
        self.assertIn(report["overall_tag"], platforms)
        self.assertEqual(report["external_libs"], {})

    def test_stable_abi(self):
        report = run_module("abi3audit", "--strict", "--report", str(_WHEEL))
        [audited] = report["specs"].values()
        # The tool looks at all libraries; the others know nothing of Python.
        found = {library["name"]: library["result"] for library in audited["wheel"]}
        result = found["_warpyard.abi3.so"]
        self.assertTrue(result["is_abi3"], result)
        self.assertEqual(result["baseline"], "3.10")
        self.assertTrue(result["is_abi3_baseline_compatible"], result)

    def test_size(self):
        # Indexes take files of up to 100 MB; most of this is the emulated driver.
        self.assertLess(_WHEEL.stat().st_size, 12 << 20)

    def test_cuda_is_required_and_not_inside(self):
        with zipfile.ZipFile(_WHEEL) as wheel:
            libraries = [name for name in wheel.namelist() if ".so" in name]
            [metadata] = [name for name in wheel.namelist() if name.endswith("/METADATA")]
            found = Metadata.from_email(wheel.read(metadata), validate=True)
            self.assertIn("warpyard/py.typed", wheel.namelist())
            self.assertIn("warpyard/_warpyard.pyi", wheel.namelist())
        self.assertEqual(
            sorted(libraries),
            [
                "warpyard/_warpyard.abi3.so",
                "warpyard/libwarpyard_cuda.so",
                "warpyard/libwarpyard_preload.so",
            ],
        )
        required = {requirement.name for requirement in found.requires_dist}
        self.assertContainsSubset(
            {"nanobind-backend", "nvidia-cuda-nvrtc", "nvidia-cuda-runtime", "nvidia-nvjitlink"},
            required,
        )
        for requirement in found.requires_dist:
            if requirement.name.startswith("nvidia-"):
                # The next major version is another CUDA.
                self.assertNotIn("14.0", requirement.specifier)
                self.assertIn("13.5.37", requirement.specifier)


if __name__ == "__main__":
    absltest.main()
