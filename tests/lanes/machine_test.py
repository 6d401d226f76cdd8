# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What Python finds of a machine, and that it shares GPUs as it says."""

import re
import tempfile
import threading
import time
from pathlib import Path

from absl.testing import absltest

from warpyard.testing import gpu_share, waiver
from warpyard.testing.gpu_names import short_name
from warpyard.testing.machine import Device, Machine

_GIB = 1 << 30


class MachineTest(absltest.TestCase):
    def test_the_least_of_several_gpus_counts(self):
        machine = Machine(
            (Device("NVIDIA B200", (10, 0), 180 * _GIB), Device("Tesla T4", (7, 5), 15 * _GIB)),
            emulated=False,
            os="linux",
            cudnn=(9, 13, 0),
        )
        facts = machine.facts()
        self.assertEqual(
            [facts[key] for key in ("gpu", "gpus", "sm", "memory", "hardware", "cudnn", "nccl")],
            ["t4", "2", "7.5", "15360MiB", "yes", "9.13.0", "none"],
        )
        self.assertEqual(Machine((), False, "linux").facts()["hardware"], "none")

    def test_names(self):
        for name, short in {
            "NVIDIA H100 80GB HBM3": "h100",
            "NVIDIA H100 PCIe": "h100-pcie",
            "NVIDIA A100-SXM4-40GB": "a100-40gb",
            "NVIDIA GB200": "gb200",
            "NVIDIA L40S": "l40s",
            "NVIDIA TITAN V": "nvidia-titan-v",
        }.items():
            self.assertEqual(short_name(name), short)
        for path in sorted(Path("cc/target/specs").glob("*.textproto")):
            product = re.search(r'^product_name: "(.*)"', path.read_text("utf-8"), re.MULTILINE)
            self.assertEqual(short_name(product[1]), path.stem)

    def test_waivers(self):
        parsed = waiver.parse("wrong, and known, the team ,2027-01-31")
        self.assertEqual(str(parsed), "wrong, and known, the team, 2027-01-31")
        self.assertFalse(parsed.expired(parsed.expires))
        self.assertTrue(waiver.parse("a, b, 2020-01-01").expired())
        for text in ("", "a, b", "a, b, soon", ", b, 2027-01-31", "a, b, 2027-02-30"):
            with self.assertRaisesRegex(ValueError, 'expected "reason, owner, YYYY-MM-DD"'):
                waiver.parse(text)


class GpuShareTest(absltest.TestCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(self.enter_context(tempfile.TemporaryDirectory()), "locks")

    def test_slots(self):
        for memory, gpus, slots in (
            (1, 1, 1),
            (_GIB, 1, 1),
            (_GIB + 1, 1, 2),
            (0, 1, 64),
            (_GIB, 2, 64),
            (80 * _GIB, 1, 64),
        ):
            self.assertEqual(gpu_share.slots_needed(memory, 64 * _GIB, gpus), slots)

    def test_a_big_one_is_not_passed_for_ever(self):
        """Small ones that come after a big one wait until it had its turn."""
        order: list[str] = []
        first = gpu_share.acquire(32, self.folder)

        def take(name: str, slots: int) -> threading.Thread:
            def run() -> None:
                held = gpu_share.acquire(slots, self.folder)
                order.append(name)
                for lock in held:
                    lock.release()

            thread = threading.Thread(target=run)
            thread.start()
            return thread

        big = take("big", 64)
        time.sleep(0.3)  # until it holds the queue
        small = take("small", 1)
        time.sleep(0.3)
        self.assertEqual(order, [])
        for lock in first:
            lock.release()
        big.join(30)
        small.join(30)
        self.assertEqual(order, ["big", "small"])

    def test_never_more_than_there_are(self):
        used, most, mutex = 0, 0, threading.Lock()

        def run() -> None:
            nonlocal used, most
            held = gpu_share.acquire(25, self.folder)
            with mutex:
                used += 25
                most = max(most, used)
            time.sleep(0.01)
            with mutex:
                used -= 25
            for lock in held:
                lock.release()

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual((used, most <= 64), (0, True))


if __name__ == "__main__":
    absltest.main()
