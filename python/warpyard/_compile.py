# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard.compile` and the compiler behind it."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Sequence

from warpyard import _warpyard
from warpyard._source import Source, make_source
from warpyard._toolkit import cuda_roots
from warpyard._warpyard import (
    CompileOptions,
    Compiler,
    CompileResult,
    ComputeCapability,
    DeviceSpec,
)
from warpyard.errors import Error, InvalidArgumentError

# A name ("h100", "sm_90a"), a compute capability or a GPU.
TargetLike = str | ComputeCapability | DeviceSpec


@functools.cache
def get_compiler(provider: str = "auto", cache: bool = True) -> Compiler:
    """The process's compiler: opened once, safe to use from many threads."""
    return Compiler(cuda_roots(), provider, cache)


def compile_source(
    compiler: Compiler, source: Source, target: ComputeCapability, options: CompileOptions
) -> CompileResult:
    """Compiles one source for one target. The interpreter's lock is free meanwhile."""
    if source.folder:
        options = options.with_include_dirs([source.folder, *options.include_dirs])
    try:
        return compiler.compile(source.text, source.name, source.language, target, options)
    except Error as error:
        error.target = target.sm_name
        raise


def _name_and_code(target: TargetLike) -> tuple[str, ComputeCapability]:
    if isinstance(target, ComputeCapability):
        return target.sm_name, target
    if isinstance(target, DeviceSpec):
        return target.name, target.native_target
    return target, _warpyard.resolve_target(target).code


def compile(
    source: str | bytes | os.PathLike[str],
    targets: Iterable[TargetLike],
    *,
    name: str | None = None,
    options: CompileOptions | None = None,
    provider: str = "auto",
    cache: bool = True,
    jobs: int | None = None,
) -> dict[str, CompileResult]:
    """Compiles CUDA C++ or PTX for one or more targets, without a GPU.

    Args:
        source: The code itself, or a path (`pathlib.Path`) to a file of it. PTX is told from CUDA
            C++ by the suffix of its name, else by its leading `.version`.
        targets: GPUs ("h100", or one of `warpyard.targets()`) and compute capabilities ("sm_120",
            "9.0a"). A GPU means its native target: sm_90a for an H100.
        name: What diagnostics call the source, instead of its path.
        options: What changes the code.
        provider: The compiler to use; "auto" takes the first that can do it.
        cache: Whether results are kept in, and taken from, memory and the user's cache folder.
        jobs: Threads; by default as many as there are cores.

    Returns:
        The result for each target, by the target's name as it was given, in that order.

    Raises:
        NotFoundError: A target, a tool or a file that the code includes is not there.
        InvalidArgumentError: The code does not compile; the message holds file and line.
        ResourceExhaustedError: The code asks for more than the target has.
        UnimplementedError: The compiler is too old for the target or the code.
        OSError: The file cannot be read.

        With several targets, that of the first one, in their order, that failed; its `target`
        tells which.

    Example:
        >>> result = warpyard.compile(pathlib.Path("saxpy.cu"), ["h100", "sm_120"])
        >>> result["h100"].kernels[0].registers
        12
    """
    unit = make_source(source, name)
    if name is not None and name != unit.name:
        unit = Source(name, unit.text, unit.language, unit.folder)
    if isinstance(targets, (str, ComputeCapability, DeviceSpec)):
        raise InvalidArgumentError(f"targets: expected a list, found {targets!r}; write [...]")
    codes = dict(_name_and_code(target) for target in targets)
    if not codes:
        raise InvalidArgumentError("targets: empty; name at least one, such as 'h100'")
    compiler = get_compiler(provider, cache)
    settings = options or CompileOptions()
    distinct = list(dict.fromkeys(codes.values()))
    results = _compile_distinct(compiler, unit, distinct, settings, jobs)
    return {target: results[code] for target, code in codes.items()}


def _compile_distinct(
    compiler: Compiler,
    source: Source,
    codes: Sequence[ComputeCapability],
    options: CompileOptions,
    jobs: int | None,
) -> dict[ComputeCapability, CompileResult]:
    if len(codes) == 1:  # no thread: a cached compile takes microseconds
        return {codes[0]: compile_source(compiler, source, codes[0], options)}
    from concurrent.futures import ThreadPoolExecutor  # not what `import warpyard` waits for

    workers = min(jobs or os.cpu_count() or 1, len(codes))
    with ThreadPoolExecutor(workers, thread_name_prefix="warpyard-compile") as pool:
        futures = [pool.submit(compile_source, compiler, source, code, options) for code in codes]
        try:
            return {code: future.result() for code, future in zip(codes, futures, strict=True)}
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
