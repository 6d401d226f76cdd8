# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Verdicts of unittest, and so of absltest.

Every result object that a suite is run with is wrapped: what a test reports is held back until
it ends, judged, and passed on as what it comes to. Skips of classes and modules go the same way.
"""

from __future__ import annotations

import sys
import time
import traceback
import unittest
from collections.abc import Iterator
from typing import Any

from warpyard.testing import verdicts
from warpyard.testing.declarations import expected_failure
from warpyard.testing.session import Session


def suite_of(test: Any) -> str:
    """Name of a test's class, with its module unless that is the program itself."""
    kind = type(test)
    module = kind.__module__
    return kind.__qualname__ if module == "__main__" else f"{module}.{kind.__qualname__}"


def _name_of(test: Any) -> str:
    return str(getattr(test, "_testMethodName", test.id()))


def _cases(suite: Any) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestCase):
            yield item
        elif item is not None:
            yield from _cases(item)


def _error_of(message: str) -> Any:
    try:
        raise AssertionError(message)
    except AssertionError:
        return sys.exc_info()


def _text_of(error: Any) -> str:
    return "".join(traceback.format_exception(*error))


class JudgingResult:
    """Stands in for a unittest.TestResult; everything else goes straight to it."""

    def __init__(self, result: Any, session: Session, planned: list[unittest.TestCase]) -> None:
        self.__dict__.update(
            _result=result,
            _session=session,
            _planned=planned,
            _test=None,
            _started=0.0,
            _outcome="",
            _text="",
            _held=[],
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._result, name)

    def __setattr__(self, name: str, value: Any) -> None:
        # unittest keeps its own notes on the result (_moduleSetUpFailed and others).
        setattr(self._result, name, value)

    # --- One test ---

    def startTest(self, test: Any) -> None:
        self.__dict__.update(
            _test=test, _started=time.perf_counter(), _outcome="", _text="", _held=[]
        )
        self._result.startTest(test)

    def _hold(self, outcome: str, text: str, call: str, *arguments: Any) -> None:
        if self._test is None:
            self._outside_of_tests(outcome, text, call, *arguments)
            return
        if self._outcome not in ("failed", "xpass"):
            self.__dict__["_outcome"] = outcome
        self.__dict__["_text"] = f"{self._text}{text}"
        self._held.append((call, arguments))

    def addSuccess(self, test: Any) -> None:
        self._hold("passed", "", "addSuccess", test)

    def addFailure(self, test: Any, error: Any) -> None:
        self._hold("failed", _text_of(error), "addFailure", test, error)

    def addError(self, test: Any, error: Any) -> None:
        self._hold("failed", _text_of(error), "addError", test, error)

    def addSkip(self, test: Any, reason: str) -> None:
        self._hold("skipped", reason, "addSkip", test, reason)

    def addExpectedFailure(self, test: Any, error: Any) -> None:
        self._hold("xfail", "unittest.expectedFailure", "addExpectedFailure", test, error)

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._hold("xpass", "", "addUnexpectedSuccess", test)

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        if error is None:
            self._result.addSubTest(test, subtest, error)
            return
        self._hold("failed", f"{subtest}\n{_text_of(error)}", "addSubTest", test, subtest, error)

    def stopTest(self, test: Any) -> None:
        seconds = time.perf_counter() - self._started
        suite, name = suite_of(test), _name_of(test)
        if self._outcome == "xfail":
            case = verdicts.Case(suite, name, verdicts.XFAIL, seconds, reason=self._text)
        elif self._outcome == "xpass":
            message = "passed, and is marked with unittest.expectedFailure"
            case = verdicts.Case(suite, name, verdicts.XPASS, seconds, message=message)
        else:
            method = getattr(test, name, None)
            case = self._session.decide(
                suite,
                name,
                self._outcome or "failed",
                text=self._text,
                seconds=seconds,
                expected=expected_failure(method, type(test)),
            )
        self._session.record(case)
        self._pass_on(test, case)
        self._result.stopTest(test)
        self.__dict__["_test"] = None

    def _pass_on(self, test: Any, case: verdicts.Case) -> None:
        if case.verdict == verdicts.XFAIL and self._outcome == "failed":
            self._result.addExpectedFailure(test, _error_of(case.reason))
        elif case.verdict in verdicts.BAD and self._outcome not in ("failed", "xpass"):
            self._result.addFailure(test, _error_of(case.message))
        else:
            for call, arguments in self._held:
                getattr(self._result, call)(*arguments)

    # --- Classes and modules ---

    def _outside_of_tests(self, outcome: str, text: str, call: str, *arguments: Any) -> None:
        """A skip or an error of setUpClass, setUpModule and their counterparts."""
        holder = str(getattr(arguments[0], "description", arguments[0]))
        where = holder.partition("(")[2].rstrip(")")
        cases = []
        done = {(case.suite, case.name) for case in self._session.cases}
        for test in self._planned:
            kind = type(test)
            names = (f"{kind.__module__}.{kind.__qualname__}", kind.__module__)
            if where in names and (suite_of(test), _name_of(test)) not in done:
                cases.append((suite_of(test), _name_of(test)))
        bad = ""
        for suite, name in cases or [(where, holder.partition(" ")[0])]:
            case = self._session.record(self._session.decide(suite, name, outcome, text=text))
            bad = bad or (case.message if case.verdict in verdicts.BAD else "")
        if outcome == "skipped" and bad:
            self._result.addFailure(arguments[0], _error_of(bad))
        else:
            getattr(self._result, call)(*arguments)


class _WholeRun:
    """What a failure of the run as a whole is reported for."""

    failureException = None

    def id(self) -> str:
        return "the whole run"

    def shortDescription(self) -> None:
        return None

    def __str__(self) -> str:
        return self.id()


def install(session: Session, complete: bool) -> None:
    """Judges everything that unittest runs in this process from now on.

    Args:
        session: Where verdicts go.
        complete: Whether all of the program's cases are to run: no filter, no shard.
    """
    original = unittest.TestSuite.run

    def run(self: unittest.TestSuite, result: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(result, JudgingResult):
            return original(self, result, *arguments, **named)  # type: ignore[arg-type]
        planned = list(_cases(self))
        session.begin([f"{suite_of(test)}.{_name_of(test)}" for test in planned])
        judging: Any = JudgingResult(result, session, planned)
        original(self, judging, *arguments, **named)
        if message := session.finish(complete):
            result.addFailure(_WholeRun(), _error_of(message))
        return result

    unittest.TestSuite.run = run  # type: ignore[method-assign]
