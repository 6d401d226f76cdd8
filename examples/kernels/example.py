# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What an example kernel is launched with, and what it must then have written.

Each `.cu` file here has a `.py` file beside it, with `EXAMPLES`: a function for each case, which
makes a `Launch` from random numbers. References are computed by NumPy in float64 from the same
inputs, as the kernel's header comment defines its result, and come with a bound on the error.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import warpyard

FOLDER = pathlib.Path(__file__).parent

# Names of the files, without their suffix.
NAMES = (
    "attention_f16_mma",
    "cluster_reduce",
    "convert_f8_f4",
    "cp_async_pipeline",
    "gemm_f16_mma",
    "gemm_f32",
    "gemm_tcgen05",
    "gemm_wgmma_tma",
    "layer_norm",
    "prefix_sum",
    "reduce",
    "saxpy",
    "softmax",
    "top_k",
    "transpose",
    "vector_add",
)


@dataclasses.dataclass(frozen=True)
class Tma:
    """An array that the kernel gets as a tensor map."""

    array: np.ndarray
    box: tuple[int, ...]
    swizzle: int


@dataclasses.dataclass(frozen=True)
class Out:
    """An array that the kernel writes.

    Attributes:
        want: What it must hold then.
        within: How far each element may be off; 0: the same bits, NaNs included.
        start: What it holds before; bytes of ones where that must not matter.
        element: Its data type, where `want` has another, of higher precision.
    """

    want: np.ndarray
    within: Any = 0
    start: np.ndarray | None = None
    element: Any = None

    @property
    def dtype(self) -> np.dtype:
        return self.want.dtype if self.element is None else np.dtype(self.element)


@dataclasses.dataclass(frozen=True)
class Launch:
    """One launch.

    Attributes:
        args: Scalars of NumPy, arrays to read, `Tma`, `Out`, and None for null pointers.
    """

    kernel: str
    grid: Sequence[int]
    block: Sequence[int]
    args: Sequence[Any]
    shared_bytes: int = 0


Case = Callable[[np.random.Generator], Launch]


def requirement_met(name: str, target: warpyard.ComputeCapability) -> bool:
    """Whether the file says that it can be compiled for the target."""
    from warpyard import _warpyard

    requirement = _warpyard.find_requirement((FOLDER / f"{name}.cu").read_bytes())
    return requirement is None or requirement.met_by(target)


def run(module: warpyard.Module, launch: Launch) -> list[np.ndarray]:
    """Launches, and gives what the `Out` arguments hold then."""
    device = module.device

    def on_device(argument: Any) -> Any:
        if isinstance(argument, Tma):
            return warpyard.TensorMap(
                device.array(argument.array), argument.box, swizzle=argument.swizzle
            )
        if isinstance(argument, Out):
            if argument.start is not None:
                return device.array(argument.start)
            return device.empty(argument.want.shape, argument.dtype).fill_bytes(0xFF)
        if isinstance(argument, np.ndarray):
            return device.array(argument)
        return argument

    values = [on_device(argument) for argument in launch.args]
    kernel = module.kernel(launch.kernel)
    kernel.launch(launch.grid, launch.block, values, shared_bytes=launch.shared_bytes)
    return [
        value.numpy()
        for argument, value in zip(launch.args, values, strict=True)
        if isinstance(argument, Out)
    ]


def differences(launch: Launch, got: Sequence[np.ndarray]) -> list[str]:
    """What is wrong with the outputs, a line for each."""
    wants = [argument for argument in launch.args if isinstance(argument, Out)]
    found = []
    for index, (out, array) in enumerate(zip(wants, got, strict=True)):
        if np.isscalar(out.within) and out.within == 0:
            size = out.want.dtype.itemsize
            bits = np.dtype(f"u{size}")
            wrong = array.view(bits) != np.ascontiguousarray(out.want).view(bits)
        else:
            want = out.want.astype(np.float64)
            error = np.abs(array.astype(np.float64) - want)
            wrong = ~(error <= out.within) & ~(np.isnan(want) & np.isnan(array.astype(np.float64)))
        if wrong.any():
            at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
            where = [int(i) for i in at]
            found.append(
                f"{launch.kernel}, output {index}: {int(wrong.sum())} of {wrong.size} elements are "
                f"wrong; the first, {where}: found {array[at]}, expected {out.want[at]}"
            )
    return found


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def gemm(a: np.ndarray, b: np.ndarray, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """`a @ b` in float64, and a bound: each of k products and sums off by `unit` of its size."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    return a @ b, (a.shape[1] + 2) * unit * (np.abs(a) @ np.abs(b)) + 1e-30


def rounded(want: np.ndarray, within: Any, dtype: Any, unit: float) -> Out:
    """For results that are rounded to `dtype` at the end; `unit`: half of its last place, of 1."""
    return Out(want, within + unit * np.abs(want) + 1e-7, element=dtype)
