# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The `sm` part of the requirement language, for build tools.

cc/target/requirement.h says what it means. The tools that build C++ cannot be
built from it, so this is a second implementation; tests hold both against one
table of cases.
"""

from __future__ import annotations

import dataclasses
import re


class RequirementError(ValueError):
    """A text that is no requirement."""


# Later members of a family run what is compiled for earlier ones with 'f' (PTX
# ISA, section 11.1.2 ".target", table "Architecture Families").
_FAMILIES = [[(10, 0), (10, 3), (10, 7)], [(11, 0)], [(12, 0), (12, 1)]]

# sm_101 became sm_110 with PTX ISA 9.0 (PTX ISA, ".target", notes).
_RENAMED = {(10, 1): (11, 0)}

_FIRST_WITH = {"a": (9, 0), "f": (10, 0)}

_MOST_CHARACTERS = 1024


@dataclasses.dataclass(frozen=True)
class Target:
    """What code is compiled for: 9.0a is `Target((9, 0), "a")`."""

    number: tuple[int, int]
    suffix: str = ""  # "", "a" or "f"

    def __str__(self) -> str:
        return f"{self.number[0]}.{self.number[1]}{self.suffix}"


_TARGET = re.compile(
    r"(?:([1-9][0-9]?)\.([0-9])|(?:sm|compute)_([1-9][0-9]?)([0-9]))([af]?)", re.ASCII
)


def parse_target(text: str) -> Target:
    """Reads "9.0", "9.0a", "sm_90a" or "compute_100f"."""
    match = _TARGET.fullmatch(text)
    if match is None:
        raise RequirementError(f"{text!r} is no target; expected for example 9.0, 9.0a or sm_100f")
    number = (int(match[1] or match[3]), int(match[2] or match[4]))
    suffix = match[5]
    if suffix and number < _FIRST_WITH[suffix]:
        first = "{}.{}".format(*_FIRST_WITH[suffix])
        raise RequirementError(f"{text!r}: the suffix {suffix!r} exists from {first} on")
    return Target(number, suffix)


def _current(number: tuple[int, int]) -> tuple[int, int]:
    return _RENAMED.get(number, number)


def _stands_for(value: Target, target: Target) -> bool:
    """Whether `target` is what the listed `value` means."""
    if not value.suffix:
        return value.number == target.number
    number, listed = _current(target.number), _current(value.number)
    if value.suffix == "a":
        return target.suffix == "a" and number == listed
    same_family = any(number in family and listed in family for family in _FAMILIES)
    return bool(target.suffix) and same_family and listed <= number


@dataclasses.dataclass(frozen=True)
class Clause:
    """One condition: `sm>=9.0`, or `sm in {9.0a, 10.0a}`."""

    operator: str  # ">=", ">", "<=", "<", "!=" or "in"
    values: tuple[Target, ...]

    def met_by(self, target: Target) -> bool:
        value = self.values[0]
        if self.operator == ">=":
            return target.number >= value.number
        if self.operator == ">":
            return target.number > value.number
        if self.operator == "<=":
            return target.number <= value.number
        if self.operator == "<":
            return target.number < value.number
        if self.operator == "!=":
            return not _stands_for(value, target)
        return any(_stands_for(listed, target) for listed in self.values)

    def __str__(self) -> str:
        if self.operator != "in":
            return f"sm{self.operator}{self.values[0]}"
        if len(self.values) == 1:
            return f"sm=={self.values[0]}"
        return "sm in {" + ", ".join(map(str, self.values)) + "}"


_SPACE = r"[ \t\n\v\f\r]*"
_COMPARISON = re.compile(rf"sm{_SPACE}(>=|<=|==|!=|>|<){_SPACE}([A-Za-z0-9_.]+)", re.ASCII)
_MEMBERSHIP = re.compile(rf"sm{_SPACE}in{_SPACE}\{{([^}}]*)\}}", re.ASCII)


def _parse_clause(text: str) -> Clause:
    if match := _MEMBERSHIP.fullmatch(text):
        listed = (value.strip(" \t\n\v\f\r") for value in match[1].split(","))
        return Clause("in", tuple(parse_target(value) for value in listed))
    match = _COMPARISON.fullmatch(text)
    if match is None:
        raise RequirementError(f"{text!r} is no condition on sm, like sm>=9.0 or sm in {{9.0a}}")
    operator, value = match[1], parse_target(match[2])
    if operator == "==":
        return Clause("in", (value,))
    if operator != "!=" and value.suffix:
        raise RequirementError(f"{text!r}: {operator} compares numbers; write sm=={value}")
    return Clause(operator, (value,))


def parse(text: str) -> tuple[Clause, ...]:
    """Reads a requirement; all its clauses must be met."""
    if len(text) > _MOST_CHARACTERS:
        raise RequirementError(f"more than {_MOST_CHARACTERS} characters")
    return tuple(_parse_clause(clause.strip(" \t\n\v\f\r")) for clause in text.split("&"))


_LINE = re.compile(r"[ \t\v\f\r]*//[ \t\v\f\r]*warpyard-requires:(.*)", re.ASCII)


def find_in_source(source: str) -> tuple[Clause, ...]:
    """All clauses that the `// warpyard-requires:` lines of a source declare."""
    clauses: list[Clause] = []
    for number, line in enumerate(source.split("\n"), start=1):
        if match := _LINE.fullmatch(line):
            try:
                clauses += parse(match[1])
            except RequirementError as error:
                raise RequirementError(f"line {number}: {error}") from error
    return tuple(clauses)
