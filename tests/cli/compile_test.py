# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard compile` on kernels that compile."""

import hashlib
import json
import pathlib

from absl.testing import absltest
from command import EXAMPLES, PTX, SAXPY, CommandTest


class CompileTest(CommandTest):
    def test_the_matrix(self) -> None:
        self.write("saxpy.cu", SAXPY)
        done = self.run_command("compile", "--target", "h100,b200,sm_120", "saxpy.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["sm_90a", "sm_100a", "sm_120"])
        self.assertEqual(
            lines[1], "saxpy.cu: saxpy (128 threads/block, no static shared memory, no spills)"
        )
        figures = {line[:18].strip(): line[18:].split("  ") for line in lines[2:6]}
        self.assertEqual(list(figures), ["registers/thread", "occupancy", "CUBIN", "compile time"])
        self.assertEqual(lines[3].split()[1:], ["100", "%"] * 3)
        self.assertRegex(lines[4], r"(\d+\.\d KiB +){2}\d+\.\d KiB")
        self.assertRegex(lines[5], r"(\d+(\.\d)? m?s +){2}\d+(\.\d)? m?s")
        self.assertIn("sm_90a: Hopper (h100, ", done.stdout)
        self.assertRegex(lines[-1], r"^3 compiled, 0 skipped, 0 failed in .* with \d workers?$")

    def test_results_to_stdout_progress_to_stderr(self) -> None:
        self.write("saxpy.cu", SAXPY)
        done = self.run_command("compile", "--target", "sm_80,sm_90", "saxpy.cu")
        self.assertEqual(done.stderr, "[1/1] saxpy.cu: 2 targets\n")
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_narrow(self) -> None:
        path = self.write("saxpy.cu", SAXPY)
        done = self.run_command("compile", "--all", path, env={"COLUMNS": "80"})
        self.assertEqual(done.returncode, 0, done.stderr)
        matrix = done.stdout.split("\n\nsm_75: ")[0]
        self.assertLessEqual(max(map(len, matrix.splitlines())), 80)

    def test_json(self) -> None:
        self.write("saxpy.cu", SAXPY)
        report = self.run_json("compile", "-t", "h100", "-t", "h200", "saxpy.cu", "-o", "out")
        self.assertEqual(
            [(t["name"], t["devices"][:2]) for t in report["targets"]],
            [("sm_90a", ["h100", "h200"])],
        )
        (file,) = report["files"]
        (result,) = file["results"]
        self.assertEqual((file["path"], file["language"]), ("saxpy.cu", "cuda"))
        self.assertEqual((result["target"], result["status"]), ("sm_90a", "compiled"))
        cubin = (self.folder / result["outputs"]["cubin"]).read_bytes()
        self.assertEqual(result["cubin_bytes"], len(cubin))
        self.assertEqual(result["cubin_sha256"], hashlib.sha256(cubin).hexdigest())
        (kernel,) = result["kernels"]
        self.assertEqual((kernel["name"], kernel["block_size"]), ("saxpy", 128))
        self.assertBetween(kernel["registers_per_thread"], 4, 40)
        self.assertEqual(kernel["occupancy"]["active_warps"], 64)
        self.assertEqual(
            report["summary"],
            {"compiled": 1, "failed": 0, "skipped": 0, "not_begun": 0, "interrupted": False},
        )

    def test_outputs(self) -> None:
        self.write("a/saxpy.cu", SAXPY)
        done = self.run_command("compile", "-t", "sm_80,h100", "a/saxpy.cu", "-o", "new/out")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "new/out"
        self.assertEqual(
            sorted(path.name for path in out.iterdir()),
            [
                f"saxpy.{target}.{form}"
                for target in ("sm_80", "sm_90a")
                for form in ("cubin", "ptx")
            ],
        )
        self.assert_no_leftovers(out)
        self.assertIn(".target sm_90a", (out / "saxpy.sm_90a.ptx").read_text())

    def test_ptx(self) -> None:
        self.write("k.ptx", PTX % ("8.0", "sm_80"))
        report = self.run_json("compile", "-t", "sm_80,sm_120", "k.ptx", "-o", "out")
        for result in report["files"][0]["results"]:
            self.assertEqual(result["kernels"][0]["name"], "k")
            self.assertEqual(list(result["outputs"]), ["cubin"])

    def test_includes_and_defines(self) -> None:
        self.write("lib/scale.h", "#define SCALE 3.0f\n")
        self.write("beside.h", "#define BESIDE 1\n")
        self.write(
            "k.cu",
            '#include <scale.h>\n#include "beside.h"\n'
            'extern "C" __global__ void k(float* x) { x[0] = SCALE * FACTOR * BESIDE; }\n',
        )
        done = self.run_command("compile", "-t", "sm_90", "-I", "lib", "-D", "FACTOR=2", "k.cu")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_includes_beside_the_file_from_another_folder(self) -> None:
        self.write("src/beside.h", "#define BESIDE 1\n")
        self.write(
            "src/k.cu",
            '#include "beside.h"\nextern "C" __global__ void k(int* x) { x[0] = BESIDE; }\n',
        )
        done = self.run_command("compile", "-t", "sm_90", "src/k.cu")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_block_size_and_dynamic_shared_memory(self) -> None:
        path = self.write("saxpy.cu", SAXPY)
        common = ("compile", "-t", "h100", path)

        def occupancy(*flags: str):
            report = self.run_json(*common, *flags)
            return report["files"][0]["results"][0]["kernels"][0]["occupancy"]

        self.assertEqual(occupancy("--block-size", "32")["active_blocks"], 32)
        # 227 KiB of 228 KiB, less 1 KiB for the system: one block of 4 warps.
        found = occupancy("--dynamic-shared", str(227 << 10))
        self.assertEqual((found["active_warps"], found["limits"]), (4, ["shared memory"]))
        self.assertIsNone(occupancy("--block-size", "256"))  # above its bound of 128

    def test_skipped(self) -> None:
        self.write("k.cu", "// warpyard-requires: sm>=9.0\n" + SAXPY)
        done = self.run_command("compile", "-t", "sm_80,sm_90", "k.cu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"registers/thread +– +\d+\n")
        self.assertIn("– k.cu requires sm>=9.0", done.stdout)
        report = self.run_json("compile", "-t", "sm_80,sm_90", "k.cu")
        skipped = report["files"][0]["results"][0]
        self.assertEqual((skipped["status"], skipped["requirement"]), ("skipped", "sm>=9.0"))

    def test_warnings_are_shown(self) -> None:
        self.write("k.cu", 'extern "C" __global__ void k(int* x) { int unused; x[0] = 1; }\n')
        done = self.run_command("compile", "-t", "sm_80,sm_90", "k.cu")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"warning: k.cu for sm_80, sm_90:\n.*k.cu.*unused")

    def test_names_of_cpp_kernels_are_demangled(self) -> None:
        self.write(
            "k.cu",
            "template <class T> __global__ void scale(T* x) { x[0] *= 2; }\n"
            "template __global__ void scale<float>(float*);\n",
        )
        done = self.run_command("compile", "-t", "sm_90", "k.cu")
        self.assertIn("scale<float>(float*) (256 threads/block", done.stdout)


class ExamplesTest(CommandTest):
    def test_all_examples_for_all_targets(self) -> None:
        files = sorted(EXAMPLES.glob("*.cu"))
        self.assertGreaterEqual(len(files), 10)
        done = self.run_command("compile", "--all", "--json", "-o", "out", *files)
        report = json.loads(done.stdout)
        problems = [
            (file["path"], result["target"], result["error"]["message"])
            for file in report["files"]
            for result in file["results"]
            if result["status"] == "failed"
        ]
        self.assertEmpty(problems)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [target["name"] for target in report["targets"]]
        self.assertContainsSubset(["sm_75", "sm_90a", "sm_100a", "sm_121a"], names)
        self.assertEqual([item["name"] for item in report["left_out"]], ["sm_70"])
        self.assertLen(report["files"], len(files))
        targets_of = {
            pathlib.Path(file["path"]).name: [
                result["target"] for result in file["results"] if result["status"] == "compiled"
            ]
            for file in report["files"]
        }
        self.assertEqual(targets_of["gemm_wgmma_tma.cu"], ["sm_90a"])
        self.assertEqual(targets_of["saxpy.cu"], names)
        self.assertNotEmpty(targets_of["gemm_tcgen05.cu"])
        self.assertNotIn("sm_90a", targets_of["gemm_tcgen05.cu"])
        self.assert_no_leftovers(self.folder / "out")


if __name__ == "__main__":
    absltest.main()
