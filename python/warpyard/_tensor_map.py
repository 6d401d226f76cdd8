# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tensor maps for TMA instructions."""

from __future__ import annotations

from collections.abc import Sequence

from warpyard._array import DeviceArray
from warpyard.errors import InvalidArgumentError

# Of NumPy's and ml_dtypes' names; eight-bit floats travel as bytes.
_ELEMENTS = {
    "uint8": "u8",
    "int8": "u8",
    "float8_e4m3fn": "u8",
    "float8_e5m2": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "int32": "s32",
    "uint64": "u64",
    "int64": "s64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "bfloat16": "bf16",
}


class TensorMap:
    """What TMA instructions know of an array: a kernel takes it by value (`__grid_constant__`).

    Args:
        array: The array, of one to five dimensions.
        box: The shape of the tile that one instruction copies, as many dimensions.
        swizzle: Bytes of the swizzle pattern in shared memory: 0 (none), 32, 64 or 128.
        nan_out_of_bounds: What lies outside of the array reads as NaN instead of 0.
    """

    def __init__(
        self,
        array: DeviceArray,
        box: Sequence[int],
        *,
        swizzle: int = 0,
        nan_out_of_bounds: bool = False,
    ) -> None:
        if array.dtype.name not in _ELEMENTS:
            raise InvalidArgumentError(f"tensor map: TMA has no elements of {array.dtype.name}")
        strides: list[int] = []
        pitch = int(array.dtype.itemsize)
        for extent in reversed(array.shape[1:]):
            pitch *= extent
            strides.append(pitch)
        self.array = array
        self._bytes = array.device._machine.driver.encode_tensor_map(
            _ELEMENTS[array.dtype.name],
            array.address,
            list(reversed(array.shape)),  # CUDA counts from the innermost dimension
            strides,
            list(reversed([int(side) for side in box])),
            [],
            swizzle,
            nan_out_of_bounds,
        )

    def __warpyard_argument__(self) -> bytes:
        return self._bytes
