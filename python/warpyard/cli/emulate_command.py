# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard emulate`: any program, with the emulated driver in place of NVIDIA's."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import sys
import tempfile

from warpyard import _device
from warpyard.cli.usage import UsageError
from warpyard.errors import Error, NotFoundError, UnimplementedError

# What programs open, and what linkers look for.
_DRIVER_NAMES = ("libcuda.so.1", "libcuda.so")
_NVML_NAMES = ("libnvidia-ml.so.1", "libnvidia-ml.so")

_EXIT_NOT_RUNNABLE = 126
_EXIT_NO_PROGRAM = 127


def _cache_folder() -> str:
    """As cc/base/cache_dir.h has it."""
    own = os.environ.get("WARPYARD_CACHE_DIR")
    if own:
        return own
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "warpyard")


def _exports(driver: str, symbol: str) -> bool:
    """Whether the driver's file names a symbol."""
    import mmap

    with (
        open(driver, "rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return content.find(f"\0{symbol}\0".encode()) >= 0


def _fill(folder: str, driver: str) -> None:
    names = _DRIVER_NAMES + (_NVML_NAMES if _exports(driver, "nvmlInit_v2") else ())
    for name in names:
        os.symlink(driver, os.path.join(folder, name))
    preload = os.path.join(os.path.dirname(driver), _device.PRELOAD)
    if os.path.exists(preload):
        os.symlink(preload, os.path.join(folder, _device.PRELOAD))


def library_folder(driver: str) -> str:
    """A folder where the driver has the names that programs look for.

    It is kept in the user's cache, one for each driver: a program may go on looking there as long
    as it lives, also after this command has become that program.
    """
    status = os.stat(driver)
    key = f"{driver}\0{status.st_size}\0{status.st_mtime_ns}"
    name = hashlib.sha256(key.encode()).hexdigest()[:16]
    parent = os.path.join(_cache_folder(), "emulated-driver")
    folder = os.path.join(parent, name)
    if os.path.isdir(folder):
        return folder
    try:
        os.makedirs(parent, exist_ok=True)
        fresh = tempfile.mkdtemp(prefix=name, dir=parent)
    except OSError:  # a home that is read-only
        fresh = tempfile.mkdtemp(prefix="warpyard-emulated-driver-")
        _fill(fresh, driver)
        return fresh
    _fill(fresh, driver)
    try:
        os.rename(fresh, folder)  # whole, or another process was faster
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def environment_for(gpus: str, driver: str, base: dict[str, str]) -> dict[str, str]:
    """What a program needs to find the emulated driver."""
    folder = library_folder(driver)

    def in_front(variable: str, entry: str) -> str:
        return os.pathsep.join([entry, *filter(None, [base.get(variable)])])

    changes = {
        "LD_LIBRARY_PATH": in_front("LD_LIBRARY_PATH", folder),
        "WARPYARD_EMULATE": gpus,
        # Triton looks in the loader's cache before it looks at LD_LIBRARY_PATH.
        "TRITON_LIBCUDA_PATH": folder,
    }
    preload = os.path.join(folder, _device.PRELOAD)
    if os.path.exists(preload):
        changes["LD_PRELOAD"] = in_front("LD_PRELOAD", preload)
    return base | changes


def _demand(flag: str, driver: str, symbol: str) -> None:
    """A program must not run in the belief that it is being checked."""
    if not _exports(driver, symbol):
        raise UnimplementedError(
            f"emulate {flag}: the emulated driver cannot do that yet. Without the flag, bounds and "
            "alignment of every access are checked"
        )


def run(options: argparse.Namespace) -> int:
    command: list[str] = options.command
    if not command:
        raise UsageError(f"emulate {options.gpus}: name a program behind --")
    try:
        gpus = _device.gpu_list([options.gpus])
    except Error as error:
        raise UsageError(f"emulate {options.gpus}: {error}") from None
    driver = _device.emulated_driver_path()
    if not driver:
        raise NotFoundError(
            "the emulated driver, libwarpyard_cuda.so, is not beside the package warpyard. "
            "Install the wheel for this platform: pip install --force-reinstall warpyard"
        )
    environment = environment_for(gpus, driver, dict(os.environ))
    environment.pop("WARPYARD_CUDA_DRIVER", None)
    if options.sanitize is not None:
        _demand("--sanitize", driver, "warpyardSetSanitizer")
        environment["WARPYARD_SANITIZE"] = options.sanitize
    if options.profile is not None:
        _demand("--profile", driver, "warpyardSetProfile")
        environment["WARPYARD_PROFILE"] = os.path.abspath(options.profile)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execvpe(command[0], command, environment)
    except FileNotFoundError:
        print(f"warpyard: {command[0]}: there is no such program", file=sys.stderr)
        return _EXIT_NO_PROGRAM
    except OSError as error:
        print(f"warpyard: {command[0]}: {error.strerror}", file=sys.stderr)
        return _EXIT_NOT_RUNNABLE
