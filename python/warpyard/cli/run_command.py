# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard run`: one launch, and what it wrote."""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import sys
from typing import Any

import warpyard
from warpyard import _device
from warpyard._numpy import numpy
from warpyard._warpyard import CompileOptions
from warpyard.cli import figures
from warpyard.cli.kernel_argument import KernelArgument, parse
from warpyard.cli.usage import UsageError
from warpyard.errors import Error

# Arrays of up to so many elements are printed whole.
_SMALL = 32


def _code_options(options: argparse.Namespace) -> CompileOptions:
    for folder in options.include:
        if not os.path.isdir(folder):
            raise UsageError(f"-I {folder}: there is no such folder")
    return CompileOptions(
        fast_math=options.use_fast_math,
        line_info=True,  # so that reports name lines
        language_standard=options.std,
        defines=options.define,
        include_dirs=[os.path.abspath(folder) for folder in options.include],
    )


def _kernel(module: warpyard.Module, name: str | None, path: str) -> warpyard.Kernel:
    if name is not None:
        return module.kernel(name)
    kernels = module.kernels
    if len(kernels) == 1:
        return module.kernel(kernels[0])
    raise UsageError(f"{path} has {len(kernels)} kernels; --kernel one of: {', '.join(kernels)}")


def _statistics(array: Any) -> dict[str, Any]:
    """Figures of an array that is not small."""
    np = numpy()
    wide = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64).ravel()
    finite = wide[np.isfinite(wide)]
    found: dict[str, Any] = {
        "zeros": int((wide == 0).sum()),
        "nans": int(np.isnan(wide).sum()),
        "infinities": int(np.isinf(wide).sum()),
    }
    if finite.size and array.dtype.kind != "c":
        found |= {
            "min": float(finite.min()),
            "max": float(finite.max()),
            "mean": float(finite.mean()),
            "sum": float(finite.sum()),
        }
    return found


def _plain(array: Any) -> list[Any]:
    """Elements as JSON has them; those that it lacks as text."""
    np = numpy()
    if array.dtype.kind in "iub":
        values: list[Any] = array.ravel().tolist()
        return values
    wide = array.astype(np.float64).ravel().tolist()
    return [value if np.isfinite(value) else str(value) for value in wide]


def _print_array(index: int, argument: KernelArgument, array: Any) -> None:
    shape = ",".join(map(str, array.shape))
    print(f"arg {index}: {array.dtype.name}[{shape}]")
    with numpy().printoptions(linewidth=96, threshold=_SMALL, edgeitems=4, suppress=True):
        text = str(array if array.dtype.kind in "biufc" else array.astype(numpy().float32))
    for line in text.splitlines():
        print(f"  {line}")
    if array.size > _SMALL and array.dtype.kind != "c":
        told = _statistics(array)
        parts = [
            f"{name} {told[name]:.6g}" for name in ("min", "max", "mean", "sum") if name in told
        ]
        parts += [f"{told[name]} {name}" for name in ("zeros", "nans", "infinities") if told[name]]
        print("  " + ", ".join(parts))


def _print_profile(launch: dict[str, Any], indent: str = "  ") -> None:
    for name, value in launch.items():
        if isinstance(value, dict):
            print(f"{indent}{name}:")
            _print_profile(value, indent + "  ")
        else:
            text = f"{value:,}" if isinstance(value, int) else str(value)
            print(f"{indent}{name}: {text}")


def _launch(options: argparse.Namespace) -> int:
    arguments = [parse(text) for text in options.args]
    random = numpy().random.default_rng(options.seed)
    initial = [argument.host(random) for argument in arguments]
    device = warpyard.Device(options.device)
    machine = _device.current_machine()
    if options.sanitize is not None:
        machine.driver.set_sanitizer(options.sanitize)
    module = warpyard.load(pathlib.Path(options.file), device, options=_code_options(options))
    kernel = _kernel(module, options.kernel, options.file)
    values = [
        device.array(value) if argument.shape is not None else value
        for argument, value in zip(arguments, initial, strict=True)
    ]

    with contextlib.ExitStack() as stack:
        launches = stack.enter_context(warpyard.profile()) if options.profile else []
        stream = device.stream()
        start = stream.record()
        kernel.launch(
            options.grid,
            options.block,
            values,
            shared_bytes=options.shared,
            cluster=options.cluster,
            cooperative=options.cooperative,
            stream=stream,
        )
        seconds = stream.record().seconds_since(start)
    outputs = [
        (index, argument, value.numpy())
        for index, (argument, value) in enumerate(zip(arguments, values, strict=True))
        if argument.role != "in"
    ]
    reports = warpyard.take_reports()

    if options.output:
        os.makedirs(options.output, exist_ok=True)
        for index, _, array in outputs:
            numpy().save(os.path.join(options.output, f"arg{index}.npy"), array)
    if options.json:
        from warpyard.cli import report_json

        print(
            report_json.dumps(
                {
                    "kernel": kernel.name,
                    "device": {
                        "name": device.name,
                        "compute_capability": str(device.compute_capability),
                        "is_emulated": device.is_emulated,
                    },
                    "duration_seconds": seconds,
                    "outputs": [
                        {
                            "argument": index,
                            "dtype": array.dtype.name,
                            "shape": list(array.shape),
                            **(
                                {"values": _plain(array)}
                                if array.size <= _SMALL
                                else {"statistics": _statistics(array)}
                            ),
                        }
                        for index, _, array in outputs
                    ],
                    "reports": reports,
                    "profile": launches,
                }
            )
        )
    else:
        how = "emulated " if device.is_emulated else ""
        print(
            f"{kernel.name} on {how}{device.name} ({device.compute_capability}): "
            f"{figures.duration(seconds)}"
        )
        for index, argument, array in outputs:
            _print_array(index, argument, array)
        if options.profile:
            print("profile:")
            for launch in launches:
                _print_profile(launch)
        for report in reports:
            print(f"warpyard: {report}", file=sys.stderr)
    return 1 if reports else 0


def run(options: argparse.Namespace) -> int:
    if not os.path.isfile(options.file):
        raise UsageError(f"{options.file}: there is no such file")
    with contextlib.ExitStack() as stack:
        if options.emulate:
            try:
                gpus = _device.gpu_list([options.emulate])
            except Error as error:
                raise UsageError(f"--emulate {options.emulate}: {error}") from None
            stack.enter_context(warpyard.emulate(gpus))
        return _launch(options)
