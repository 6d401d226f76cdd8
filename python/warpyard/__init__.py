# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Warpyard compiles CUDA kernels for every GPU generation, without a GPU.

    import pathlib
    import warpyard

    for gpu in warpyard.targets():
        print(gpu.name, gpu.compute_capability, gpu.memory_bytes)

    results = warpyard.compile(pathlib.Path("saxpy.cu"), ["h100", "b200", "sm_120"])
    for target, result in results.items():
        kernel = result.kernels[0]
        print(target, kernel.name, kernel.registers, len(result.cubin))

Everything that goes wrong is a `warpyard.Error`; `warpyard.errors` holds a class for each kind.
"""

from warpyard._compile import compile
from warpyard._warpyard import (
    CompileOptions,
    CompileResult,
    ComputeCapability,
    DeviceSpec,
    Generation,
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
    "DeviceSpec",
    "Error",
    "FailedPreconditionError",
    "Generation",
    "InternalError",
    "InvalidArgumentError",
    "KernelResources",
    "NotFoundError",
    "Occupancy",
    "OutOfRangeError",
    "PermissionDeniedError",
    "ResolvedTarget",
    "ResourceExhaustedError",
    "Source",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "__version__",
    "compile",
    "compute_occupancy",
    "find_generation",
    "generations",
    "provider_names",
    "resolve_target",
    "targets",
]
