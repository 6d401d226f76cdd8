# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The compile cache as users meet it."""

import os
import pathlib
import resource

from absl.testing import absltest
from command import SAXPY, CommandTest


def _unwritable(test: CommandTest) -> str:
    """A folder in which nobody can make files: root, too, cannot in /sys."""
    if os.geteuid() == 0:
        return "/sys/warpyard"
    folder = pathlib.Path(test.create_tempdir("unwritable").full_path)
    folder.chmod(0o500)
    return str(folder / "cache")


class CacheTest(CommandTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("saxpy.cu", SAXPY)

    def _from_cache(self, *flags: str) -> bool:
        report = self.run_json("compile", "-t", "h100", "saxpy.cu", *flags)
        return report["files"][0]["results"][0]["from_cache"]

    def test_the_second_run_compiles_nothing(self) -> None:
        self.assertFalse(self._from_cache())
        self.assertTrue(self._from_cache())
        done = self.run_command("compile", "-t", "h100", "saxpy.cu")
        self.assertRegex(done.stdout, r"compile time +[\d.]+ m?s\*\n")
        self.assertIn("* from the cache", done.stdout)
        self.assertIn("1 compiled (1 from the cache)", done.stdout)

    def test_no_cache(self) -> None:
        self.assertFalse(self._from_cache("--no-cache"))
        self.assertEmpty([p for p in self.cache.rglob("*") if p.is_file()])
        self.assertFalse(self._from_cache())

    def test_other_options_are_another_entry(self) -> None:
        self.assertFalse(self._from_cache())
        self.assertFalse(self._from_cache("-D", "X=1"))
        self.assertFalse(self._from_cache("--use-fast-math"))

    def test_a_changed_header_is_noticed(self) -> None:
        self.write("value.h", "#define VALUE 1\n")
        self.write(
            "saxpy.cu",
            '#include "value.h"\nextern "C" __global__ void k(int* x) { x[0] = VALUE; }\n',
        )
        self.assertFalse(self._from_cache())
        self.assertTrue(self._from_cache())
        self.write("value.h", "#define VALUE 2\n")
        self.assertFalse(self._from_cache())

    def test_a_read_only_folder_is_told_once_and_harms_nothing(self) -> None:
        done = self.run_command(
            "compile", "-t", "sm_80,h100,b200", "saxpy.cu",
            env={"WARPYARD_CACHE_DIR": _unwritable(self)},
        )  # fmt: skip
        self.assert_says(done, 0, "warpyard: warning: compiled code is not kept on disk")
        self.assertIn("3 compiled, 0 skipped, 0 failed", done.stdout)

    def test_a_full_disk_is_told_once_and_harms_nothing(self) -> None:
        def full() -> None:
            # Files above 1 KiB cannot be written, as on a disk with no more room.
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

        done = self.run_command("compile", "-t", "sm_80,h100", "saxpy.cu", before=full)
        self.assert_says(done, 0, "warpyard: warning: compiled code is not kept on disk")
        self.assertIn("2 compiled, 0 skipped, 0 failed", done.stdout)
        # Nothing half-written was left to be read.
        self.assertFalse(self._from_cache())

    def test_a_damaged_entry_is_compiled_anew(self) -> None:
        self.assertFalse(self._from_cache())
        entries = [path for path in self.cache.rglob("*") if path.is_file()]
        self.assertNotEmpty(entries)
        for path in entries:
            data = path.read_bytes()
            path.write_bytes(data[: len(data) // 2])
        self.assertFalse(self._from_cache())
        self.assertTrue(self._from_cache())


if __name__ == "__main__":
    absltest.main()
