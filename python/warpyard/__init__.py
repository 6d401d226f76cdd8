# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Warpyard compiles CUDA kernels for every GPU generation, and runs them, without a GPU.

    import pathlib
    import warpyard

    for gpu in warpyard.targets():
        print(gpu.name, gpu.compute_capability, gpu.memory_bytes)

    results = warpyard.compile(pathlib.Path("saxpy.cu"), ["h100", "b200", "sm_120"])
    for target, result in results.items():
        kernel = result.kernels[0]
        print(target, kernel.name, kernel.registers, len(result.cubin))

    with warpyard.emulate("h100") as (gpu,):
        module = warpyard.load(results["h100"])
        y = gpu.zeros(1000)
        module["saxpy"].launch(4, 256, [2.0, gpu.array(x), y, 1000])
        print(y.numpy())

Everything that goes wrong is a `warpyard.Error`; `warpyard.errors` holds a class for each kind.
"""

from warpyard._array import DeviceArray
from warpyard._compile import compile
from warpyard._device import Device, devices, emulate, load, profile, take_reports
from warpyard._module import Kernel, Module
from warpyard._stream import Event, Graph, Stream
from warpyard._tensor_map import TensorMap
from warpyard._warpyard import (
    CompileOptions,
    CompileResult,
    ComputeCapability,
    DeviceSpec,
    Generation,
    KernelAttributes,
    KernelResources,
    Occupancy,
    ResolvedTarget,
    Source,
    compute_occupancy,
    find_generation,
    generations,
    provider_names,
    resolve_target,
    targets,
)
from warpyard.errors import (
    AbortedError,
    AlreadyExistsError,
    CancelledError,
    DataLossError,
    DeadlineExceededError,
    Error,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
    UnknownError,
)
from warpyard.version import __version__

__all__ = [
    "AbortedError",
    "AlreadyExistsError",
    "CancelledError",
    "CompileOptions",
    "CompileResult",
    "ComputeCapability",
    "DataLossError",
    "DeadlineExceededError",
    "Device",
    "DeviceArray",
    "DeviceSpec",
    "Error",
    "Event",
    "FailedPreconditionError",
    "Generation",
    "Graph",
    "InternalError",
    "InvalidArgumentError",
    "Kernel",
    "KernelAttributes",
    "KernelResources",
    "Module",
    "NotFoundError",
    "Occupancy",
    "OutOfRangeError",
    "PermissionDeniedError",
    "ResolvedTarget",
    "ResourceExhaustedError",
    "Source",
    "Stream",
    "TensorMap",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "__version__",
    "compile",
    "compute_occupancy",
    "devices",
    "emulate",
    "find_generation",
    "generations",
    "load",
    "profile",
    "provider_names",
    "resolve_target",
    "take_reports",
    "targets",
]
