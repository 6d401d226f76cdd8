# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Arguments of a kernel as text: `f32=2.5`, `out:f32[64,64]`, `s32[10]=arange`."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from typing import Any

from warpyard._numpy import dtype_of, numpy
from warpyard.cli.usage import UsageError
from warpyard.errors import Error

_ARGUMENT = re.compile(
    r"(?:(?P<role>out|inout):)?(?P<type>[A-Za-z][A-Za-z0-9_]*)"
    r"(?:\[(?P<shape>[0-9, ]*)\])?(?:=(?P<value>.+))?",
    re.DOTALL,
)
_EXPECTED = "[out:|inout:]TYPE[SHAPE][=VALUE], such as f32=2.5, f32[1024]=random or out:f32[1024]"
# More would not be typed by anyone on purpose.
_MAX_BYTES = 64 << 30


@dataclass(frozen=True)
class KernelArgument:
    """One argument.

    Attributes:
        text: As it was written.
        role: "in", "out" or "inout"; what is not "in" is printed.
        dtype: A `numpy.dtype`; None for a null pointer.
        shape: None for a scalar.
        value: "zeros", "random", "arange", a number, or a file; empty where none was given.
    """

    text: str
    role: str
    dtype: Any
    shape: tuple[int, ...] | None
    value: str

    def host(self, random: Any) -> Any:
        """The scalar or array that it starts with; None for a null pointer."""
        if self.dtype is None:
            return None
        if self.shape is None:
            return self._number(self.value)
        np = numpy()
        kind = self.value or "zeros"
        count = math.prod(self.shape)
        if kind == "zeros":
            return np.zeros(self.shape, self.dtype)
        if kind == "arange":
            return np.arange(count).astype(self.dtype).reshape(self.shape)
        if kind == "random":
            if self.dtype.kind in "iu":
                low = -100 if self.dtype.kind == "i" else 0
                values = random.integers(low, 101, count)
            elif self.dtype.kind == "b":
                values = random.integers(0, 2, count)
            else:
                values = random.uniform(-1, 1, count)
            return values.astype(self.dtype).reshape(self.shape)
        if kind.endswith(".npy"):
            return self._from_file(kind)
        return np.full(self.shape, self._number(kind))

    def _number(self, text: str) -> Any:
        np = numpy()
        try:
            if self.dtype.kind in "iu":
                number = int(text, 0)
                bounds = np.iinfo(self.dtype)
                if not bounds.min <= number <= bounds.max:
                    raise UsageError(f"--arg {self.text}: {text} does not fit into {self.dtype}")
                return self.dtype.type(number)
            if self.dtype.kind == "b":
                return self.dtype.type({"true": 1, "false": 0}.get(text) or int(text))
            return self.dtype.type(float(text))
        except ValueError:
            what = "a number"
            if self.shape is not None:
                what += ", zeros, random, arange or a file.npy"
            raise UsageError(f"--arg {self.text}: found {text!r}, expected {what}") from None

    def _from_file(self, path: str) -> Any:
        np = numpy()
        if not os.path.isfile(path):
            raise UsageError(f"--arg {self.text}: {path}: there is no such file")
        try:
            loaded = np.load(path, allow_pickle=False)
        except (ValueError, OSError, EOFError) as error:
            raise UsageError(f"--arg {self.text}: {path}: {error}") from None
        if loaded.dtype.kind == "V" and loaded.dtype.itemsize == self.dtype.itemsize:
            loaded = loaded.view(self.dtype)  # types of ml_dtypes are stored without their names
        if loaded.dtype != self.dtype or loaded.shape != self.shape:
            raise UsageError(
                f"--arg {self.text}: {path} holds {loaded.dtype}{list(loaded.shape)}, expected "
                f"{self.dtype}{list(self.shape or ())}"
            )
        return loaded


def parse(text: str) -> KernelArgument:
    """Reads one argument; UsageError says what is wrong with it."""
    if text == "null":
        return KernelArgument(text, "in", None, None, "")
    match = _ARGUMENT.fullmatch(text)
    if match is None:
        raise UsageError(f"--arg {text}: expected {_EXPECTED}")
    try:
        dtype = dtype_of(match["type"])
    except Error as error:
        raise UsageError(f"--arg {text}: {error}") from None
    shape = None
    if match["shape"] is not None:
        try:
            shape = tuple(int(side) for side in match["shape"].split(","))
        except ValueError:
            raise UsageError(f"--arg {text}: [{match['shape']}] is no shape") from None
        if math.prod(shape) * dtype.itemsize > _MAX_BYTES:
            raise UsageError(f"--arg {text}: larger than {_MAX_BYTES >> 30} GiB")
    elif match["role"]:
        raise UsageError(
            f"--arg {text}: a scalar is no output; give it a shape: {match['type']}[1]"
        )
    elif match["value"] is None:
        raise UsageError(f"--arg {text}: a scalar needs a value: {match['type']}=1")
    return KernelArgument(text, match["role"] or "in", dtype, shape, match["value"] or "")
