# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Starts a Python test of gpu_py_test: first the lane, then the requirement, then its cases."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

from warpyard.testing import gpu_share, requirement, session, unittest_hooks
from warpyard.testing.machine import MachineError


def _touch_shard_file() -> None:
    if path := os.environ.get("TEST_SHARD_STATUS_FILE"):
        Path(path).touch()


def _share_gpu(current: session.Session) -> None:
    """Waits for its part of the real GPUs; an emulated one is each process's own."""
    machine = current.machine
    if machine.emulated or not machine.devices or not os.environ.get("WARPYARD_LANE"):
        return
    memory = os.environ.get("WARPYARD_TEST_MEMORY", "")
    slots = gpu_share.slots_needed(
        requirement.parse_memory(memory) if memory else 0,
        min(device.memory_bytes for device in machine.devices),
        int(os.environ.get("WARPYARD_TEST_GPUS") or 1),
    )
    _held.extend(gpu_share.acquire(slots, gpu_share.lock_folder()))


_held: list[gpu_share.FileLock] = []


def prepare(current: session.Session) -> int | None:
    """What comes before a test's own code; an exit code where it must not run at all."""
    if driver := os.environ.get("WARPYARD_CUDA_DRIVER"):
        if driver != "system":
            os.environ["WARPYARD_CUDA_DRIVER"] = os.path.abspath(driver)
    try:
        current.attest()
        unmet = current.own_requirement_unmet()
    except (session.InfrastructureError, MachineError) as error:
        current.infrastructure(str(error))
        print(f"warpyard: infrastructure: {error}", file=sys.stderr)
        return session.EXIT_INFRASTRUCTURE
    if unmet:
        current.skip_all(unmet)
        print(f"warpyard: skipped: {unmet}", file=sys.stderr)
        _touch_shard_file()
        return 0
    _share_gpu(current)
    # The report is ours; absltest and pytest would write their own over it.
    os.environ.pop("XML_OUTPUT_FILE", None)
    return None


def _run_program(source: str) -> None:
    current = session.current()
    filtered = os.environ.get("TESTBRIDGE_TEST_ONLY") or len(sys.argv) > 1
    shards = int(os.environ.get("TEST_TOTAL_SHARDS") or 1)
    unittest_hooks.install(current, complete=not filtered and shards == 1)
    sys.argv[0] = source
    sys.path.insert(0, os.path.dirname(source))
    runpy.run_path(source, run_name="__main__")


def _run_pytest(source: str) -> None:
    import pytest

    _touch_shard_file()
    arguments = [source, "-p", "warpyard.testing.pytest_plugin", "-p", "no:cacheprovider"]
    arguments += ["--rootdir", os.path.dirname(source), "--confcutdir", os.path.dirname(source)]
    if test_filter := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        arguments += ["-k", test_filter]
    sys.exit(pytest.main([*arguments, *sys.argv[1:]]))


_RUNNERS: dict[str, Callable[[str], None]] = {"absltest": _run_program, "pytest": _run_pytest}


def main(kind: str, start: str, source: str) -> None:
    """Runs the test that `source`, beside the file `start`, holds.

    Args:
        kind: "absltest" for a program with a main function, "pytest" for a file of tests.
        start: Path of the file that calls this.
        source: Path of the test, from the folder of `start`.
    """
    session.reset()
    code = prepare(session.current())
    if code is not None:
        sys.exit(code)
    _RUNNERS[kind](os.path.join(os.path.dirname(os.path.abspath(start)), source))
