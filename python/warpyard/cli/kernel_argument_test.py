# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Arguments of a kernel as text."""

import os

import ml_dtypes
import numpy as np
from absl.testing import absltest, parameterized

from warpyard.cli.kernel_argument import parse
from warpyard.cli.usage import UsageError


def _host(text: str) -> object:
    return parse(text).host(np.random.default_rng(0))


class KernelArgumentTest(parameterized.TestCase):
    @parameterized.parameters(
        ("f32=2.5", np.float32(2.5)),
        ("f64=-1e300", np.float64(-1e300)),
        ("f32=nan", np.float32(np.nan)),
        ("bf16=1.5", ml_dtypes.bfloat16(1.5)),
        ("s8=-128", np.int8(-128)),
        ("u64=0xffffffffffffffff", np.uint64(2**64 - 1)),
        ("pred=true", np.bool_(True)),
        ("int32=7", np.int32(7)),
    )
    def test_scalars(self, text: str, want: np.generic) -> None:
        argument = parse(text)
        self.assertEqual((argument.role, argument.shape), ("in", None))
        value = _host(text)
        self.assertEqual(value.dtype, want.dtype)
        self.assertEqual(value.tobytes(), want.tobytes())

    @parameterized.parameters(
        ("f32[3]", np.zeros(3, np.float32)),
        ("f32[2,3]=arange", np.arange(6, dtype=np.float32).reshape(2, 3)),
        ("out:u8[4]=7", np.full(4, 7, np.uint8)),
        ("inout:f16[2, 1]=-0.5", np.full((2, 1), -0.5, np.float16)),
        ("s32[0]", np.zeros(0, np.int32)),
    )
    def test_arrays(self, text: str, want: np.ndarray) -> None:
        value = _host(text)
        self.assertEqual(value.dtype, want.dtype)
        np.testing.assert_array_equal(value, want)

    @parameterized.parameters("f32", "bf16", "f8e4m3fn", "s32", "u8", "pred")
    def test_random_values(self, dtype: str) -> None:
        first, again = _host(f"{dtype}[1000]=random"), _host(f"{dtype}[1000]=random")
        np.testing.assert_array_equal(first, again)
        self.assertGreater(len(set(first.astype(np.float64))), 1)

    def test_files(self) -> None:
        path = os.path.join(self.create_tempdir().full_path, "a.npy")
        want = np.arange(4).astype(ml_dtypes.bfloat16)
        np.save(path, want)
        np.testing.assert_array_equal(_host(f"bf16[4]={path}"), want)
        with self.assertRaisesRegex(UsageError, r"holds .*\[4\], expected bfloat16\[5\]"):
            _host(f"bf16[5]={path}")
        with open(path, "w") as file:
            file.write("no array")
        with self.assertRaisesRegex(UsageError, "a.npy: "):
            _host(f"f32[4]={path}")

    def test_null(self) -> None:
        self.assertIsNone(_host("null"))

    @parameterized.parameters(
        "", "=", "f32", "f32[", "f32[]", "f32[-1]", "x32=1", "out:f32=1", "in:f32=1", "u8=256",
        "u8=1.5", "f32=", "f32[3]=some", "f32[99999999999999]", "pred=maybe",
    )  # fmt: skip
    def test_wrong(self, text: str) -> None:
        with self.assertRaisesRegex(UsageError, "^--arg "):
            _host(text)


if __name__ == "__main__":
    absltest.main()
