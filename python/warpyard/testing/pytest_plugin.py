# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Verdicts of pytest: `-p warpyard.testing.pytest_plugin`, which gpu_py_test does by itself.

Markers: `requires(text)`, and `warpyard_xfail(reason, owner, expires, when="")`.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

from warpyard.testing import declarations, verdicts
from warpyard.testing.session import current

_STATE = pytest.StashKey[verdicts.Case]()


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "requires(text): what the test needs of the machine, as in requires('sm>=9.0')",
        "warpyard_xfail(reason, owner, expires, when=''): that the test is known to fail",
    ):
        config.addinivalue_line("markers", line)


def _shard() -> tuple[int, int]:
    return int(os.environ.get("TEST_SHARD_INDEX") or 0), int(
        os.environ.get("TEST_TOTAL_SHARDS") or 1
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    index, shards = _shard()
    items[:] = items[index::shards]


def _name(item: pytest.Item) -> tuple[str, str]:
    suite, _, name = item.nodeid.rpartition("::")
    return suite.replace("::", "."), name


def pytest_collection_finish(session: pytest.Session) -> None:
    current().begin([".".join(_name(item)) for item in session.items])
    for case in _skipped_modules:
        current().record(case)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("requires"):
        declarations.require(*marker.args)


def _expected(item: pytest.Item) -> Any:
    function = getattr(item, "function", None)
    marked = []
    for marker in item.iter_markers("warpyard_xfail"):
        marked.append(declarations.xfail(*marker.args, **marker.kwargs)(lambda: None))
    return declarations.expected_failure(function, getattr(item, "cls", None), *marked)


def _reason(report: Any) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return str(text).removeprefix("Skipped: ")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    if report.when == "call" or (report.when == "setup" and not report.passed):
        item.stash[_STATE] = _decide(item, report)
    elif report.when == "teardown":
        case = item.stash.get(_STATE, None)
        if case is not None:
            if report.failed:
                case.verdict, case.message = verdicts.FAILED, report.longreprtext
            current().record(case)


def _decide(item: pytest.Item, report: Any) -> verdicts.Case:
    """The verdict; the report is changed to what it comes to."""
    suite, name = _name(item)
    if hasattr(report, "wasxfail"):
        case = verdicts.Case(suite, name, verdicts.XFAIL, report.duration, reason=report.wasxfail)
        if report.passed:
            case.verdict = verdicts.XPASS
            case.message = f"passed, and is marked with pytest.mark.xfail: {report.wasxfail}"
            del report.wasxfail
    else:
        text = _reason(report) if report.skipped else report.longreprtext
        case = current().decide(
            suite,
            name,
            report.outcome,
            text=text,
            seconds=report.duration,
            expected=_expected(item),
        )
        if case.verdict == verdicts.XFAIL:
            report.outcome, report.wasxfail = "skipped", case.reason
    if case.verdict in verdicts.BAD and not report.failed:
        report.outcome, report.longrepr = "failed", case.message
    return case


_skipped_modules: list[verdicts.Case] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, None]:
    """A module that skips itself: `pytest.skip(allow_module_level=True)`, `importorskip`."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped:
        case = current().decide(collector.nodeid, "module", "skipped", text=_reason(report))
        if case.verdict in verdicts.BAD:
            report.outcome, report.longrepr = "failed", case.message
        _skipped_modules.append(case)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    complete = not session.config.getoption("keyword") and _shard()[1] == 1
    if message := current().finish(complete):
        print(f"\nwarpyard: {message}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    elif exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        # Of a shard, or of modules that were skipped as they declared.
        session.exitstatus = pytest.ExitCode.OK
