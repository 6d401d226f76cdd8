# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard run`, `warpyard emulate` and `warpyard doctor` on emulated GPUs."""

import json
import os
import pathlib
import signal
import sys

import numpy as np
from absl.testing import absltest
from command import SAXPY, CommandTest

_TWO = """\
extern "C" __global__ void one(float* x) { x[0] = 1; }
extern "C" __global__ void wrong(float* x) {
  x[threadIdx.x + 1000] = 1;
}
"""

# Calls the driver as any program does: by its name, through the loader.
_CLIENT = """\
import ctypes, json, os
cuda = ctypes.CDLL("libcuda.so.1")
count = ctypes.c_int()
name = ctypes.create_string_buffer(100)
results = [cuda.cuInit(0), cuda.cuDeviceGetCount(ctypes.byref(count)),
           cuda.cuDeviceGetName(name, 100, 0)]
print(json.dumps([results, count.value, name.value.decode(), os.environ["WARPYARD_EMULATE"]]))
"""


class RunTest(CommandTest):
    def _saxpy(self, *flags: str, code: int = 0) -> str:
        self.write("saxpy.cu", SAXPY)
        done = self.run_command(
            *("run", "saxpy.cu", "--emulate", "h100", "--grid", "2", "--block", "128"),
            *("-a", "f32=2", "-a", "f32[200]=arange", "-a", "inout:f32[200]=1", "-a", "s32=200"),
            *flags,
        )
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done.stdout

    def test_prints_what_was_written(self) -> None:
        lines = self._saxpy().splitlines()
        self.assertRegex(lines[0], r"^saxpy on emulated NVIDIA H100 .*\(9\.0\): \d")
        self.assertEqual(lines[1], "arg 2: float32[200]")
        self.assertEqual(lines[2].split(), "[ 1. 3. 5. 7. ... 393. 395. 397. 399.]".split())
        self.assertEqual(lines[3].strip(), "min 1, max 399, mean 200, sum 40000")

    def test_json_and_files(self) -> None:
        report = json.loads(self._saxpy("--json", "-o", "out"))
        self.assertEqual(report["kernel"], "saxpy")
        self.assertTrue(report["device"]["is_emulated"])
        (output,) = report["outputs"]
        self.assertEqual((output["argument"], output["shape"]), (2, [200]))
        self.assertEqual(output["statistics"]["max"], 399)
        written = np.load(self.folder / "out/arg2.npy")
        np.testing.assert_array_equal(written, 2 * np.arange(200) + 1)
        # What it wrote can be read again.
        self.write("saxpy.cu", SAXPY)
        again = self.run_json(
            *("run", "saxpy.cu", "--emulate", "a100", "-a", "f32=0", "-a", "f32[4]"),
            *("-a", "inout:f32[200]=out/arg2.npy", "-a", "s32=1"),
        )
        self.assertEqual(again["outputs"][0]["statistics"]["sum"], 40000)

    def test_small_arrays_are_printed_whole(self) -> None:
        self.write("k.cu", 'extern "C" __global__ void k(int* x) { x[threadIdx.x] = threadIdx.x; }')
        report = self.run_json("run", "k.cu", "--emulate", "t4", "--block", "5", "-a", "out:s32[5]")
        self.assertEqual(report["outputs"][0]["values"], [0, 1, 2, 3, 4])

    def test_which_kernel(self) -> None:
        self.write("two.cu", _TWO)
        done = self.run_command("run", "two.cu", "--emulate", "h100", "-a", "out:f32[1]")
        self.assert_says(done, 2, "two.cu has 2 kernels; --kernel one of: one, wrong")
        done = self.run_command("run", "two.cu", "--emulate", "h100", "-k", "three")
        self.assert_says(done, 1, 'no kernel "three"; it has: one, wrong')

    def test_a_fault(self) -> None:
        self.write("two.cu", _TWO)
        done = self.run_command(
            *("run", "two.cu", "--emulate", "h100", "-k", "wrong", "-a", "out:f32[10]")
        )
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"CUDA_ERROR_ILLEGAL_ADDRESS")
        self.assertRegex(done.stderr, r"out-of-bounds write of 4 bytes")
        self.assertRegex(done.stderr, r"two\.cu:3")

    def test_wrong_use(self) -> None:
        self.write("saxpy.cu", SAXPY)
        run = ("run", "saxpy.cu", "--emulate", "h100")
        for flags, message in (
            (("-a", "f33=2"), "data type 'f33': unknown"),
            (("-a", "f32"), "a scalar needs a value: f32=1"),
            (("-a", "out:f32=1"), r"a scalar is no output; give it a shape: f32\[1\]"),
            (("-a", "f32[x]"), r"expected \[out:"),
            (("-a", "s8=300"), "300 does not fit into int8"),
            (("-a", "f32[4]=gone.npy"), "gone.npy: there is no such file"),
            (("-a", "f32[4]=much"), "found 'much', expected a number, zeros"),
        ):
            self.assert_says(self.run_command(*run, *flags), 2, message)
        self.assert_says(self.run_command("run", "gone.cu"), 2, "gone.cu: there is no such file")
        self.assert_says(
            self.run_command("run", "saxpy.cu", "--emulate", "h101"), 2, "did you mean h100"
        )
        self.assert_says(self.run_command(*run), 1, "takes 4 arguments, found 0")
        self.assert_says(self.run_command(*run, "--device", "3"), 1, "device 3: .* has 1, from 0")


class EmulateTest(CommandTest):
    def test_a_program_finds_the_driver(self) -> None:
        done = self.run_command("emulate", "b200*3", "--", sys.executable, "-c", _CLIENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        results, count, name, gpus = json.loads(done.stdout)
        self.assertEqual((results, count, gpus), ([0, 0, 0], 3, "b200*3"))
        self.assertIn("B200", name)
        # The next one uses the same folder.
        folders = list(self.cache.glob("emulated-driver/*"))
        self.assertLen(folders, 1)
        self.run_command("emulate", "h100", "--", "true")
        self.assertEqual(list(self.cache.glob("emulated-driver/*")), folders)

    def test_the_exit_code_is_the_programs(self) -> None:
        done = self.run_command("emulate", "h100", "--", "sh", "-c", "exit 42")
        self.assertEqual(done.returncode, 42)
        done = self.run_command("emulate", "h100", "sh", "-c", "kill -TERM $$")
        self.assertEqual(done.returncode, -signal.SIGTERM)

    def test_warpyard_under_itself(self) -> None:
        done = self.run_command(
            *("emulate", "h100,t4", "--", sys.executable, "-c"),
            "import warpyard; print([str(d.compute_capability) for d in warpyard.devices()])",
        )
        self.assertEqual(done.stdout.strip(), "['9.0', '7.5']")

    def test_wrong_use(self) -> None:
        self.assert_says(self.run_command("emulate", "h100"), 2, "name a program behind --")
        self.assert_says(self.run_command("emulate", "h101", "--", "true"), 2, "did you mean h100")
        done = self.run_command("emulate", "h100", "--", "no-such-program")
        self.assert_says(done, 127, "no-such-program: there is no such program")
        for flag in ("--sanitize=all", "--profile=x"):
            done = self.run_command("emulate", flag, "h100", "--", "true")
            self.assert_says(done, 1, "the emulated driver cannot do that yet")
        path = self.write("file", "")
        self.assert_says(self.run_command("emulate", "h100", path), 126, "Permission denied")

    def test_a_cache_that_is_read_only(self) -> None:
        blocked = self.write("blocked", "")  # a file where a folder must be
        environment = {"WARPYARD_CACHE_DIR": str(blocked), "TMPDIR": str(self.folder)}
        done = self.run_command(
            *("emulate", "h100", "--", sys.executable, "-c", _CLIENT), env=environment
        )
        self.assertEqual(done.returncode, 0, done.stderr)


class DoctorTest(CommandTest):
    def test_what_there_is(self) -> None:
        report = self.run_json("doctor", env={"WARPYARD_EMULATE": "h100,b200"})
        self.assertTrue(report["can_compile"] and report["can_run"])
        devices = report["drivers"]["used"]["devices"]
        self.assertEqual([device["compute_capability"] for device in devices], ["9.0", "10.0"])
        self.assertTrue(all(device["is_emulated"] for device in devices))
        self.assertEqual(report["drivers"]["used"]["reason"], "WARPYARD_EMULATE")
        self.assertIn("b300", report["can_emulate"])
        parts = {part["name"]: part for part in report["compilers"]}
        self.assertRegex(parts["NVRTC"]["version"], r"^13\.")
        self.assertTrue(pathlib.Path(parts["NVRTC"]["path"]).exists())
        told = self.run_command("doctor", env={"WARPYARD_EMULATE": "h100,b200"})
        self.assertEqual(told.returncode, 0)
        self.assertIn("Kernels can be compiled and can be run on this machine.", told.stdout)
        self.assertRegex(told.stdout, r"0: NVIDIA H100 .* \(9\.0\), 80 GiB, 132 SMs, emulated")

    def test_what_is_missing(self) -> None:
        empty = self.create_tempdir().full_path
        done = self.run_command("doctor", env={"WARPYARD_CUDA_ROOT": empty})
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing: pip install nvidia-cuda-nvrtc", done.stdout)
        self.assertIn("Kernels cannot be compiled", done.stdout)

    def test_a_driver_that_does_not_open(self) -> None:
        report = self.run_json("doctor", env={"WARPYARD_CUDA_DRIVER": os.devnull})
        self.assertIn("/dev/null", report["drivers"]["used"]["problem"])


if __name__ == "__main__":
    absltest.main()
