# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard targets`: the GPUs that can be named."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from warpyard import _warpyard
from warpyard._warpyard import DeviceSpec
from warpyard.cli import figures
from warpyard.cli.terminal import is_terminal, width_of

# The table without its last column fits into 80 columns.
_WIDTH_WITH_CUDA = 92


def _toolkits(device: DeviceSpec) -> str:
    first, last = _warpyard.toolkits_for(device.native_target)
    return f"{first} to {last}" if last else f"{first} on"


def _print_table(devices: list[DeviceSpec]) -> None:
    # Costs 40 ms to import, which --json and the other commands do not pay.
    from rich import box
    from rich.console import Console
    from rich.table import Table

    width = width_of(sys.stdout)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    columns: list[tuple[str, Callable[[DeviceSpec], str]]] = [
        ("GPU", lambda device: device.name),
        ("target", lambda device: device.native_target.sm_name),
        ("architecture", lambda device: device.generation.architecture),
        ("SMs", lambda device: str(device.sm_count)),
        ("memory", _memory),
        ("bandwidth", lambda device: figures.bandwidth(device.memory_bandwidth_bytes_per_s)),
        ("L2", lambda device: figures.memory_size(device.l2_cache_bytes)),
    ]
    if width >= _WIDTH_WITH_CUDA:
        columns.append(("CUDA", _toolkits))
    for name, _ in columns:
        numeric = name in ("SMs", "memory", "bandwidth", "L2")
        table.add_column(name, justify="right" if numeric else "left", no_wrap=True)
    for device in devices:
        table.add_row(*(figure(device) for _, figure in columns))
    terminal = is_terminal(sys.stdout)
    console = Console(width=width, force_terminal=terminal, highlight=False)
    console.print(table)


def _memory(device: DeviceSpec) -> str:
    return f"{figures.memory_size(device.memory_bytes)} {device.memory_type}"


def run(options: argparse.Namespace) -> int:
    devices = _warpyard.targets()
    if options.json:
        from warpyard.cli import report_json

        print(report_json.dumps([report_json.device_fields(device) for device in devices]))
        return 0
    _print_table(devices)
    print()
    print("target: what --target NAME compiles for, to use all of the GPU.")
    for device in devices:
        first, last = _warpyard.toolkits_for(device.native_target)
        if last is not None:
            print(f"{device.name} is compiled for by CUDA {first} to {last} alone.")
    return 0
