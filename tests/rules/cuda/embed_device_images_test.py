# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Bytes as C++ arrays."""

import re

import embed_device_images
from absl.testing import absltest


class EmbedDeviceImagesTest(absltest.TestCase):
    def test_words_are_little_endian_and_end_with_zero(self):
        for size in range(20):
            content = bytes(range(1, size + 1))
            text = embed_device_images.array("kImage0", content)
            words = [int(word, 16) for word in re.findall(r"0x([0-9a-f]+),", text)]
            held = b"".join(word.to_bytes(8, "little") for word in words)
            self.assertEqual(held[:size], content)
            self.assertEqual(set(held[size:]), {0})

    def test_capability(self):
        self.assertEqual(
            embed_device_images.capability("sm_90a"),
            "ComputeCapability(9, 0, ComputeCapability::Kind::kArch)",
        )
        self.assertEqual(
            embed_device_images.capability("compute_103f"),
            "ComputeCapability(10, 3, ComputeCapability::Kind::kFamily)",
        )
        self.assertEqual(
            embed_device_images.capability("sm_121"),
            "ComputeCapability(12, 1, ComputeCapability::Kind::kPlain)",
        )
        with self.assertRaisesRegex(ValueError, "sm_x is no target"):
            embed_device_images.capability("sm_x")


if __name__ == "__main__":
    absltest.main()
