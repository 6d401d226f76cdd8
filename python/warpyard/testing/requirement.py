# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The language in which a test says what it needs: `sm>=9.0 & cudnn>=9.13`.

    requirement = clause { "&" clause }
    clause      = "hardware" | KEY OPERATOR VALUE | KEY "in" "{" VALUE { "," VALUE } "}"

docs/requirements.md says what keys, operators and values mean. The same language is read by
bazel/private/testing/requirement.bzl and cc/target/requirement.cc; one table of cases, with
the wording of errors, holds the three together (tests/requirements/cases.bzl).

This module needs Python's standard library alone: build tools and runners use it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

MOST_CHARACTERS = 1024
MOST_GPUS = 1024
KEYS = ("cuda", "cudnn", "driver", "gpu", "gpus", "hardware", "memory", "nccl", "os", "sm")
SYSTEMS = ("linux", "macos", "windows")
# Names of cc/target/specs.
GPUS = tuple(
    "a10 a100 a100-40gb b200 b300 gb200 gb300 gh200 h100 h100-pcie h200 l4 l40s rtx4090 rtx5090 "
    "rtx6000pro spark t4 thor v100".split()
)

_OPERATORS = (">=", "<=", "==", "!=", ">", "<")
_UNORDERED = ("gpu", "os")
_VERSIONS = ("cuda", "cudnn", "driver", "nccl")
_SPACE = " \t\n\v\f\r"

# What a fact of "none" is called, by key.
_ABSENT = {"cuda": "no CUDA", "cudnn": "no cuDNN", "driver": "no driver", "nccl": "no NCCL"}

# Later members of a family run what is compiled for earlier ones with 'f' (PTX ISA, section
# 11.1.2 ".target", table "Architecture Families").
_FAMILIES = (((10, 0), (10, 3), (10, 7)), ((11, 0),), ((12, 0), (12, 1)))
# sm_101 became sm_110 with PTX ISA 9.0 (PTX ISA, ".target", notes).
_RENAMED = {(10, 1): (11, 0)}
_FIRST_WITH = {"a": (9, 0), "f": (10, 0)}

Facts = Mapping[str, str]


class RequirementError(ValueError):
    """A text that is no requirement."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A compute capability: `Target((9, 0), "a")` is 9.0a.

    The suffix "device" marks a GPU, which runs code of every suffix for its number.
    """

    number: tuple[int, int]
    suffix: str = ""

    def __str__(self) -> str:
        suffix = "" if self.suffix == "device" else self.suffix
        return f"{self.number[0]}.{self.number[1]}{suffix}"


_TARGET = re.compile(
    r"(?:([1-9][0-9]?)\.([0-9])|(?:sm|compute)_([1-9][0-9]?)([0-9]))([af]?)", re.ASCII
)


def parse_target(text: str) -> Target:
    """Reads "9.0", "9.0a", "sm_90a" or "compute_100f"."""
    match = _TARGET.fullmatch(text)
    if match is None:
        raise RequirementError(
            f'"{text}" is no compute capability; expected for example 9.0, 9.0a or sm_100f'
        )
    number = (int(match[1] or match[3]), int(match[2] or match[4]))
    suffix = match[5]
    if suffix and number < _FIRST_WITH[suffix]:
        first = "{}.{}".format(*_FIRST_WITH[suffix])
        raise RequirementError(f"\"{text}\": the suffix '{suffix}' exists from {first} on")
    return Target(number, suffix)


def _current(number: tuple[int, int]) -> tuple[int, int]:
    return _RENAMED.get(number, number)


def _stands_for(value: Target, found: Target) -> bool:
    """Whether `found`, a device or a target, is what the listed `value` means."""
    if not value.suffix:
        return value.number == found.number
    number, listed = _current(found.number), _current(value.number)
    if value.suffix == "a":
        return found.suffix in ("a", "device") and number == listed
    same_family = any(number in family and listed in family for family in _FAMILIES)
    return bool(found.suffix) and same_family and listed <= number


_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,3}", re.ASCII)


def parse_version(text: str) -> tuple[int, ...]:
    """Reads one to four numbers with dots between them."""
    if _VERSION.fullmatch(text) is None:
        raise RequirementError(f'"{text}" is no version; expected numbers and dots, as in 9.13')
    return tuple(int(component) for component in text.split("."))


def _parse_gpus(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII) or int(text) > MOST_GPUS:
        raise RequirementError(f'"{text}" is no number of GPUs; expected 0 to {MOST_GPUS}')
    return int(text)


_UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}


def parse_memory(text: str) -> int:
    """Reads "40GiB" as a number of bytes."""
    match = re.fullmatch(r"([0-9]{1,7})([KMGT]iB)", text, re.ASCII)
    if match is None:
        raise RequirementError(f'"{text}" is no size; expected for example 40GiB')
    return int(match[1]) * _UNITS[match[2]]


def _parse_system(text: str) -> str:
    if text not in SYSTEMS:
        raise RequirementError(f'"{text}" is no operating system; expected linux, macos or windows')
    return text


def _parse_gpu(text: str) -> str:
    if text not in GPUS:
        raise RequirementError(f'"{text}" is no GPU that is known; known are {", ".join(GPUS)}')
    return text


_PARSERS: Mapping[str, Callable[[str], Any]] = {
    "sm": parse_target,
    "gpus": _parse_gpus,
    "memory": parse_memory,
    "os": _parse_system,
    "gpu": _parse_gpu,
} | dict.fromkeys(_VERSIONS, parse_version)


def _compare(operator: str, found: Any, value: Any) -> bool:
    if operator == ">=":
        return bool(found >= value)
    if operator == ">":
        return bool(found > value)
    if operator == "<=":
        return bool(found <= value)
    return bool(found < value)


@dataclasses.dataclass(frozen=True)
class Clause:
    """One condition: `sm>=9.0`, `os in {linux, windows}`, `hardware`."""

    key: str
    operator: str  # ">=", ">", "<=", "<", "!=", "in"; "" of `hardware`
    values: tuple[Any, ...] = ()
    texts: tuple[str, ...] = ()

    def holds(self, found: Any) -> bool:
        """Whether a parsed fact meets it."""
        if self.key == "hardware":
            return bool(found)
        if self.operator == "in":
            return any(self._same(found, value) for value in self.values)
        if self.operator == "!=":
            return not self._same(found, self.values[0])
        value = self.values[0]
        if self.key == "sm":
            return _compare(self.operator, found.number, value.number)
        if self.key in _VERSIONS:
            # As many components count as the requirement writes: 9.13 stands for every 9.13.x.
            found = (*found, 0, 0, 0, 0)[: len(value)]
        return _compare(self.operator, found, value)

    def _same(self, found: Any, value: Any) -> bool:
        if self.key == "sm":
            return _stands_for(value, found)
        if self.key in _VERSIONS:
            return bool((*found, 0, 0, 0, 0)[: len(value)] == value)
        return bool(found == value)

    def __str__(self) -> str:
        if self.key == "hardware":
            return "hardware"
        if self.operator != "in":
            return f"{self.key}{self.operator}{self.texts[0]}"
        if len(self.texts) == 1:
            return f"{self.key}=={self.texts[0]}"
        return f"{self.key} in {{{', '.join(self.texts)}}}"


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """What a requirement comes to on a machine."""

    verdict: str  # "met", "unmet" or "unknown"
    # Clauses that are not met, or else not known to be, each with what was found.
    findings: tuple[tuple[str, str], ...] = ()

    @property
    def unmet(self) -> str:
        """The clauses alone: "cudnn>=9.13 & gpus>=2"."""
        return " & ".join(clause for clause, _ in self.findings)

    @property
    def found(self) -> str:
        """What was found for each: "cudnn 9.10.2, gpus 1"."""
        return ", ".join(found for _, found in self.findings)

    def __str__(self) -> str:
        if not self.findings:
            return self.verdict
        return f"{self.verdict}: " + "; ".join(
            f"{clause} found {found}" for clause, found in self.findings
        )


def _parse_fact(key: str, text: str) -> Any:
    if key == "hardware":
        if text not in ("yes", "no"):
            raise RequirementError(f'fact hardware="{text}": expected yes or no')
        return text == "yes"
    if key == "gpu":
        return text  # of a GPU that this version does not know, too
    value = _PARSERS[key](text)
    return dataclasses.replace(value, suffix="device") if key == "sm" else value


def _name_of_found(key: str, text: str) -> str:
    if key == "hardware":
        return "an emulated device"
    return text


@dataclasses.dataclass(frozen=True)
class Requirement:
    """All of its clauses must be met; of none, everything meets it."""

    clauses: tuple[Clause, ...] = ()

    def evaluate(self, facts: Facts) -> Evaluation:
        """Holds it against what is known of a machine.

        Args:
            facts: Texts by key, as in a requirement (`sm` is the device's). "none" says that the
                machine has no such thing, which no clause accepts; a key that is absent or "?"
                is not known. `hardware` is "yes" or "no". `target` in the place of `sm` asks
                about code that is compiled for that target.

        Raises:
            RequirementError: A fact that is none.
        """
        unmet, unknown = [], []
        for clause in self.clauses:
            key = clause.key
            text = facts.get(key, "?")
            if key == "sm" and "target" in facts:
                text = facts["target"]
                found: Any = parse_target(text)
            elif text == "none":
                unmet.append((str(clause), _ABSENT.get(key, "no GPU")))
                continue
            elif text == "?":
                unknown.append((str(clause), "unknown"))
                continue
            else:
                found = _parse_fact(key, text)
            if not clause.holds(found):
                unmet.append((str(clause), _name_of_found(key, text)))
        if unmet:
            return Evaluation("unmet", tuple(unmet))
        if unknown:
            return Evaluation("unknown", tuple(unknown))
        return Evaluation("met")

    def met_by_target(self, target: Target) -> bool:
        """Whether code that declares this can be compiled for `target`."""
        return all(clause.holds(target) for clause in self.clauses)

    def __str__(self) -> str:
        return " & ".join(map(str, self.clauses))

    def __and__(self, other: Requirement) -> Requirement:
        """Both together, or RequirementError where they contradict each other."""
        return parse(f"{self} & {other}") if self.clauses and other.clauses else self or other

    def __bool__(self) -> bool:
        return bool(self.clauses)


def _next_version(version: tuple[int, ...]) -> tuple[int, ...]:
    return (*version[:-1], version[-1] + 1)


def _candidates(key: str, clauses: Iterable[Clause]) -> list[Any]:
    """Facts of which at least one meets all clauses of a key, if any fact does.

    What a clause accepts is a union of ranges [low, high), each of which begins at the lowest
    fact, at a value or right behind a value.
    """
    values = [value for clause in clauses for value in clause.values]
    if key == "os":
        return list(SYSTEMS)
    if key == "gpu":
        return list(GPUS)
    if key in _VERSIONS:
        return [(0,), *values, *map(_next_version, values)]
    if key == "memory":
        return [0, *values, *(value + 1 for value in values)]
    if key == "gpus":
        return [n for value in [0, *values] for n in (value, value + 1) if n <= MOST_GPUS]
    numbers = {(1, 0)}
    for value in values:
        major, minor = value.number
        numbers |= {value.number, (major + (minor + 1) // 10, (minor + 1) % 10)}
        numbers.add(_current(value.number))
        if value.suffix == "f":
            for family in _FAMILIES:
                numbers |= set(family) if _current(value.number) in family else set()
    return [
        Target(number, suffix)
        for number in numbers
        if number[0] < 100
        for suffix in ("", "f", "a", "device")
    ]


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def parse(self) -> tuple[Clause, ...]:
        if len(self._text) > MOST_CHARACTERS:
            raise RequirementError(f"it has more than {MOST_CHARACTERS} characters")
        clauses = []
        self._skip_space()
        if self._at == len(self._text):
            raise RequirementError("it is empty")
        while True:
            clauses.append(self._clause())
            self._skip_space()
            if self._at == len(self._text):
                return tuple(clauses)
            if not self._take("&"):
                self._fail("expected & or the end")

    def _clause(self) -> Clause:
        key = self._word()
        if not key:
            self._fail("expected a key")
        if key not in KEYS:
            raise RequirementError(f'"{key}" is no key; keys are {", ".join(KEYS)}')
        if key == "hardware":
            return Clause(key, "")
        self._skip_space()
        for operator in _OPERATORS:
            if self._take(operator):
                return self._comparison(key, operator)
        start = self._at
        if self._word() != "in":
            self._at = start
            self._fail(f"expected >=, >, <=, <, ==, != or in after {key}")
        if not self._take("{"):
            self._fail("expected { after in")
        values, texts = [], []
        while True:
            value, text = self._value(key)
            values.append(value)
            texts.append(text)
            if self._take("}"):
                return Clause(key, "in", tuple(values), tuple(texts))
            if not self._take(","):
                self._fail("expected , or }")

    def _comparison(self, key: str, operator: str) -> Clause:
        value, text = self._value(key)
        if operator in ("==", "!="):
            return Clause(key, "in" if operator == "==" else "!=", (value,), (text,))
        if key in _UNORDERED:
            raise RequirementError(f"{key} has no order; use ==, != or in")
        if key == "sm" and value.suffix:
            plain = Target(value.number)
            raise RequirementError(f"{operator} compares numbers; write {plain}, or sm=={value}")
        return Clause(key, operator, (value,), (text,))

    def _value(self, key: str) -> tuple[Any, str]:
        word = self._word()
        if not word:
            self._fail("expected a value")
        value = _PARSERS[key](word)
        return value, str(value) if key == "sm" else word

    def _word(self) -> str:
        self._skip_space()
        match = re.compile(r"[A-Za-z0-9_.-]*", re.ASCII).match(self._text, self._at)
        assert match is not None
        self._at = match.end()
        return match[0]

    def _take(self, symbol: str) -> bool:
        self._skip_space()
        if not self._text.startswith(symbol, self._at):
            return False
        self._at += len(symbol)
        return True

    def _skip_space(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in _SPACE:
            self._at += 1

    def _fail(self, why: str) -> None:
        self._skip_space()
        raise RequirementError(f"{why} at position {self._at}")


def _refuse_contradictions(clauses: tuple[Clause, ...]) -> None:
    for key in sorted({clause.key for clause in clauses} - {"hardware"}):
        of_key = [clause for clause in clauses if clause.key == key]
        if not any(all(c.holds(fact) for c in of_key) for fact in _candidates(key, of_key)):
            raise RequirementError(f"no {key} meets {' & '.join(map(str, of_key))}")


def parse(text: str) -> Requirement:
    """Reads a requirement.

    Raises:
        RequirementError: With the text and what is wrong with it, a contradiction included:
            clauses of one key that nothing can meet together.
    """
    try:
        clauses = _Parser(text).parse()
        _refuse_contradictions(clauses)
    except RequirementError as error:
        quoted = text if len(text) <= 100 else text[:100] + "..."
        raise RequirementError(f'requirement "{quoted}": {error}') from None
    return Requirement(clauses)


def parse_for_targets(text: str) -> Requirement:
    """Reads a requirement of the targets that code is compiled for: on `sm` alone."""
    requirement = parse(text)
    for clause in requirement.clauses:
        if clause.key != "sm":
            raise RequirementError(
                f'requirement "{text}": "{clause.key}" is about the machine that a test runs on; '
                "only sm can be required of a target"
            )
    return requirement


_LINE = re.compile(r"[ \t\v\f\r]*//[ \t\v\f\r]*warpyard-requires:(.*)", re.ASCII)


def find_in_source(source: str) -> Requirement:
    """What the `// warpyard-requires:` lines of a source declare, all together."""
    clauses: list[Clause] = []
    for number, line in enumerate(source.split("\n"), start=1):
        if match := _LINE.fullmatch(line):
            try:
                clauses += parse_for_targets(match[1].strip(_SPACE)).clauses
            except RequirementError as error:
                raise RequirementError(f"line {number}: {error}") from error
    return Requirement(tuple(clauses))
