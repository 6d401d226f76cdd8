# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""NumPy, which Warpyard needs only where arrays are used: imported when it is."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from warpyard.errors import InvalidArgumentError, NotFoundError

# DLDataTypeCode and bits of data types, by NumPy's name (dlpack.h). Those that NumPy lacks are of
# the package ml_dtypes.
_DLPACK = {
    "bool": (6, 8),
    "int8": (0, 8),
    "int16": (0, 16),
    "int32": (0, 32),
    "int64": (0, 64),
    "uint8": (1, 8),
    "uint16": (1, 16),
    "uint32": (1, 32),
    "uint64": (1, 64),
    "float16": (2, 16),
    "float32": (2, 32),
    "float64": (2, 64),
    "bfloat16": (4, 16),
    "complex64": (5, 64),
    "complex128": (5, 128),
    "float8_e4m3fn": (10, 8),
    "float8_e5m2": (12, 8),
    "float8_e8m0fnu": (14, 8),
}
_BY_DLPACK = {code: name for name, code in _DLPACK.items()}

# Short names, as kernels' authors write them.
_SHORT = {
    "pred": "bool",
    **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "bf16": "bfloat16",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn": "float4_e2m1fn",
    "c64": "complex64",
    "c128": "complex128",
}


@functools.cache
def numpy() -> Any:
    try:
        return importlib.import_module("numpy")
    except ImportError:
        raise NotFoundError(
            "arrays need NumPy. Install it with: pip install 'warpyard[run]'"
        ) from None


def dtype_of(what: Any) -> Any:
    """The `numpy.dtype` for what NumPy takes, and for short names: "f32", "bf16", "f8e4m3fn"."""
    np = numpy()
    name = _SHORT.get(what, what) if isinstance(what, str) else what
    try:
        return np.dtype(name)
    except TypeError:
        if not isinstance(name, str):
            raise
    try:
        return np.dtype(getattr(importlib.import_module("ml_dtypes"), name))
    except ImportError:
        remedy = "; types that NumPy lacks come with: pip install 'warpyard[run]'"
    except AttributeError:
        remedy = ""
    raise InvalidArgumentError(
        f"data type {what!r}: unknown; expected NumPy's, or one of {', '.join(_SHORT)}{remedy}"
    )


def dlpack_of(dtype: Any) -> tuple[int, int]:
    """DLDataTypeCode and bits."""
    if dtype.name not in _DLPACK:
        raise InvalidArgumentError(f"data type {dtype.name} cannot be exchanged by DLPack")
    return _DLPACK[dtype.name]


def dtype_of_dlpack(code: tuple[int, int]) -> Any:
    if code not in _BY_DLPACK:
        raise InvalidArgumentError(f"DLPack data type (code, bits) = {code}: unknown")
    return dtype_of(_BY_DLPACK[code])
