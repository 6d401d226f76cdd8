# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The answers of `--json`. docs/cli.md describes the fields."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from warpyard._warpyard import DeviceSpec, Generation, KernelResources
from warpyard.cli.matrix import Outcomes
from warpyard.cli.occupancy import Launch
from warpyard.cli.outcome import Outcome, SourceFile
from warpyard.cli.selection import Excluded, Target
from warpyard.version import __version__

_GENERATION_FIGURES = (
    "warp_size",
    "max_threads_per_block",
    "max_threads_per_sm",
    "max_warps_per_sm",
    "max_blocks_per_sm",
    "named_barriers_per_sm",
    "sub_partitions_per_sm",
    "registers_per_sm",
    "max_registers_per_block",
    "max_registers_per_thread",
    "register_allocation_unit",
    "shared_memory_per_sm",
    "shared_memory_per_block",
    "shared_memory_per_block_optin",
    "reserved_shared_memory_per_block",
    "shared_memory_allocation_unit",
    "shared_memory_carveouts_kib",
    "constant_memory",
    "tensor_memory_columns",
    "max_cluster_size_portable",
    "max_cluster_size_nonportable",
)
_DEVICE_FIGURES = (
    "name",
    "aliases",
    "product_name",
    "sm_count",
    "base_clock_mhz",
    "boost_clock_mhz",
    "memory_clock_mhz",
    "memory_bytes",
    "memory_type",
    "memory_bus_width_bits",
    "memory_bandwidth_bytes_per_s",
    "l2_cache_bytes",
    "nvlink_generation",
    "nvlink_bandwidth_bytes_per_s",
    "host_link",
    "pcie_generation",
    "pcie_lanes",
)


def dumps(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def generation_fields(generation: Generation) -> dict[str, Any]:
    return {
        "compute_capability": str(generation.compute_capability),
        "architecture": generation.architecture,
        "native_target": generation.native_target.sm_name,
        **{name: getattr(generation, name) for name in _GENERATION_FIGURES},
    }


def device_fields(device: DeviceSpec) -> dict[str, Any]:
    return {
        **{name: getattr(device, name) for name in _DEVICE_FIGURES},
        "generation": generation_fields(device.generation),
        "sources": [
            {
                "kind": source.kind,
                "document": source.document,
                "section": source.section,
                "fields": source.fields,
            }
            for source in device.sources
        ],
    }


def _target_fields(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        "compute_capability": str(target.code),
        "architecture": target.architecture if target.generation else None,
        "devices": list(target.devices),
    }


def _kernel_fields(kernel: KernelResources, target: Target, launch: Launch) -> dict[str, Any]:
    occupancy = None
    if target.generation is not None and not launch.exceeds(kernel):
        found = launch.occupancy(kernel, target.generation)
        occupancy = {
            "ratio": found.ratio,
            "active_blocks": found.active_blocks,
            "active_warps": found.active_warps,
            "limits": found.limits,
        }
    return {
        "name": kernel.name,
        "display_name": kernel.display_name,
        "registers_per_thread": kernel.registers,
        "static_shared_memory_bytes": kernel.static_shared_bytes,
        "constant_memory_bytes": kernel.constant_bytes,
        "local_memory_bytes": kernel.local_bytes,
        "spill_store_bytes": kernel.spill_store_bytes,
        "spill_load_bytes": kernel.spill_load_bytes,
        "max_threads_per_block": kernel.max_threads_per_block or None,
        "barriers": kernel.barriers,
        "block_size": launch.threads(kernel),
        "occupancy": occupancy,
    }


def _outcome_fields(outcome: Outcome, launch: Launch) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "target": outcome.unit.target.name,
        "status": outcome.status,
    }
    if outcome.error is not None:
        fields["error"] = {
            "code": outcome.error.code,
            "message": outcome.error.message,
            "log": outcome.error.log,
        }
    if outcome.requirement is not None:
        fields["requirement"] = str(outcome.requirement)
    if (result := outcome.result) is not None:
        fields |= {
            "cubin_bytes": result.cubin_size,
            "cubin_sha256": hashlib.sha256(result.cubin).hexdigest(),
            "duration_seconds": result.duration,
            "from_cache": result.from_cache,
            "provider": result.provider,
            "tool_version": result.tool_version,
            "warnings": result.warnings,
            "outputs": outcome.outputs,
            "kernels": [
                _kernel_fields(kernel, outcome.unit.target, launch) for kernel in result.kernels
            ],
        }
    return fields


def compile_report(
    files: Sequence[SourceFile],
    targets: Sequence[Target],
    excluded: Sequence[Excluded],
    outcomes: Outcomes,
    launch: Launch,
    interrupted: bool,
) -> dict[str, Any]:
    """What `warpyard compile --json` prints."""
    by_file: dict[SourceFile, list[Outcome]] = {file: [] for file in files}
    for (file, _), outcome in outcomes.items():
        by_file[file].append(outcome)
    statuses = [outcome.status for outcome in outcomes.values()]
    return {
        "warpyard": __version__,
        "targets": [_target_fields(target) for target in targets],
        "left_out": [{**_target_fields(item.target), "reason": item.reason} for item in excluded],
        "files": [
            {
                "path": file.path,
                "language": file.source.language,
                "results": [_outcome_fields(outcome, launch) for outcome in results],
            }
            for file, results in by_file.items()
        ],
        "summary": {
            "compiled": statuses.count("compiled"),
            "failed": statuses.count("failed"),
            "skipped": statuses.count("skipped"),
            "not_begun": len(files) * len(targets) - len(statuses),
            "interrupted": interrupted,
        },
    }
