# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Finding CUDA among the installed packages."""

import os
import pathlib
import sys
from unittest import mock

from absl.testing import absltest

from warpyard import _toolkit


class CudaRootsTest(absltest.TestCase):
    def _with_path(self, *folders: pathlib.Path) -> list[str]:
        path = [str(folder) for folder in folders]
        without = {name: m for name, m in sys.modules.items() if name.split(".")[0] != "nvidia"}
        with (
            mock.patch.object(sys, "path", path),
            mock.patch.dict(sys.modules, without, clear=True),
        ):
            return _toolkit.cuda_roots()

    def setUp(self) -> None:
        super().setUp()
        self.site = pathlib.Path(self.create_tempdir().full_path)

    def _wheel(self, site: str) -> pathlib.Path:
        (self.site / site / "nvidia" / "cu13" / "lib").mkdir(parents=True)
        return self.site / site

    def test_one_root_for_all_wheels(self) -> None:
        site = self._wheel("a")
        self.assertEqual(self._with_path(site), [str(site / "nvidia/cu13")])

    def test_a_root_for_each_wheel_in_the_order_of_the_path(self) -> None:
        first, second = self._wheel("b"), self._wheel("a")
        self.assertEqual(
            self._with_path(first, second),
            [str(first / "nvidia/cu13"), str(second / "nvidia/cu13")],
        )

    def test_wheels_of_another_cuda_are_passed_over(self) -> None:
        (self.site / "nvidia" / "cublas").mkdir(parents=True)
        self.assertEqual(self._with_path(self.site), [])

    def test_nothing_installed(self) -> None:
        self.assertEqual(self._with_path(self.site), [])

    def test_the_workspace_has_one(self) -> None:
        roots = _toolkit.cuda_roots()
        self.assertTrue(any(os.path.exists(os.path.join(root, "bin/ptxas")) for root in roots))


if __name__ == "__main__":
    absltest.main()
