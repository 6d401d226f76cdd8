# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What a test says about itself: what it needs, and that it is known to fail."""

from __future__ import annotations

import datetime
import functools
import unittest
from collections.abc import Callable
from typing import Any, TypeVar

from warpyard.testing import requirement, session
from warpyard.testing.waiver import Waiver

_XFAIL = "_warpyard_xfail"
_T = TypeVar("_T", bound=Callable[..., Any])


class RequirementNotMet(unittest.SkipTest):
    """A declared skip, with the requirement and what was found."""


def require(text: str) -> None:
    """Skips the test that calls it unless the machine meets a requirement.

    Also for `setUp`, `setUpClass`, `setUpModule`, fixtures and helpers.

    Raises:
        RequirementNotMet: With the requirement and what was found.
        RequirementError: The text is no requirement.
    """
    if unmet := session.current().unmet(text):
        raise RequirementNotMet(str(unmet))


def _is_test_case(item: Any) -> bool:
    return isinstance(item, type) and issubclass(item, unittest.TestCase)


def requires(text: str) -> Callable[[_T], _T]:
    """Decorates a test, or a class of tests, with what it needs of the machine.

        @testing.requires("sm>=9.0 & cudnn>=9.13")
        def test_attention(self): ...

    Of a `unittest.TestCase` no `setUp` runs where it is not met.

    Raises:
        RequirementError: The text is no requirement; at once, on every machine.
    """
    requirement.parse(text)

    def decorate(item: _T) -> _T:
        if _is_test_case(item):
            item.setUp = _guarded(item.setUp, text)  # type: ignore[attr-defined]
            return item
        if isinstance(item, type):
            for name in [name for name in dir(item) if name.startswith("test")]:
                setattr(item, name, _guarded(getattr(item, name), text))
            return item
        return _guarded(item, text)

    return decorate


def _guarded(function: _T, text: str) -> _T:
    @functools.wraps(function)
    def guarded(*arguments: Any, **named: Any) -> Any:
        require(text)
        return function(*arguments, **named)

    return guarded  # type: ignore[return-value]


def xfail(reason: str, owner: str, expires: str, when: str = "") -> Callable[[_T], _T]:
    """Decorates a test, or a class of tests, that is known to fail.

        @testing.xfail("wrong sum of NaNs", "numerics", "2027-01-31", when="gpu==b200")
        def test_sum(self): ...

    Passing is then a failure, and so is everything after the day `expires`.

    Args:
        reason: Why it fails.
        owner: Who will mend it.
        expires: The last day (YYYY-MM-DD).
        when: On which machines, as a requirement; "" for all.
    """
    waiver = Waiver(reason, owner, datetime.date.fromisoformat(expires))
    if when:
        requirement.parse(when)

    def decorate(item: _T) -> _T:
        setattr(item, _XFAIL, (waiver, when))
        return item

    return decorate


def expected_failure(*items: Any) -> Waiver | None:
    """The first waiver of a function, its class ... that holds on this machine."""
    for item in items:
        waiver, when = getattr(item, _XFAIL, (None, ""))
        if waiver is None:
            continue
        if (
            not when
            or requirement.parse(when).evaluate(session.current().machine.facts()).verdict == "met"
        ):
            return waiver  # type: ignore[no-any-return]
    return None
