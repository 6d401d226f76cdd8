# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Arrays in a device's memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warpyard import _warpyard
from warpyard._numpy import dlpack_of, dtype_of, dtype_of_dlpack, numpy
from warpyard.errors import InvalidArgumentError

if TYPE_CHECKING:
    from warpyard._device import Device
    from warpyard._stream import Stream

_CUDA = 2  # DLDeviceType: kDLCUDA
_CUDA_MANAGED = 13  # kDLCUDAManaged


class DeviceArray:
    """A contiguous, row-major array in a device's memory.

    Made by `Device.array`, `Device.empty` and `Device.zeros`; freed with its last reference. NumPy
    copies it to the host (`numpy.asarray(a)`, `a.numpy()`); other packages use it in place, through
    DLPack and `__cuda_array_interface__`.

    Attributes:
        device: Where it is.
        shape: Its dimensions.
        dtype: A `numpy.dtype`.
        address: Of its first byte.
    """

    def __init__(
        self, device: Device, shape: tuple[int, ...], dtype: Any, address: int, owner: object
    ) -> None:
        self.device = device
        self.shape = shape
        self.dtype = dtype
        self.address = address
        self._owner = owner

    @property
    def size(self) -> int:
        """Elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * int(self.dtype.itemsize)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return (
            f"<DeviceArray {self.dtype.name}{list(self.shape)} at {self.address:#x} of "
            f"device {self.device.ordinal}>"
        )

    def numpy(self, stream: Stream | None = None) -> Any:
        """A copy on the host, a `numpy.ndarray`, made when `stream` has done its work so far."""
        host = numpy().empty(self.shape, self.dtype)
        self._stream(stream).copy_to_host(host.ctypes.data, self.address, self.nbytes)
        return host

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("an array of a device is copied to become one of NumPy")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def copy_from(self, source: Any, stream: Stream | None = None) -> DeviceArray:
        """Overwrites the array with `source`: a `DeviceArray` of any device, or what NumPy takes.

        A copy from the host has ended when this returns; another one is done in its turn on
        `stream`, which is of this array's device.
        """
        on = self._stream(stream)
        if isinstance(source, DeviceArray):
            self._check_like(source.shape, source.dtype)
            if source.device == self.device:
                on.copy_on_device(self.address, source.address, self.nbytes)
                return self
            if source.device._machine is self.device._machine:
                context = source.device._context
                on.copy_from_peer(self.address, source.address, context, self.nbytes)
                return self
            source = source.numpy()
        host = numpy().ascontiguousarray(source)
        if host.shape != self.shape and host.size == self.size == 1:
            host = host.reshape(self.shape)  # ascontiguousarray gives scalars a dimension
        self._check_like(host.shape, host.dtype)
        on.copy_from_host(self.address, host.ctypes.data, self.nbytes)
        on.synchronize()
        return self

    def fill_bytes(self, value: int, stream: Stream | None = None) -> DeviceArray:
        """Sets every byte to `value`, 0 to 255."""
        if not 0 <= value <= 255:
            raise InvalidArgumentError(f"fill_bytes: {value} is no byte")
        self._stream(stream).fill(self.address, value, self.nbytes)
        return self

    def reshape(self, *shape: int) -> DeviceArray:
        """The same memory in another shape of as many elements."""
        if math.prod(shape) != self.size:
            raise InvalidArgumentError(f"reshape: {list(self.shape)} does not become {list(shape)}")
        return DeviceArray(self.device, shape, self.dtype, self.address, self)

    def view(self, dtype: Any) -> DeviceArray:
        """The same memory as elements of another type, of the same size."""
        other = dtype_of(dtype)
        if other.itemsize != self.dtype.itemsize:
            raise InvalidArgumentError(
                f"view: {self.dtype.name} and {other.name} are not of the same size"
            )
        return DeviceArray(self.device, self.shape, other, self.address, self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "version": 3,
            "strides": None,
            "stream": 1,  # the legacy default stream
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device.ordinal

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("the array is exported where it is; copy it with numpy()")
        if stream != -1:  # -1: the caller needs no waiting
            self.device.synchronize()
        code, bits = dlpack_of(self.dtype)
        return _warpyard.dlpack_export(
            self.address, list(self.shape), code, bits, self.device.ordinal, self
        )

    def _stream(self, stream: Stream | None) -> _warpyard.DriverStream:
        return (stream or self.device.default_stream)._handle

    def _check_like(self, shape: tuple[int, ...], dtype: Any) -> None:
        if tuple(shape) != self.shape or dtype != self.dtype:
            raise InvalidArgumentError(
                f"copy_from: found {dtype.name}{list(shape)}, expected "
                f"{self.dtype.name}{list(self.shape)}"
            )


def allocate(device: Device, shape: int | Sequence[int], dtype: Any) -> DeviceArray:
    """An array whose bytes are not initialised."""
    dimensions = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    if any(n < 0 for n in dimensions):
        raise InvalidArgumentError(f"shape {list(dimensions)}: a dimension is negative")
    element = dtype_of(dtype)
    nbytes = math.prod(dimensions) * int(element.itemsize)
    memory = _warpyard.DriverMemory.allocate(device._context, nbytes)
    return DeviceArray(device, dimensions, element, memory.address, memory)


def foreign_pointer(value: Any) -> tuple[int, object] | None:
    """Address and owner of another package's array in a device's memory; None if it is none."""
    interface = getattr(value, "__cuda_array_interface__", None)
    if isinstance(interface, dict):
        return int(interface["data"][0]), value
    if hasattr(value, "__dlpack_device__") and hasattr(value, "__dlpack__"):
        if value.__dlpack_device__()[0] in (_CUDA, _CUDA_MANAGED):
            view = _warpyard.DlpackView.of(value)
            return view.address, view
    return None


def from_dlpack(device: Device, source: Any) -> DeviceArray:
    """Another package's array of this device, in place."""
    view = _warpyard.DlpackView.of(source)
    kind, ordinal = view.device
    if kind not in (_CUDA, _CUDA_MANAGED) or ordinal != device.ordinal:
        raise InvalidArgumentError(
            f"from_dlpack: an array of device type {kind}, number {ordinal}; expected type {_CUDA} "
            f"(CUDA), number {device.ordinal}. Device.array copies"
        )
    shape = tuple(view.shape)
    packed = 1
    for extent, stride in zip(reversed(shape), reversed(view.strides), strict=True):
        if extent != 1 and stride != packed:
            raise InvalidArgumentError("from_dlpack: the array is not contiguous and row-major")
        packed *= extent
    return DeviceArray(device, shape, dtype_of_dlpack(view.dtype), view.address, view)
