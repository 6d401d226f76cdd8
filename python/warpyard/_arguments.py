# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Python values as the bytes of a kernel's parameters."""

from __future__ import annotations

import struct
from typing import Any

from warpyard._array import DeviceArray, foreign_pointer
from warpyard.errors import InvalidArgumentError

_FLOATS = {2: "<e", 4: "<f", 8: "<d"}


def _scalar(value: float, size: int | None, what: str) -> bytes:
    if size is None:
        raise InvalidArgumentError(
            f"{what}: this driver does not tell how large the parameter is; say it with a NumPy "
            "scalar, such as numpy.float32(1)"
        )
    if isinstance(value, int):
        if size not in (1, 2, 4, 8):
            raise InvalidArgumentError(f"{what}: an integer for a parameter of {size} bytes")
        low, high = -(1 << (8 * size - 1)), (1 << (8 * size)) - 1
        if not low <= value <= high:
            raise InvalidArgumentError(f"{what}: {value} does not fit into {size} bytes")
        return (value & high).to_bytes(size, "little")
    if size not in _FLOATS:
        raise InvalidArgumentError(f"{what}: a float for a parameter of {size} bytes")
    try:
        return struct.pack(_FLOATS[size], value)
    except OverflowError:
        raise InvalidArgumentError(
            f"{what}: {value} does not fit into a float of {size} bytes"
        ) from None


def pack(value: Any, size: int | None, what: str, uses: list[object]) -> bytes:
    """The bytes of one parameter of `size` bytes, None where that is not known.

    Owners of memory that the bytes point to are added to `uses`.
    """
    if isinstance(value, DeviceArray):
        uses.append(value)
        return value.address.to_bytes(8, "little")
    if value is None:
        return bytes(8)
    if isinstance(value, (bool, int, float)) and not hasattr(value, "tobytes"):
        return _scalar(value, size, what)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if hasattr(value, "_b_base_"):  # of ctypes, which is not imported for this
        return bytes(value)
    if hasattr(value, "__warpyard_argument__"):
        argument: bytes = value.__warpyard_argument__()
        uses.append(value)
        return argument
    if (found := foreign_pointer(value)) is not None:
        uses.append(found[1])
        return found[0].to_bytes(8, "little")
    if hasattr(value, "tobytes") and getattr(value, "shape", None) == ():
        scalar: bytes = value.tobytes()  # of NumPy or ml_dtypes
        return scalar
    if hasattr(value, "__array__"):
        raise InvalidArgumentError(
            f"{what}: an array of the host; copy it to the device first: device.array(...)"
        )
    raise InvalidArgumentError(
        f"{what}: found {type(value).__name__}; expected an array of the device, a number, None "
        "for a null pointer, or bytes"
    )
