# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the machine at hand has, asked of its driver and libraries.

WARPYARD_CUDA_DRIVER is the path of the CUDA driver, or "system"; that is the default.
WARPYARD_CUDNN is the path of cuDNN, where it is not the one that the system or pip has. Nothing is
linked: what cannot be opened is not there.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import dataclasses
import functools
import glob
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from warpyard.testing.gpu_names import short_name

_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

# CUdevice_attribute of cuda.h.
_COMPUTE_CAPABILITY_MAJOR = 75
_COMPUTE_CAPABILITY_MINOR = 76


class MachineError(RuntimeError):
    """A driver that is there and does not answer."""


@dataclasses.dataclass(frozen=True)
class Device:
    """One GPU."""

    name: str  # the driver's: "NVIDIA H100 80GB HBM3"
    compute_capability: tuple[int, int]
    memory_bytes: int

    @property
    def mig(self) -> bool:
        """Whether it is a slice of a GPU."""
        return " MIG " in f" {self.name} "


@dataclasses.dataclass(frozen=True)
class Machine:
    """What a test can ask about where it runs. Versions are tuples, None of what is not there."""

    devices: tuple[Device, ...]
    emulated: bool
    os: str
    driver: tuple[int, ...] | None = None
    cuda: tuple[int, ...] | None = None
    cudnn: tuple[int, ...] | None = None
    nccl: tuple[int, ...] | None = None

    def facts(self) -> dict[str, str]:
        """For requirements. Of several GPUs, the least that any of them has counts."""

        def version(value: tuple[int, ...] | None) -> str:
            return ".".join(map(str, value)) if value else "none"

        facts = {
            "cuda": version(self.cuda),
            "cudnn": version(self.cudnn),
            "driver": version(self.driver),
            "gpu": "none",
            "gpus": str(len(self.devices)),
            "hardware": "none",
            "memory": "none",
            "nccl": version(self.nccl),
            "os": self.os,
            "sm": "none",
        }
        if self.devices:
            least = min(self.devices, key=lambda device: device.compute_capability)
            facts |= {
                "gpu": short_name(least.name),
                "hardware": "no" if self.emulated else "yes",
                "memory": f"{min(device.memory_bytes for device in self.devices) >> 20}MiB",
                "sm": "{}.{}".format(*least.compute_capability),
            }
        return facts


def _open(names: list[str]) -> ctypes.CDLL | None:
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def _of_wheel(pattern: str) -> list[str]:
    """Libraries in the folders where pip puts NVIDIA's wheels."""
    return [path for folder in sys.path for path in sorted(glob.glob(f"{folder}/nvidia/{pattern}"))]


def _cudnn_version(path: str) -> tuple[int, ...] | None:
    library = _open(
        [path]
        if path
        else ["libcudnn.so.9", "cudnn64_9.dll", *_of_wheel("cudnn/lib/libcudnn.so.9")]
    )
    if library is None:
        return None
    library.cudnnGetVersion.restype = ctypes.c_size_t
    number = int(library.cudnnGetVersion())  # 91301 is 9.13.1, since cuDNN 9
    return number // 10000, number // 100 % 100, number % 100


def _nccl_version() -> tuple[int, ...] | None:
    library = _open(["libnccl.so.2", *_of_wheel("nccl/lib/libnccl.so.2")])
    if library is None:
        return None
    number = ctypes.c_int()
    if library.ncclGetVersion(ctypes.byref(number)) != 0:
        return None
    return number.value // 10000, number.value // 100 % 100, number.value % 100


def _system_driver_version() -> tuple[int, ...] | None:
    """The driver's own version: the kernel module's, or what NVML says."""
    text = ""
    try:
        text = Path("/proc/driver/nvidia/version").read_text(encoding="utf-8")
    except OSError:
        nvml = _open(["libnvidia-ml.so.1", "nvml.dll"])
        if nvml is not None and nvml.nvmlInit_v2() == 0:
            buffer = ctypes.create_string_buffer(80)
            if nvml.nvmlSystemGetDriverVersion(buffer, len(buffer)) == 0:
                text = buffer.value.decode("ascii", "replace")
            nvml.nvmlShutdown()
    match = re.search(r"\b([0-9]{3,4})\.([0-9]+)(?:\.([0-9]+))?\b", text)
    return tuple(int(part) for part in match.groups() if part) if match else None


class _Driver:
    """The few functions of the driver API that tell what is there."""

    def __init__(self, library: ctypes.CDLL, path: str) -> None:
        self._library = library
        self._path = path

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            raise MachineError(f"{self._path}: {name} gave error {code}")

    def number(self, name: str, *arguments: Any) -> int:
        value = ctypes.c_int()
        self.call(name, ctypes.byref(value), *arguments)
        return value.value

    @property
    def emulated(self) -> bool:
        # What Warpyard's emulated driver has and no other.
        return hasattr(self._library, "warpyardControlVersion")

    def device(self, ordinal: int) -> Device:
        handle = self.number("cuDeviceGet", ordinal)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), handle)
        memory = ctypes.c_size_t()
        self.call("cuDeviceTotalMem_v2", ctypes.byref(memory), handle)
        return Device(
            name.value.decode("utf-8", "replace"),
            (
                self.number("cuDeviceGetAttribute", _COMPUTE_CAPABILITY_MAJOR, handle),
                self.number("cuDeviceGetAttribute", _COMPUTE_CAPABILITY_MINOR, handle),
            ),
            memory.value,
        )


_NO_DEVICE = 100  # CUDA_ERROR_NO_DEVICE


def probe(environment: Mapping[str, str] = os.environ) -> Machine:
    """Asks the driver that the environment names.

    Raises:
        MachineError: WARPYARD_CUDA_DRIVER names a file that does not load, or a driver fails
            with anything but "no device".
    """
    system = _SYSTEMS.get(sys.platform, sys.platform)
    versions = {
        "cudnn": _cudnn_version(environment.get("WARPYARD_CUDNN", "")),
        "nccl": _nccl_version(),
    }
    path = environment.get("WARPYARD_CUDA_DRIVER") or "system"
    try:
        library = ctypes.CDLL(_DRIVER if path == "system" else os.path.abspath(path))
    except OSError as error:
        if path == "system":
            return Machine((), False, system, **versions)
        raise MachineError(f"WARPYARD_CUDA_DRIVER={path} does not load: {error}") from error
    driver = _Driver(library, path)
    code = library.cuInit(0)
    if code == _NO_DEVICE:
        return Machine((), driver.emulated, system, **versions)
    if code != 0:
        raise MachineError(f"{path}: cuInit gave error {code}")
    cuda = driver.number("cuDriverGetVersion")  # 13000 is 13.0
    return Machine(
        tuple(driver.device(i) for i in range(driver.number("cuDeviceGetCount"))),
        driver.emulated,
        system,
        # An emulated driver is as new as its CUDA asks for: CUDA 13 came with 580.
        driver=(580,) if driver.emulated else _system_driver_version(),
        cuda=(cuda // 1000, cuda % 1000 // 10),
        **versions,
    )


@functools.cache
def machine() -> Machine:
    """The machine at hand, asked once."""
    return probe()


MachineSource = Callable[[], Machine]
