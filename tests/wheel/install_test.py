# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The wheel in a clean virtual environment: installed by pip, imported, put to work.

There is no network here. The distributions that the wheel requires are those that
the workspace has, made visible to the environment by a .pth file; `pip check` tells
whether they are the ones that the wheel asks for.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from absl.testing import absltest

[_WHEEL] = Path("python/wheel").resolve().iterdir()
_KERNEL = Path("examples/kernels/saxpy.cu").resolve()

_COMPILE = """
import json, pathlib, sys, warpyard
results = warpyard.compile(pathlib.Path(sys.argv[1]), ["h100", "sm_120"])
print(json.dumps({
    "file": warpyard.__file__,
    "version": warpyard.__version__,
    "targets": len(warpyard.targets()),
    "kernels": {target: result.kernels[0].name for target, result in results.items()},
    "magic": {target: bytes(result.cubin[:4]).hex() for target, result in results.items()},
}))
"""

_RUN = """
import pathlib, sys, warpyard
with warpyard.emulate("h100", "b200") as gpus:
    for gpu in gpus:
        y = gpu.zeros(100)
        x = gpu.array([float(i) for i in range(100)], "f32")
        warpyard.load(pathlib.Path(sys.argv[1]), gpu)["saxpy"].launch(1, 256, [2.0, x, y, 100])
        print(gpu.compute_capability, y.numpy().sum())
"""

# As a program that knows nothing of Warpyard.
_CLIENT = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
count = ctypes.c_int()
print(cuda.cuInit(0), cuda.cuDeviceGetCount(ctypes.byref(count)), count.value)
"""


class InstallTest(absltest.TestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        home = cls.folder / "home"
        home.mkdir()
        # Nothing of the test's own environment but where programs are.
        cls.environment = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        environment = cls.folder / "venv"
        venv.create(environment, with_pip=True, symlinks=True)
        cls.bin = environment / "bin"
        [site_packages] = environment.glob("lib/python*/site-packages")
        required = [entry for entry in sys.path if entry.endswith("/site-packages")]
        runfiles = [entry for entry in required if ".runfiles/" in entry]
        (site_packages / "required.pth").write_text("\n".join(runfiles) + "\n", encoding="utf-8")
        cls.run_program("python", "-m", "pip", "install", "--no-index", "--no-deps", str(_WHEEL))

    @classmethod
    def run_program(cls, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [cls.bin / program, *arguments],
            capture_output=True,
            text=True,
            env=cls.environment,
            cwd=cls.folder,
            check=False,
        )
        if done.returncode != 0:
            raise AssertionError(
                f"{program} {arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def test_requirements_are_met(self):
        self.assertIn("No broken requirements", self.run_program("python", "-m", "pip", "check"))

    def test_compiles_a_kernel(self):
        found = json.loads(self.run_program("python", "-c", _COMPILE, str(_KERNEL)))
        self.assertStartsWith(found["file"], str(self.folder))
        self.assertIn(f"-{found['version']}-", _WHEEL.name)
        self.assertGreater(found["targets"], 15)
        self.assertEqual(found["kernels"], {"h100": "saxpy", "sm_120": "saxpy"})
        self.assertEqual(set(found["magic"].values()), {b"\x7fELF".hex()})

    def test_runs_a_kernel_on_emulated_gpus(self):
        printed = self.run_program("python", "-c", _RUN, str(_KERNEL))
        self.assertEqual(printed, "9.0 9900.0\n10.0 9900.0\n")

    def test_command_emulates(self):
        program = ["emulate", "b200*4", "--", "python3", "-c", _CLIENT]
        self.assertEqual(self.run_program("warpyard", *program), "0 0 4\n")

    def test_doctor(self):
        report = json.loads(self.run_program("warpyard", "doctor", "--json"))
        self.assertTrue(report["can_compile"] and report["can_run"])
        self.assertStartsWith(report["drivers"]["emulated"]["path"], str(self.folder))

    def test_lists_targets(self):
        listed = self.run_program("warpyard", "targets")
        for name in ("a100", "h100", "b200", "spark"):
            self.assertIn(name, listed)

    def test_command_compiles(self):
        arguments = ["compile", str(_KERNEL), "--target", "h100,b200", "-o", "out"]
        printed = self.run_program("warpyard", *arguments)
        self.assertIn("saxpy", printed)
        cubins = sorted(self.folder.glob("out/**/*.cubin"))
        self.assertLen(cubins, 2)
        for cubin in cubins:
            self.assertEqual(cubin.read_bytes()[:4], b"\x7fELF")

    def test_an_error_is_a_python_exception(self):
        program = "import warpyard\ntry: warpyard.resolve_target('h999')\n"
        program += "except warpyard.Error as error: print(type(error).__name__, error)\n"
        self.assertIn("h999", self.run_program("python", "-c", program))


if __name__ == "__main__":
    absltest.main()
