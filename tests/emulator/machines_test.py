# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Emulated machines: which GPUs they have, several in one process, peers."""

import os
import subprocess
import sys
import threading

import numpy as np
from absl.testing import absltest, parameterized

import warpyard

_KERNELS = """\
extern "C" __global__ void increment(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}
extern "C" __global__ void copy(float* to, const float* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
"""

# CUdevice_attribute (cuda.h).
_WARP_SIZE = 10
_CLOCK_KHZ = 13
_MAX_SHARED_PER_BLOCK_OPTIN = 97


class MachinesTest(parameterized.TestCase):
    @parameterized.parameters(*(gpu.name for gpu in warpyard.targets()))
    def test_poses_as_every_gpu(self, name: str) -> None:
        spec = warpyard.resolve_target(name).device
        assert spec is not None
        with warpyard.emulate(name) as (gpu,):
            self.assertEqual(str(gpu.compute_capability), str(spec.compute_capability))
            self.assertEqual(gpu.name, spec.product_name)
            self.assertEqual(gpu.sm_count, spec.sm_count)
            self.assertBetween(gpu.memory_bytes, 0.9 * spec.memory_bytes, spec.memory_bytes)
            self.assertTrue(gpu.is_emulated)
            self.assertEqual(gpu.attribute(_WARP_SIZE), 32)
            self.assertEqual(
                gpu.attribute(_MAX_SHARED_PER_BLOCK_OPTIN),
                spec.generation.shared_memory_per_block_optin,
            )
            self.assertEqual(str(gpu.target), str(spec.native_target))

    def test_several_gpus(self) -> None:
        with warpyard.emulate("h100", "b200*2") as gpus:
            self.assertEqual([gpu.ordinal for gpu in gpus], [0, 1, 2])
            self.assertEqual([str(gpu.compute_capability) for gpu in gpus], ["9.0", "10.0", "10.0"])
            self.assertLen({gpu.uuid for gpu in gpus}, 3)
            for gpu in gpus:
                data = gpu.zeros(100)
                gpu.load(_KERNELS)["increment"].launch(1, 128, [data, 100])
                self.assertEqual(data.numpy().sum(), 100)

    def test_machines_know_nothing_of_each_other(self) -> None:
        with warpyard.emulate("h100") as (hopper,):
            with warpyard.emulate("a100") as (ampere,):
                self.assertEqual(warpyard.Device(0), ampere)
                there = ampere.array(np.arange(5.0))
            self.assertEqual(warpyard.Device(0), hopper)
            self.assertNotEqual(ampere, hopper)
            self.assertFalse(hopper.can_access_peer(ampere))
            # Copies go through the host.
            np.testing.assert_array_equal(hopper.array(there).numpy(), np.arange(5.0))
        with warpyard.emulate("h100") as (again,):
            self.assertEqual(again, hopper)
        # What was made stays usable.
        np.testing.assert_array_equal(there.numpy(), np.arange(5.0))

    def test_memory_is_that_of_the_gpu(self) -> None:
        with warpyard.emulate("l4") as (gpu,):
            free, total = gpu.memory_info()
            self.assertLessEqual(free, total)
            self.assertEqual(total, gpu.memory_bytes)
            with self.assertRaisesRegex(warpyard.ResourceExhaustedError, "OUT_OF_MEMORY"):
                gpu.empty(25 << 30, "u8")
            large = gpu.empty(free // 2, "u8")  # host pages that nobody touches
            with self.assertRaises(warpyard.ResourceExhaustedError):
                gpu.empty(free // 2 + (1 << 20), "u8")
            del large
            gpu.empty(free // 2 + (1 << 20), "u8")

    def test_peers(self) -> None:
        with warpyard.emulate("h100*2") as (first, second):
            here = first.array(np.arange(1000, dtype=np.float32))
            there = second.array(here)
            np.testing.assert_array_equal(there.numpy(), np.arange(1000))
            # A kernel of one that reads the other's memory.
            self.assertTrue(first.can_access_peer(second))
            first.enable_peer_access(second)
            first.enable_peer_access(second)  # already is
            second.load(_KERNELS)["increment"].launch(8, 128, [there, 1000])
            second.synchronize()
            first.load(_KERNELS)["copy"].launch(8, 128, [here, there, 1000])
            np.testing.assert_array_equal(here.numpy(), np.arange(1, 1001))

    def test_streams_of_two_gpus_wait_for_each_other(self) -> None:
        with warpyard.emulate("h100*2") as (first, second):
            here, there = first.zeros(64), second.zeros(64)
            kernel = first.load(_KERNELS)["increment"]
            stream, other = first.stream(), second.stream()
            for _ in range(20):
                kernel.launch(1, 64, [here, 64], stream=stream)
            other.wait(stream.record())
            there.copy_from(here, stream=other)
            other.synchronize()
            self.assertEqual(there.numpy().sum(), 20 * 64)

    def test_another_thread_has_its_own(self) -> None:
        seen: list[str] = []

        def work() -> None:
            with warpyard.emulate("t4") as (gpu,):
                seen.append(str(gpu.compute_capability))

        with warpyard.emulate("h100"):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            self.assertEqual(str(warpyard.Device(0).compute_capability), "9.0")
        self.assertEqual(seen, ["7.5"])

    def test_threads_share_a_machine(self) -> None:
        with warpyard.emulate("h100") as (gpu,):
            kernel = gpu.load(_KERNELS)["increment"]
            results: list[float] = []

            def work() -> None:
                stream = gpu.stream()
                data = gpu.zeros(1000)
                for _ in range(10):
                    kernel.launch(8, 128, [data, 1000], stream=stream)
                results.append(float(data.numpy(stream).sum()))

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(results, [10_000.0] * 4)

    def test_the_variable_names_gpus(self) -> None:
        code = "import warpyard; print([(d.name, d.is_emulated) for d in warpyard.devices()])"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(sys.path), "WARPYARD_EMULATE": "h100,b200"},
            capture_output=True,
            text=True,
            check=True,
        )
        names = [(warpyard.resolve_target(n).device.product_name, True) for n in ("h100", "b200")]
        self.assertEqual(done.stdout.strip(), str(names))

    def test_unknown_gpus(self) -> None:
        with self.assertRaisesRegex(warpyard.NotFoundError, "did you mean h100"):
            with warpyard.emulate("h101"):
                pass


if __name__ == "__main__":
    absltest.main()
