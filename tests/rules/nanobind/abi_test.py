# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The shared library keeps to CPython 3.10's stable ABI and exports one function."""

import json
import runpy
import sys
import tempfile
from pathlib import Path
from unittest import mock

from absl.testing import absltest
from elftools.elf import elffile

_EXTENSION = Path(__file__).parent / "probe.abi3.so"


class AbiTest(absltest.TestCase):
    def test_stable_abi(self):
        with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
            arguments = ["--strict", "--report", "--output", report.name]
            arguments += ["--assume-minimum-abi3", "3.10", str(_EXTENSION)]
            with mock.patch.object(sys, "argv", ["abi3audit", *arguments]):
                try:
                    runpy.run_module("abi3audit", run_name="__main__")
                except SystemExit as exit_status:
                    self.assertIn(exit_status.code, (0, None))
            [audited] = json.load(report)["specs"].values()
        result = audited["object"]["result"]
        self.assertTrue(result["is_abi3"], result)
        self.assertEqual(result["baseline"], "3.10")
        self.assertTrue(result["is_abi3_baseline_compatible"], result)

    def test_exports(self):
        with _EXTENSION.open("rb") as file:
            symbols = elffile.ELFFile(file).get_section_by_name(".dynsym")
            exported = [
                symbol.name
                for symbol in symbols.iter_symbols()
                if symbol["st_shndx"] != "SHN_UNDEF"
            ]
        self.assertEqual(exported, ["PyInit_probe"])


if __name__ == "__main__":
    absltest.main()
