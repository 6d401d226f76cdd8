# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Loaded code and its kernels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warpyard import _warpyard
from warpyard._arguments import pack
from warpyard._array import DeviceArray
from warpyard._compile import compile_source, get_compiler
from warpyard._numpy import dtype_of
from warpyard._source import Source, detect_language, make_source
from warpyard._stream import Stream
from warpyard._warpyard import CompileOptions, CompileResult, KernelAttributes
from warpyard.errors import InvalidArgumentError

if TYPE_CHECKING:
    from warpyard._device import Device

# What a fat binary begins with (fatbinary_section.h), and an ELF file.
_FATBIN = b"\x50\xed\x55\xba"
_ELF = b"\x7fELF"

Extent = int | Sequence[int]
Image = str | bytes | os.PathLike[str] | CompileResult


def _extent(extent: Extent, what: str) -> list[int]:
    sides = [extent] if isinstance(extent, int) else [int(side) for side in extent]
    if not 1 <= len(sides) <= 3 or any(not 0 < side < 1 << 32 for side in sides):
        raise InvalidArgumentError(
            f"{what}: found {extent!r}, expected one to three numbers from 1 on"
        )
    return sides + [1] * (3 - len(sides))


class Module:
    """Code that was loaded for a device. Made by `warpyard.load` or `Device.load`."""

    def __init__(self, device: Device, handle: _warpyard.DriverModule) -> None:
        self.device = device
        self._handle = handle

    @property
    def kernels(self) -> list[str]:
        """Names of the kernels."""
        return self._handle.kernel_names()

    def kernel(self, name: str) -> Kernel:
        """The kernel of this name, as in the symbol table. NotFoundError names those there are."""
        return Kernel(self, name, _warpyard.DriverKernel.find(self._handle, name))

    __getitem__ = kernel

    def variable(self, name: str, dtype: Any = "u8") -> DeviceArray:
        """A `__device__` or `__constant__` variable, as an array of one dimension, in place."""
        address, nbytes = self._handle.variable(name)
        element = dtype_of(dtype)
        if nbytes % element.itemsize:
            raise InvalidArgumentError(
                f"variable {name}: {nbytes} bytes are not whole elements of {element.name}"
            )
        shape = (nbytes // int(element.itemsize),)
        return DeviceArray(self.device, shape, element, address, self)

    def __repr__(self) -> str:
        return f"<Module of device {self.device.ordinal}>"


class Kernel:
    """A kernel of a loaded module. Made by `Module.kernel`."""

    def __init__(self, module: Module, name: str, handle: _warpyard.DriverKernel) -> None:
        self.module = module
        self.name = name
        self._handle = handle
        self._parameters = handle.parameters
        self._sizes = None if self._parameters is None else [size for _, size in self._parameters]

    @property
    def parameters(self) -> list[tuple[int, int]] | None:
        """Offset and size of each parameter in bytes; None where the driver does not tell."""
        return self._parameters

    @property
    def attributes(self) -> KernelAttributes:
        """Registers, shared and local memory, and bounds, as the driver states them."""
        return self._handle.attributes()

    def max_active_blocks_per_sm(self, threads: int, shared_bytes: int = 0) -> int:
        """How many blocks of so many threads an SM of the device holds."""
        return self._handle.max_active_blocks_per_sm(threads, shared_bytes)

    def launch(
        self,
        grid: Extent,
        block: Extent,
        args: Sequence[Any] = (),
        *,
        shared_bytes: int = 0,
        cluster: Extent | None = None,
        cooperative: bool = False,
        stream: Stream | None = None,
    ) -> None:
        """Launches the kernel. Returns at once: wait with `Stream.synchronize` or copy a result.

        Args:
            grid: Blocks: one to three numbers.
            block: Threads of a block: one to three numbers.
            args: A value for each parameter: a `DeviceArray` or another package's array of the
                device (its address), None (a null pointer), an `int` (as wide as the parameter), a
                `float` (an f16, f32 or f64, as wide as the parameter), a scalar of NumPy, or bytes
                (a structure). An `int` for a parameter of type float is *not* converted: write 2.0.
            shared_bytes: Dynamic shared memory of a block. Beyond 48 KiB the kernel's limit is
                raised.
            cluster: Blocks of a cluster, unless the kernel itself says it.
            cooperative: All blocks run at once and may wait for each other.
            stream: Where; by default on the device's default stream.

        Raises:
            InvalidArgumentError: Too many or too few arguments, one that does not fit, a grid or a
                block that the device does not run.
            ResourceExhaustedError: More registers or shared memory than the device has.
            UnimplementedError: An emulated device does not execute an operation of the kernel yet.
        """
        sizes = self._sizes
        if sizes is not None and len(args) != len(sizes):
            raise InvalidArgumentError(
                f"kernel {self.name} takes {len(sizes)} arguments, found {len(args)}"
            )
        uses: list[object] = [self]
        packed = [
            pack(
                value,
                None if sizes is None else sizes[index],
                f"kernel {self.name}, argument {index}",
                uses,
            )
            for index, value in enumerate(args)
        ]
        on = stream or self.module.device.default_stream
        self._handle.launch(
            _extent(grid, "grid"),
            _extent(block, "block"),
            packed,
            shared_bytes,
            None if cluster is None else _extent(cluster, "cluster"),
            cooperative,
            on._handle,
        )
        on._keep(*uses)

    def __repr__(self) -> str:
        return f"<Kernel {self.name} of device {self.module.device.ordinal}>"


def _is_loadable(data: bytes) -> bool:
    """Whether the driver takes it as it is; what it does not is CUDA C++."""
    return data.startswith((_ELF, _FATBIN)) or detect_language("", data) == "ptx"


def _compiled(device: Device, source: Source, options: CompileOptions) -> bytes:
    """Machine code, or the PTX that an emulated GPU runs."""
    compiler = get_compiler()
    if not device.is_emulated:
        return compile_source(compiler, source, device.target, options).cubin
    if source.folder:
        options = options.with_include_dirs([source.folder, *options.include_dirs])
    text = _warpyard.compile_to_ptx(compiler, source.text, source.name, device.target, options)
    return text.encode()


def load(device: Device, image: Image, options: CompileOptions | None) -> Module:
    """See `warpyard.load`."""
    if isinstance(image, CompileResult):
        data = image.ptx.encode() if device.is_emulated else image.cubin
        if not data:
            raise InvalidArgumentError(
                "an emulated GPU runs PTX, and this result of a compilation has none: it was "
                "compiled from PTX, which can be loaded itself"
            )
    else:
        source = make_source(image, None)
        data = source.text
        if not _is_loadable(data):
            # Lines cost the code nothing, and faults are reported with them.
            data = _compiled(device, source, options or CompileOptions(line_info=True))
    if device.is_emulated and data.startswith(_ELF):
        raise InvalidArgumentError(
            "a CUBIN is machine code, and an emulated GPU runs PTX: load PTX, or the "
            "CompileResult, which has both"
        )
    return Module(device, _warpyard.DriverModule.load(device._context, data))
