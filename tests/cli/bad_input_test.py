# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Bad input: one clear message each, the right exit code, nothing half-written."""

import resource

from absl.testing import absltest, parameterized
from command import PTX, SAXPY, CommandTest

_BROKEN = """\
extern "C" __global__ void k(float* x) {
  x[0] = y;
}
"""


class UsageTest(CommandTest, parameterized.TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.write("saxpy.cu", SAXPY)

    @parameterized.parameters(
        (["-t", "h10O", "saxpy.cu"], "unknown GPU.*h10O.*did you mean h100.*Known GPUs: .*b200"),
        (["-t", "sm_999", "saxpy.cu"], "sm_999"),
        (["-t", "sm_90z", "saxpy.cu"], "sm_90z"),
        (["-t", "", "saxpy.cu"], "no target named"),
        (["-t", "h100", "gone.cu"], "gone.cu: there is no such file"),
        (["-t", "h100", "."], r"\.: is a folder"),
        (["-t", "h100", "saxpy.cu", "--provider", "gcc"], "unknown provider; known are: .*nvrtc"),
        (["-t", "h100", "saxpy.cu", "-I", "gone"], "-I gone: there is no such folder"),
        (["-t", "h100", "saxpy.cu", "-o", "saxpy.cu"], "saxpy.cu: is a file, expected a folder"),
    )
    def test_wrong_use(self, arguments: list[str], pattern: str) -> None:
        done = self.run_command("compile", *arguments)
        self.assert_says(done, 2, pattern)
        self.assertEmpty(done.stdout)

    @parameterized.parameters(
        ([], "required: COMMAND"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["compile", "saxpy.cu"], "one of the arguments -t/--target --all is required"),
        (["compile", "--all", "-t", "h100", "saxpy.cu"], "not allowed with"),
        (["compile", "--all"], "required: FILE"),
        (["compile", "--all", "saxpy.cu", "--frobnicate"], "unrecognized arguments: --frob"),
        (["compile", "--all", "saxpy.cu", "--jobs", "0"], "'0' is no number of jobs"),
        (["compile", "--all", "saxpy.cu", "--block-size", "many"], "'many' is no block size"),
        (["compile", "--all", "saxpy.cu", "-O", "9"], "invalid choice: 9"),
        (["targets", "more"], "unrecognized arguments: more"),
    )
    def test_wrong_flags(self, arguments: list[str], pattern: str) -> None:
        done = self.run_command(*arguments)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: warpyard", done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], pattern)


class FailedCompileTest(CommandTest):
    def _fails(self, name: str, text: str | bytes, targets: str, *flags: str):
        self.write(name, text)
        done = self.run_command("compile", "-t", targets, name, "-o", "out", *flags)
        self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
        self.assert_no_leftovers(self.folder / "out")
        return done

    def test_cuda_diagnostics_have_file_and_line(self) -> None:
        done = self._fails("k.cu", _BROKEN, "sm_80,h100")
        self.assertRegex(done.stdout, r"CUBIN +✗ code +✗ code")
        self.assertIn("✗ k.cu for sm_80, sm_90a:", done.stdout)
        self.assertRegex(done.stdout, r'k\.cu\(2\): error: identifier "y" is undefined')
        self.assertEqual(done.stderr, "[1/1] k.cu: 2 targets, 2 failed\n")

    def test_a_failure_does_not_keep_the_rest_from_compiling(self) -> None:
        self.write("good.cu", SAXPY)
        self.write("k.cu", _BROKEN)
        done = self.run_command("compile", "-t", "sm_80", "k.cu", "good.cu", "-o", "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 compiled, 0 skipped, 1 failed", done.stdout)
        self.assertTrue((self.folder / "out/good.sm_80.cubin").exists())

    def test_a_missing_header(self) -> None:
        done = self._fails("k.cu", '#include "gone.h"\n' + SAXPY, "sm_80")
        self.assertRegex(done.stdout, r'k\.cu\(1\):.*"gone\.h"')

    def test_truncated_ptx(self) -> None:
        done = self._fails("k.ptx", (PTX % ("8.0", "sm_80"))[:150], "sm_80")
        self.assertRegex(done.stdout, r"k\.ptx")

    def test_what_is_no_ptx(self) -> None:
        done = self._fails("k.ptx", b"\x00\xff\xfe" * 50, "sm_80")
        self.assertIn("✗ k.ptx for sm_80:", done.stdout)

    def test_an_empty_file(self) -> None:
        done = self._fails("k.ptx", "", "sm_80")
        self.assertIn("✗ k.ptx for sm_80:", done.stdout)

    def test_ptx_that_is_newer_than_the_tool(self) -> None:
        done = self._fails("k.ptx", PTX % ("99.9", "sm_80"), "sm_80")
        self.assertRegex(done.stdout, r"CUBIN +✗ PTX ISA")
        self.assertRegex(done.stdout, r"99\.9")

    def test_a_suffixed_ptx_for_another_generation(self) -> None:
        done = self._fails("k.ptx", PTX % ("8.0", "sm_90a"), "b200")
        self.assertRegex(done.stdout, r"CUBIN +✗ target")
        self.assertIn("sm_90a", done.stdout.split("✗ k.ptx for sm_100a:")[1])

    def test_too_much_shared_memory(self) -> None:
        text = (
            'extern "C" __global__ void k(int* x) { __shared__ int s[20000];\n'
            "  s[threadIdx.x] = x[0]; __syncthreads(); x[1] = s[threadIdx.x ^ 1]; }\n"
        )
        done = self._fails("k.cu", text, "sm_80")
        self.assertRegex(done.stdout, r"✗ smem")
        self.assertRegex(done.stdout, r"80000|0x13880")

    def test_a_gpu_that_the_toolkit_no_longer_compiles_for(self) -> None:
        done = self._fails("k.cu", SAXPY, "v100,h100")
        self.assertRegex(done.stdout, r"✗ toolkit")
        self.assertRegex(done.stdout.split("✗ k.cu for sm_70:")[1], r"13\.5(.|\n)*12\.9")
        self.assertIn("1 compiled, 0 skipped, 1 failed", done.stdout)

    def test_a_wrong_option_for_the_compiler(self) -> None:
        done = self._fails("k.cu", SAXPY, "sm_80", "-X=--frobnicate")
        self.assertIn("--frobnicate", done.stdout)

    def test_a_provider_that_does_not_take_the_language(self) -> None:
        done = self._fails("k.cu", SAXPY, "h100", "--provider", "ptxas")
        self.assertRegex(done.stdout, r"CUBIN +✗ provider")
        self.assertIn("ptxas takes PTX, not CUDA C++", done.stdout)

    def test_json_tells_the_reason(self) -> None:
        self.write("k.cu", _BROKEN)
        report = self.run_json("compile", "-t", "sm_80", "k.cu", code=1)
        (result,) = report["files"][0]["results"]
        self.assertEqual(
            (result["status"], result["error"]["code"]), ("failed", "INVALID_ARGUMENT")
        )
        self.assertIn("k.cu(2)", result["error"]["message"])


class MachineTest(CommandTest):
    def test_without_cuda_it_names_the_package(self) -> None:
        self.write("saxpy.cu", SAXPY)
        empty = self.create_tempdir("empty").full_path
        done = self.run_command(
            "compile", "-t", "h100", "saxpy.cu", env={"WARPYARD_CUDA_ROOT": empty}
        )
        self.assert_says(done, 1, "pip install nvidia-cuda-nvrtc", empty)

    def test_a_full_disk_while_writing_the_output(self) -> None:
        self.write("saxpy.cu", SAXPY)

        def full() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

        done = self.run_command(
            "compile", "-t", "h100,b200", "saxpy.cu", "-o", "out", "--no-cache", before=full
        )
        self.assert_says(done, 1, r"out/saxpy\.sm_\w+\.cubin")
        self.assertEmpty(list((self.folder / "out").iterdir()))


if __name__ == "__main__":
    absltest.main()
