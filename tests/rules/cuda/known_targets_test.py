# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The rules' list of targets is the toolkit's.

Arguments: ptxas, nvcc, and the targets that the rules know.
"""

import re
import subprocess
import sys

from absl.testing import absltest

_PTXAS, _NVCC, *_KNOWN = sys.argv[1:]


def named_in_help(program: str, option: str) -> set[str]:
    """The targets that a program's help lists for one of its options."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    pattern = rf"^{option} .*?Allowed values for this option:(.*?)\.\n"
    allowed = re.search(pattern, text, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"'(sm_[0-9]+[af]?)'", allowed[1]))


class KnownTargetsTest(absltest.TestCase):
    def test_ptxas(self):
        self.assertEqual(named_in_help(_PTXAS, "--gpu-name"), set(_KNOWN))

    def test_nvcc(self):
        self.assertEqual(named_in_help(_NVCC, "--gpu-architecture"), set(_KNOWN))


if __name__ == "__main__":
    absltest.main(argv=sys.argv[:1])
