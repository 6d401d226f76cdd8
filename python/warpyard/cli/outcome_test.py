# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The word for a failure."""

from absl.testing import absltest, parameterized

from warpyard import errors
from warpyard.cli.outcome import short_reason


class ShortReasonTest(parameterized.TestCase):
    @parameterized.parameters(
        (errors.ResourceExhaustedError, "Insufficient registers (64)", "registers"),
        (errors.ResourceExhaustedError, "uses too much shared data", "smem"),
        (errors.ResourceExhaustedError, "tensor memory: 576 columns requested", "tmem"),
        (errors.ResourceExhaustedError, "disk full", "resources"),
        (errors.UnimplementedError, "PTX ISA 9.9 is newer than", "PTX ISA"),
        (errors.UnimplementedError, "does not know sm_999", "target"),
        (errors.UnimplementedError, "ptxas takes PTX, not CUDA C++ (k.cu)", "provider"),
        (errors.FailedPreconditionError, "CUDA 13.5 does not compile for sm_70", "toolkit"),
        (errors.NotFoundError, "undefined function 'f'", "undefined"),
        (errors.InvalidArgumentError, "k.cu(3): error: identifier", "code"),
        (errors.InvalidArgumentError, "k.ptx is PTX for sm_90a and cannot be", "target"),
        (errors.DeadlineExceededError, "took too long", "deadline exceeded"),
    )
    def test_by_class_and_message(self, kind: type, message: str, word: str) -> None:
        self.assertEqual(short_reason(kind(message)), word)


if __name__ == "__main__":
    absltest.main()
