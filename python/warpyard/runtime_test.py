# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Devices, arrays, kernels and streams, on a driver that is made for tests.

Its module has the kernels `add_one(float* data, int count)` and `fault()`.
"""

import ctypes
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
from absl.testing import absltest, parameterized

import warpyard
from warpyard._device import gpu_list

_PTX = ".version 8.0\n"


class Foreign:
    """An array of another package."""

    def __init__(self, array: warpyard.DeviceArray) -> None:
        self._array = array

    def __dlpack__(self, **how: object) -> object:
        return self._array.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


class RuntimeTest(parameterized.TestCase):
    def setUp(self) -> None:
        super().setUp()
        os.environ["WARPYARD_FAKE_DEVICES"] = "2"
        self.device = warpyard.Device(0)
        self.kernel = warpyard.load(_PTX, self.device)["add_one"]

    def test_devices(self) -> None:
        first, second = warpyard.devices()
        self.assertEqual(first, self.device)
        self.assertNotEqual(first, second)
        self.assertLen({first, second, self.device}, 2)
        self.assertEqual((first.name, first.sm_count), ("Fake GPU", 132))
        self.assertEqual(str(first.compute_capability), "9.0")
        self.assertEqual(str(first.target), "9.0a")
        self.assertFalse(first.is_emulated)
        self.assertEqual(first.attribute(16), 132)
        self.assertTrue(first.can_access_peer(second))
        self.assertEqual(first.memory_info()[1], 1 << 30)
        with self.assertRaisesRegex(warpyard.OutOfRangeError, "device 2: .* has 2, from 0 on"):
            warpyard.Device(2)

    @parameterized.parameters("f32", "bf16", "f8e4m3fn", "u8", "s64", "pred", "float16", np.int16)
    def test_arrays_go_there_and_back(self, dtype: object) -> None:
        host = np.arange(24).reshape(2, 3, 4)
        array = self.device.array(host, dtype)
        back = array.numpy()
        self.assertEqual((back.shape, back.dtype), ((2, 3, 4), array.dtype))
        np.testing.assert_array_equal(back, host.astype(array.dtype))

    def test_arrays_of_all_shapes(self) -> None:
        for shape in ((), (0,), (3, 0, 2), (1,), 5):
            array = self.device.zeros(shape, "f32")
            self.assertEqual(array.numpy().sum(), 0)
        scalar = self.device.array(np.float64(2.5))
        self.assertEqual((scalar.shape, scalar.numpy()[()]), ((), 2.5))
        strided = np.arange(12).reshape(3, 4).T
        np.testing.assert_array_equal(self.device.array(strided).numpy(), strided)
        np.testing.assert_array_equal(np.asarray(self.device.array([1, 2])), [1, 2])

    def test_memory_is_freed(self) -> None:
        before = self.device.memory_info()[0]
        array = self.device.empty(1000, "f64")
        view = array.reshape(10, 100).view("s64")
        self.assertEqual(self.device.memory_info()[0], before - 8000)
        del array
        self.assertEqual(self.device.memory_info()[0], before - 8000)
        del view
        self.assertEqual(self.device.memory_info()[0], before)
        with self.assertRaisesRegex(warpyard.ResourceExhaustedError, "OUT_OF_MEMORY"):
            self.device.empty(1 << 40, "u8")

    def test_dlpack_in_place(self) -> None:
        array = self.device.array(np.ones((2, 3), np.float32))
        shared = self.device.from_dlpack(Foreign(array))
        self.assertEqual((shared.address, shared.shape), (array.address, (2, 3)))
        del array  # the view keeps it
        np.testing.assert_array_equal(shared.numpy(), np.ones((2, 3)))
        halves = self.device.array(np.ones(4, ml_dtypes.bfloat16))
        self.assertEqual(self.device.from_dlpack(Foreign(halves)).dtype, ml_dtypes.bfloat16)
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "device type 1"):
            self.device.from_dlpack(np.ones(3))

    def test_launches(self) -> None:
        array = self.device.array(np.arange(4, dtype=np.float32))
        self.assertEqual(self.kernel.parameters, [(0, 8), (8, 4)])
        for argument in (array, Foreign(array), np.uint64(array.address), array.address):
            self.kernel.launch(1, 32, [argument, 3])
        for count in (3, np.int32(3), ctypes.c_int(3), b"\x03\0\0\0"):
            self.kernel.launch((1, 1), (32, 1, 1), [array, count])
        self.kernel.launch(2, 32, [array, 3], cluster=2, cooperative=True, shared_bytes=100_000)
        np.testing.assert_array_equal(array.numpy(), [9, 10, 11, 3])

    @parameterized.parameters(
        ([], "takes 2 arguments, found 0"),
        ([None, 1, 2], "takes 2 arguments, found 3"),
        ([np.zeros(3), 1], "argument 0: an array of the host; copy it"),
        ([None, "one"], "argument 1: found str"),
        ([None, 1 << 32], "argument 1: 4294967296 does not fit into 4 bytes"),
        ([None, np.int64(3)], "argument 1 has 8 bytes, expected 4"),
        ([None, 1e300], "argument 1: 1e\\+300 does not fit"),
    )
    def test_wrong_arguments(self, arguments: list[object], message: str) -> None:
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, message):
            self.kernel.launch(1, 1, arguments)

    def test_wrong_launches(self) -> None:
        arguments = [None, 0]
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "grid: found 0"):
            self.kernel.launch(0, 1, arguments)
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "block: found"):
            self.kernel.launch(1, (1, 2, 3, 4), arguments)
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, r"block \(2000, 1, 1\)"):
            self.kernel.launch(1, 2000, arguments)
        other = warpyard.Device(1).stream()
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "stream is of device 1"):
            self.kernel.launch(1, 1, arguments, stream=other)

    def test_modules(self) -> None:
        module = self.device.load(_PTX)
        self.assertEqual(module.kernels, ["add_one", "fault"])
        with self.assertRaisesRegex(warpyard.NotFoundError, "it has: add_one, fault"):
            module.kernel("add_two")
        table = module.variable("table", "f32")
        self.assertEqual((table.shape, table.dtype), ((4,), np.float32))
        table.copy_from(np.arange(4, dtype=np.float32))
        np.testing.assert_array_equal(module.variable("table", "f32").numpy(), range(4))
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "does not compile|error"):
            warpyard.load("__global__ void k() { oops; }", self.device)

    def test_streams_events_and_graphs(self) -> None:
        stream = self.device.stream()
        start = stream.record()
        stream.wait(start)
        self.assertGreater(stream.record().seconds_since(start), 0)
        array = self.device.zeros(2)
        with stream.capture() as graph:
            self.kernel.launch(1, 1, [array, 2], stream=stream)
            with self.assertRaises(warpyard.FailedPreconditionError), stream.capture():
                pass
        self.assertEqual(graph.node_count, 1)
        graph.launch(stream)
        with self.assertRaises(warpyard.FailedPreconditionError):
            warpyard.Graph().launch(stream)

    def test_copies_between_devices(self) -> None:
        here = self.device.array(np.arange(3, dtype=np.float32))
        there = warpyard.Device(1).array(here)
        self.assertEqual(there.device.ordinal, 1)
        np.testing.assert_array_equal(there.numpy(), [0, 1, 2])
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, r"found float32\[3\]"):
            self.device.zeros(4).copy_from(there)

    def test_what_only_the_emulated_driver_does(self) -> None:
        with self.assertRaises(warpyard.UnimplementedError), warpyard.profile():
            pass
        self.assertEqual(warpyard.take_reports(), [])

    def test_names_of_gpus_to_emulate(self) -> None:
        self.assertEqual(gpu_list(["h100", "b200*8"]), "h100,b200*8")
        self.assertEqual(gpu_list(["h100, b200*1"]), "h100,b200")
        for wrong, message in (
            ("h10O", "h10O"),
            ("h100*", "expected a name or name"),
            ("sm_90", "a compute capability"),
            ("h100*0", "0 GPUs"),
            ("h100*65", "65 GPUs"),
        ):
            with self.assertRaisesRegex(warpyard.Error, message):
                gpu_list([wrong])

    def _other_process(self, code: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", "import warpyard\n" + code],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
            capture_output=True,
            text=True,
        )
        return done.stdout + done.stderr

    def test_no_gpu(self) -> None:
        code = "print(warpyard.devices())\nwarpyard.Device(0)"
        told = self._other_process(code, WARPYARD_FAKE_DEVICES="0")
        self.assertStartsWith(told, "[]\n")
        self.assertRegex(told, "NotFoundError: .* finds no GPU. To emulate one: warpyard.emulate")

    def test_no_driver(self) -> None:
        told = self._other_process("warpyard.devices()", WARPYARD_CUDA_DRIVER="/gone/libcuda.so")
        self.assertIn("NotFoundError: the shared library /gone/libcuda.so was not found", told)

    def test_an_old_driver(self) -> None:
        told = self._other_process("warpyard.devices()", WARPYARD_FAKE_VERSION="11040")
        self.assertRegex(told, "FailedPreconditionError: .* is of CUDA 11.4; 12.0 or later")

    def test_a_fault(self) -> None:
        told = self._other_process(
            f"module = warpyard.load({_PTX!r})\n"
            "module['fault'].launch(1, 1)\n"
            "try: warpyard.Device().synchronize()\n"
            "except warpyard.AbortedError as error: print(error)\n"
        )
        self.assertIn("CUDA_ERROR_ILLEGAL_ADDRESS, 700", told)


if __name__ == "__main__":
    absltest.main()
