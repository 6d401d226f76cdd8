# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The same sources give the same bytes in any folder.

Two libraries are the same but for their names. Their actions ran in different
folders: each sandbox is another one.
"""

import re
from pathlib import Path

from absl.testing import absltest

_FOLDER = Path(__file__).parent


def images(library: str) -> dict[str, bytes]:
    """The images of a library by what follows its name."""
    found = {
        path.name.removeprefix(library): path.read_bytes()
        for path in _FOLDER.glob(f"{library}.*")
        if path.suffix in (".cubin", ".ptx")
    }
    return dict(sorted(found.items()))


class ReproducibleTest(absltest.TestCase):
    def test_same_bytes(self):
        for first, second in [("scale_kernels", "scale_again"), ("lines_first", "lines_again")]:
            with self.subTest(library=first):
                self.assertNotEmpty(images(first))
                self.assertEqual(images(first), images(second))

    def test_line_information_is_relative(self):
        text = images("lines_first")[".compute_90a.ptx"].decode("utf-8")
        files = re.findall(r'^\s*\.file\s+\d+\s+"([^"]*)"', text, re.MULTILINE)
        self.assertIn("tests/rules/cuda/scale.cu", files)
        for file in files:
            # The host compiler's own headers are where they are.
            self.assertTrue(not file.startswith("/") or file.startswith("/usr/"), file)

    def test_no_folder_of_the_build(self):
        for library in ("scale_kernels", "norm_kernels", "lines_first"):
            for name, content in images(library).items():
                with self.subTest(image=library + name):
                    self.assertNotIn(b"execroot", content)
                    self.assertNotIn(b"/tmp", content)


if __name__ == "__main__":
    absltest.main()
