# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Devices, real and emulated."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from warpyard import _array, _module, _warpyard
from warpyard._array import DeviceArray
from warpyard._module import Image, Module
from warpyard._numpy import dtype_of, numpy
from warpyard._stream import Event, Stream
from warpyard._warpyard import CompileOptions, ComputeCapability
from warpyard.errors import InvalidArgumentError

EMULATED_DRIVER = "libwarpyard_cuda.so"
# Makes NVIDIA's compilers, in programs that call them, leave PTX in the CUBINs that they make.
PRELOAD = "libwarpyard_preload.so"
MAX_EMULATED_GPUS = 64


def emulated_driver_path() -> str:
    """Where the emulated driver is: beside this package. Empty if it is not there."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), EMULATED_DRIVER)
    return path if os.path.exists(path) else ""


class _Machine:
    """A driver with its devices and their contexts."""

    def __init__(self, driver: _warpyard.Driver) -> None:
        self.driver = driver
        self._contexts: dict[int, _warpyard.DriverContext] = {}

    def context(self, ordinal: int) -> _warpyard.DriverContext:
        if ordinal not in self._contexts:
            self._contexts[ordinal] = _warpyard.DriverContext.retain(self.driver, ordinal)
        return self._contexts[ordinal]


_entered: contextvars.ContextVar[_Machine | None] = contextvars.ContextVar(
    "warpyard_machine", default=None
)


@functools.cache
def _default_machine() -> _Machine:
    return _Machine(_warpyard.Driver.default(emulated_driver_path()))


@functools.cache
def _emulated_machine(gpus: str) -> _Machine:
    path = emulated_driver_path() or os.path.join(os.path.dirname(__file__), EMULATED_DRIVER)
    return _Machine(_warpyard.Driver.emulated(path, gpus))


def current_machine() -> _Machine:
    """That of the innermost `emulate`, else the process's own."""
    return _entered.get() or _default_machine()


class Device:
    """A GPU, real or emulated.

    `Device(0)` is the first of `warpyard.devices()`. Everything that is made with a device (arrays,
    modules, streams) belongs to it.

    Args:
        ordinal: Its number, from 0 on.

    Raises:
        NotFoundError: There is no driver, or it finds no GPU.
        OutOfRangeError: There is no device of that number.
    """

    def __init__(self, ordinal: int = 0) -> None:
        self._bind(current_machine(), ordinal)

    def _bind(self, machine: _Machine, ordinal: int) -> None:
        self._machine = machine
        self._context = machine.context(ordinal)
        self._info = machine.driver.device_info(ordinal)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Device):
            return NotImplemented
        return self._machine is other._machine and self.ordinal == other.ordinal

    def __hash__(self) -> int:
        return hash((id(self._machine), self.ordinal))

    def __repr__(self) -> str:
        how = " (emulated)" if self.is_emulated else ""
        return f"<Device {self.ordinal}: {self.name}, {self.compute_capability}{how}>"

    @property
    def ordinal(self) -> int:
        """Its number among the driver's devices."""
        return self._info.ordinal

    @property
    def name(self) -> str:
        """As the driver states it: "NVIDIA H100 80GB HBM3"."""
        return self._info.name

    @property
    def compute_capability(self) -> ComputeCapability:
        """Plain: 9.0."""
        return self._info.compute_capability

    @property
    def target(self) -> ComputeCapability:
        """What to compile for to use all of it: 9.0a."""
        generation = _warpyard.find_generation(self.compute_capability)
        return generation.native_target if generation else self.compute_capability

    @property
    def uuid(self) -> str:
        return self._info.uuid

    @property
    def pci_bus_id(self) -> str:
        return self._info.pci_bus_id

    @property
    def memory_bytes(self) -> int:
        return self._info.memory_bytes

    @property
    def sm_count(self) -> int:
        return self._info.sm_count

    @property
    def is_emulated(self) -> bool:
        return self._machine.driver.is_emulated

    @property
    def driver_path(self) -> str:
        return self._machine.driver.path

    @property
    def cuda_version(self) -> str:
        """The CUDA release whose API the driver has."""
        return self._machine.driver.cuda_version

    def attribute(self, number: int) -> int:
        """A CUdevice_attribute, by its number in <cuda.h>."""
        return self._machine.driver.device_attribute(self.ordinal, number)

    def memory_info(self) -> tuple[int, int]:
        """Bytes that are free, and all."""
        return self._context.memory()

    def synchronize(self) -> None:
        """Waits for all work of the device. A kernel's fault comes out here."""
        self._context.synchronize()

    def can_access_peer(self, peer: Device) -> bool:
        """Whether kernels here can use the memory of `peer`, once that is enabled."""
        if peer._machine is not self._machine:
            return False
        return self._machine.driver.can_access_peer(self.ordinal, peer.ordinal)

    def enable_peer_access(self, peer: Device) -> None:
        """Lets kernels here use the memory of `peer`."""
        if peer._machine is not self._machine:
            raise InvalidArgumentError("the devices are of two drivers")
        self._context.enable_peer_access(peer._context)

    def load(self, image: Image, *, options: CompileOptions | None = None) -> Module:
        """As `warpyard.load`, for this device."""
        return _module.load(self, image, options)

    def empty(self, shape: int | Sequence[int], dtype: Any = "float32") -> DeviceArray:
        """An array that is not initialised. Data types are NumPy's, or short: "f32", "bf16"."""
        return _array.allocate(self, shape, dtype)

    def zeros(self, shape: int | Sequence[int], dtype: Any = "float32") -> DeviceArray:
        """An array of zeros."""
        return self.empty(shape, dtype).fill_bytes(0)

    def array(self, source: Any, dtype: Any = None) -> DeviceArray:
        """A copy of what NumPy takes, or of another device's array."""
        if isinstance(source, DeviceArray) and dtype is None:
            return self.empty(source.shape, source.dtype).copy_from(source)
        host = numpy().asarray(source, None if dtype is None else dtype_of(dtype))
        return self.empty(host.shape, host.dtype).copy_from(host)

    def from_dlpack(self, source: Any) -> DeviceArray:
        """Another package's array of this device, in place."""
        return _array.from_dlpack(self, source)

    @functools.cached_property
    def default_stream(self) -> Stream:
        """The legacy default stream."""
        return Stream(self, _warpyard.DriverStream.default(self._context))

    def stream(self, priority: int = 0) -> Stream:
        """A new stream. Smaller numbers are of higher priority."""
        return Stream(self, _warpyard.DriverStream.create(self._context, priority))

    def event(self) -> Event:
        """A new event, not recorded yet."""
        return Event(_warpyard.DriverEvent.create(self._context))


def _devices_of(machine: _Machine) -> list[Device]:
    found = []
    for ordinal in range(machine.driver.device_count):
        device = Device.__new__(Device)
        device._bind(machine, ordinal)
        found.append(device)
    return found


def devices() -> list[Device]:
    """All devices of the current driver: that of `emulate`, else the process's own.

    The process's own is `$WARPYARD_CUDA_DRIVER`; else, where `$WARPYARD_EMULATE` names GPUs, the
    emulated driver; else the system's; else, where that finds no GPU, the emulated driver again.

    Raises:
        NotFoundError: No driver can be opened; the message says what was tried.
    """
    return _devices_of(current_machine())


def load(
    image: Image, device: Device | None = None, *, options: CompileOptions | None = None
) -> Module:
    """Loads code for a device.

    Args:
        image: A `CompileResult`; PTX, a CUBIN or a fat binary; or CUDA C++, which is compiled for
            the device first. Text and bytes are the code itself, a `pathlib.Path` is a file of it.
        device: Where it is to run; by default `Device(0)`.
        options: What changes the code, where it is compiled.

    Raises:
        InvalidArgumentError: The code is damaged, does not compile, or is not for this device; the
            error's `log` has the driver's or the compiler's words.
        UnimplementedError: PTX of a newer ISA than the driver reads.
    """
    return _module.load(device or Device(), image, options)


def gpu_list(gpus: Sequence[str]) -> str:
    """Checks names of GPUs, each perhaps with a count ("b200*8"), and joins them."""
    items = [item.strip() for gpu in gpus for item in gpu.split(",")]
    total = 0
    checked = []
    for item in items:
        match = re.fullmatch(r"([^*]+)(?:\*([0-9]{1,3}))?", item)
        if match is None:
            raise InvalidArgumentError(
                f"GPU {item!r}: expected a name or name*count, such as h100 or b200*8"
            )
        spec = _warpyard.resolve_target(match[1]).device
        if spec is None:
            raise InvalidArgumentError(
                f"GPU {match[1]!r}: a compute capability; name a GPU, such as h100"
            )
        count = int(match[2] or 1)
        total += count
        checked.append(spec.name + (f"*{count}" if count != 1 else ""))
    if not 1 <= total <= MAX_EMULATED_GPUS:
        raise InvalidArgumentError(
            f"{total} GPUs are to be emulated; from 1 to {MAX_EMULATED_GPUS} can be"
        )
    return ",".join(checked)


@contextlib.contextmanager
def emulate(*gpus: str, sanitize: str | None = None) -> Iterator[list[Device]]:
    """Emulates GPUs in this process, and makes them the current ones.

    with warpyard.emulate("h100", "b200*2") as gpus:
        module = warpyard.load(pathlib.Path("saxpy.cu"))  # for gpus[0], the H100

    Kernels run on the CPU, from PTX; docs/running.md says what is executed. The same GPUs are the
    same machine again: what was made on it stays usable after the block, and in another one.
    Nothing else in the process is changed. It holds in this thread (and context) alone.

    Args:
        gpus: Names of `warpyard.targets()`, each perhaps with a count: "b200*8".
        sanitize: Checks to switch on for the block, as in `$WARPYARD_SANITIZE`: "all", or a list
            such as "memory,race". Bounds and alignment are checked always.

    Yields:
        The devices.

    Raises:
        NotFoundError: An unknown GPU, or the emulated driver is not installed.
    """
    machine = _emulated_machine(gpu_list(gpus))
    if sanitize is not None:
        machine.driver.set_sanitizer(sanitize)
    token = _entered.set(machine)
    try:
        yield _devices_of(machine)
    finally:
        _entered.reset(token)
        if sanitize is not None:
            machine.driver.set_sanitizer("")


def take_reports() -> list[str]:
    """What the current emulated driver found wrong since the last call: faults and the sanitizer's
    findings, each with kernel, source line, block, thread and address. Empty for other drivers."""
    return current_machine().driver.take_reports().splitlines()


@contextlib.contextmanager
def profile() -> Iterator[list[dict[str, Any]]]:
    """Counts what launches on the current emulated driver do.

    with warpyard.profile() as launches:
        kernel.launch(grid, block, args)
    print(launches[0])

    Waits for the devices at the end of the block, and fills the list then: a dictionary for each
    launch, in order.

    Raises:
        UnimplementedError: The driver is not the emulated one.
    """
    machine = current_machine()
    machine.driver.set_profile(True)
    machine.driver.take_profiles()
    launches: list[dict[str, Any]] = []
    try:
        yield launches
        for device in _devices_of(machine):
            device.synchronize()
    finally:
        machine.driver.set_profile(False)
        launches += [json.loads(line) for line in machine.driver.take_profiles().splitlines()]
