# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Numbers with units."""

from absl.testing import absltest, parameterized

from warpyard.cli import figures


class FiguresTest(parameterized.TestCase):
    @parameterized.parameters(
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (102_300, "99.9 KiB"),
        (102_400, "100 KiB"),
        (1_048_000, "1023 KiB"),
        (1_048_575, "1.0 MiB"),
        (80 << 30, "80.0 GiB"),
        (1 << 60, "1048576 TiB"),
    )
    def test_bytes(self, count: int, text: str) -> None:
        self.assertEqual(figures.byte_size(count), text)

    @parameterized.parameters((50 << 20, "50 MiB"), (1536 << 10, "1.5 MiB"), (0, "0 B"))
    def test_memory(self, count: int, text: str) -> None:
        self.assertEqual(figures.memory_size(count), text)

    @parameterized.parameters(
        (0.0004, "0.4 ms"),
        (0.0099, "9.9 ms"),
        (0.00999, "10 ms"),
        (0.014, "14 ms"),
        (0.9994, "999 ms"),
        (0.9999, "1.0 s"),
        (59.94, "59.9 s"),
        (59.99, "1 min 0 s"),
        (200, "3 min 20 s"),
    )
    def test_duration(self, seconds: float, text: str) -> None:
        self.assertEqual(figures.duration(seconds), text)

    @parameterized.parameters((0, "0 %"), (1, "100 %"), (0.125, "12.5 %"), (1 / 3, "33.3 %"))
    def test_percent(self, ratio: float, text: str) -> None:
        self.assertEqual(figures.percent(ratio), text)

    def test_count(self) -> None:
        self.assertEqual(figures.count(1, "worker"), "1 worker")
        self.assertEqual(figures.count(0, "worker"), "0 workers")

    def test_bandwidth(self) -> None:
        self.assertEqual(figures.bandwidth(3_350_000_000_000), "3350 GB/s")


if __name__ == "__main__":
    absltest.main()
