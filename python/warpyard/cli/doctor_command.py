# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard doctor`: what is there, what is missing, how to get it."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
from typing import Any, NamedTuple

import warpyard
from warpyard import _device, _warpyard
from warpyard._toolkit import cuda_roots
from warpyard.cli import figures
from warpyard.cli.terminal import style_of
from warpyard.errors import Error

_SYSTEM_DRIVER = "libcuda.so.1"
_KERNEL_MODULE = "/proc/driver/nvidia/version"


class _Part(NamedTuple):
    """Something that pip can install.

    Attributes:
        name: What people call it.
        package: What to install.
        purpose: What it is for.
        required: Whether kernels are not compiled without it.
    """

    name: str
    package: str
    purpose: str
    required: bool


# By the attribute of ToolPaths.
_TOOLS = {
    "nvrtc": _Part("NVRTC", "nvidia-cuda-nvrtc", "CUDA C++ to PTX and CUBIN", True),
    "nvjitlink": _Part("nvJitLink", "nvidia-nvjitlink", "PTX to CUBIN, linking", True),
    "nvvm": _Part("libNVVM", "nvidia-nvvm", "NVVM IR to PTX", False),
    "ptxas": _Part("ptxas", "nvidia-cuda-nvcc", "PTX to CUBIN", False),
    "nvlink": _Part("nvlink", "nvidia-cuda-nvcc", "linking", False),
    "nvdisasm": _Part("nvdisasm", "nvidia-cuda-nvdisasm", "SASS in dumps", False),
    "cuda_include": _Part("CUDA headers", "nvidia-cuda-runtime", "cuda_fp16.h and others", True),
    "cccl_include": _Part("libcu++ headers", "nvidia-cuda-cccl", "<cuda/std/...>", False),
}

# By the file's name up to its version, and the folders under nvidia/ where wheels have it.
_LIBRARIES = {
    "libcublas.so": (_Part("cuBLAS", "nvidia-cublas", "matrix products", False), "cu13"),
    "libcudnn.so": (_Part("cuDNN", "nvidia-cudnn-cu13", "neural networks", False), "cudnn"),
    "libnccl.so": (_Part("NCCL", "nvidia-nccl-cu13", "collectives", False), "nccl"),
    "libnvshmem_host.so": (
        _Part("NVSHMEM", "nvidia-nvshmem-cu13", "one-sided communication", False),
        "nvshmem",
    ),
    "libcupti.so": (_Part("CUPTI", "nvidia-cuda-cupti", "profiling", False), "cu13"),
}
_SYSTEM_FOLDERS = (
    "/usr/local/cuda/lib64",
    "/usr/local/cuda/extras/CUPTI/lib64",
    f"/usr/lib/{platform.machine()}-linux-gnu",
    "/usr/lib64",
)


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _from_wheel(path: str) -> bool:
    return f"{os.sep}nvidia{os.sep}" in path


def _found(part: _Part, path: str) -> dict[str, Any]:
    version = _installed(part.package) if path and _from_wheel(path) else None
    if path and version is None:
        match = re.search(r"\.so\.([0-9.]+)$", os.path.realpath(path))
        version = match[1] if match else None
    return {
        "name": part.name,
        "purpose": part.purpose,
        "path": path or None,
        "version": version,
        "required": part.required,
        "remedy": None if path else f"pip install {part.package}",
    }


def _newest(folder: str, stem: str) -> str:
    try:
        names = [name for name in os.listdir(folder) if re.fullmatch(stem + r"(\.[0-9.]+)?", name)]
    except OSError:
        return ""
    return os.path.join(folder, max(names, key=lambda name: (len(name), name))) if names else ""


def _library(stem: str, wheel_folder: str) -> str:
    spec = importlib.util.find_spec("nvidia")
    roots = list(spec.submodule_search_locations or []) if spec else []
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    folders += [os.path.join(root, wheel_folder, "lib") for root in roots]
    folders += [os.path.join(root, wheel_folder, "extras", "CUPTI", "lib64") for root in roots]
    for folder in (*filter(None, folders), *_SYSTEM_FOLDERS):
        if path := _newest(folder, stem):
            return path
    return ""


def _loaded_path(name: str) -> str:
    """The file behind a library that was loaded by its bare name."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if "/" in line}
    except (OSError, IndexError):
        return name
    return next((path for path in sorted(paths) if os.path.basename(path).startswith(name)), name)


def _kernel_module() -> str | None:
    try:
        with open(_KERNEL_MODULE, encoding="utf-8") as file:
            match = re.search(r"\s([0-9]+\.[0-9.]+)\s", file.readline())
    except OSError:
        return None
    return match[1] if match else None


def _device_fields(device: warpyard.Device) -> dict[str, Any]:
    return {
        "ordinal": device.ordinal,
        "name": device.name,
        "compute_capability": str(device.compute_capability),
        "memory_bytes": device.memory_bytes,
        "sm_count": device.sm_count,
        "is_emulated": device.is_emulated,
    }


def _driver_report() -> dict[str, Any]:
    report: dict[str, Any] = {"system": None, "emulated": None, "used": None}
    try:
        system = _warpyard.Driver.open(_SYSTEM_DRIVER, "the system's driver")
        path = _loaded_path("libcuda.so")
        report["system"] = {
            "path": path,
            "cuda_version": system.cuda_version,
            "version": _kernel_module(),
            "devices": system.device_count,
            "is_emulated": system.is_emulated,
            "problem": None if system.device_count else "it finds no GPU",
        }
    except Error as error:
        report["system"] = {"path": None, "problem": str(error)}
    path = _device.emulated_driver_path()
    report["emulated"] = {
        "path": path or None,
        "problem": None if path else f"{_device.EMULATED_DRIVER} is not beside the package",
    }
    try:
        machine = _device.current_machine()
        report["used"] = {
            "path": machine.driver.path,
            "reason": machine.driver.reason,
            "cuda_version": machine.driver.cuda_version,
            "is_emulated": machine.driver.is_emulated,
            "devices": [_device_fields(device) for device in warpyard.devices()],
            "problem": None,
        }
    except Error as error:
        report["used"] = {"path": None, "devices": [], "problem": str(error)}
    return report


def _report() -> dict[str, Any]:
    tools = _warpyard.locate_cuda(cuda_roots())
    compilers = [_found(part, getattr(tools, name)) for name, part in _TOOLS.items()]
    libraries = [
        _found(part, _library(stem, folder)) for stem, (part, folder) in _LIBRARIES.items()
    ]
    drivers = _driver_report()
    can_compile = all(item["path"] for item in compilers if item["required"])
    return {
        "warpyard": warpyard.__version__,
        "python": platform.python_version(),
        "platform": f"{sys.platform} {platform.machine()}",
        "drivers": drivers,
        "can_emulate": [gpu.name for gpu in warpyard.targets()]
        if drivers["emulated"]["path"]
        else [],
        "compilers": compilers,
        "libraries": libraries,
        "can_compile": can_compile,
        "can_run": bool(drivers["used"]["devices"]) or bool(drivers["emulated"]["path"]),
    }


def _print_parts(title: str, parts: list[dict[str, Any]]) -> None:
    style = style_of(sys.stdout)
    print(style(title, "bold"))
    for part in parts:
        if part["path"]:
            version = part["version"] or "version unknown"
            print(f"  {part['name']:<16} {version:<14} {part['path']}")
        else:
            need = "missing" if part["required"] else "not installed"
            text = f"{need}: {part['remedy']}  ({part['purpose']})"
            print(f"  {part['name']:<16} " + style(text, "red" if part["required"] else "dim"))
    print()


def _print(report: dict[str, Any]) -> None:
    style = style_of(sys.stdout)
    print(f"Warpyard {report['warpyard']}, Python {report['python']}, {report['platform']}\n")
    print(style("Drivers", "bold"))
    system, emulated, used = (report["drivers"][name] for name in ("system", "emulated", "used"))
    if system["path"]:
        module = f", kernel module {system['version']}" if system["version"] else ""
        problem = f": {system['problem']}" if system["problem"] else ""
        kind = "emulated" if system["is_emulated"] else "system"
        print(f"  {kind:<16} CUDA {system['cuda_version']}{module}  {system['path']}{problem}")
    else:
        print("  system           none: install NVIDIA's driver to use a GPU of this machine")
    print(f"  {'emulated':<16} {emulated['path'] or style(emulated['problem'], 'red')}")
    if used["problem"]:
        print("  used             " + style(used["problem"], "red"))
    else:
        print(f"  {'used':<16} {used['reason']}: CUDA {used['cuda_version']}  {used['path']}")
    print()
    print(style("GPUs", "bold"))
    for device in used["devices"]:
        how = "emulated" if device["is_emulated"] else "real"
        print(
            f"  {device['ordinal']}: {device['name']} ({device['compute_capability']}), "
            f"{figures.memory_size(device['memory_bytes'])}, {device['sm_count']} SMs, {how}"
        )
    if not used["devices"]:
        print("  none")
    if report["can_emulate"]:
        print(f"  can be emulated: {' '.join(report['can_emulate'])}")
    print()
    _print_parts("Compilers", report["compilers"])
    _print_parts("Libraries (opened where they are used)", report["libraries"])
    compiles = "can" if report["can_compile"] else "cannot"
    runs = "can" if report["can_run"] else "cannot"
    print(f"Kernels {compiles} be compiled and {runs} be run on this machine.")


def run(options: argparse.Namespace) -> int:
    report = _report()
    if options.json:
        from warpyard.cli import report_json

        print(report_json.dumps(report))
    else:
        _print(report)
    return 0 if report["can_compile"] and report["can_run"] else 1
