# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What a build says of a source that does not fit a target."""

import contextlib
import io
import tempfile
from pathlib import Path

import check_requirements
from absl.testing import absltest


class CheckRequirementsTest(absltest.TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_tool(self, text: str, *targets: str) -> tuple[int, str]:
        source = self.folder / "kernel.cu"
        source.write_text(text, encoding="utf-8")
        arguments = ["--library", "//pkg:kernels", "--stamp", str(self.folder / "stamp")]
        for target in targets:
            arguments += ["--target", target]
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = check_requirements.main([*arguments, str(source)])
        return status, errors.getvalue()

    def test_all_fits(self):
        status, errors = self.run_tool("// warpyard-requires: sm>=8.0\n", "sm_80", "sm_100f")
        self.assertEqual((status, errors), (0, ""))
        self.assertTrue((self.folder / "stamp").exists())

    def test_no_requirement_fits_everywhere(self):
        self.assertEqual(self.run_tool("int a;\n", "sm_75")[0], 0)

    def test_a_misfit_names_everything(self):
        status, errors = self.run_tool("// warpyard-requires: sm>=8.0\n", "sm_75", "sm_80")
        self.assertEqual(status, 1)
        self.assertEqual(
            errors,
            f"{self.folder}/kernel.cu requires sm>=8.0, which sm_75 does not meet. Leave sm_75 "
            "out of the targets of //pkg:kernels, or move the source to a library without it.\n",
        )
        self.assertFalse((self.folder / "stamp").exists())

    def test_a_damaged_requirement_names_the_line(self):
        status, errors = self.run_tool("\n// warpyard-requires: sm>8\n", "sm_80")
        self.assertEqual(status, 1)
        self.assertIn('kernel.cu: line 2: requirement "sm>8": "8" is no compute capability', errors)


if __name__ == "__main__":
    absltest.main()
