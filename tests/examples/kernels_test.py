# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Every example that the device's generation runs, end to end, with every case.

`WARPYARD_EMULATE` names the device; without it, it is the machine's own GPU.
"""

import importlib
import re

import numpy as np
from absl.testing import absltest, parameterized

import warpyard
from examples.kernels import example

_DEVICE = warpyard.Device(0)
_KERNEL = re.compile(
    r'extern "C" __global__ void.*?\b(\w+)\((?:const|int|float|unsigned)', re.DOTALL
)
_ALL = [
    (f"{name}_{case.__name__}", name, case)
    for name in example.NAMES
    for case in importlib.import_module(f"examples.kernels.{name}").EXAMPLES
]
_CASES = [case for case in _ALL if example.requirement_met(case[1], _DEVICE.target)]


class KernelsTest(parameterized.TestCase):
    modules: dict[str, warpyard.Module] = {}

    def module(self, name: str) -> warpyard.Module:
        if name not in self.modules:
            self.modules[name] = warpyard.load(example.FOLDER / f"{name}.cu", _DEVICE)
        return self.modules[name]

    @parameterized.named_parameters(*_CASES)
    def test(self, name: str, case: example.Case) -> None:
        launch = case(np.random.default_rng(1))
        got = example.run(self.module(name), launch)
        self.assertEmpty(example.differences(launch, got))

    def test_every_kernel_has_a_case(self) -> None:
        sources = {path.stem: path.read_text("utf-8") for path in example.FOLDER.glob("*.cu")}
        self.assertEqual(sorted(sources), sorted(example.NAMES))
        declared = {kernel for text in sources.values() for kernel in _KERNEL.findall(text)}
        launched = {case(np.random.default_rng(1)).kernel for _, _, case in _ALL}
        self.assertEqual(declared, launched)


if __name__ == "__main__":
    absltest.main()
