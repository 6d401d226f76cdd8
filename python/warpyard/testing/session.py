# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""One run of a test program: what its cases' outcomes come to.

What unittest and pytest report goes through `Session.judge`, which knows what was declared:
a skip that was not is a failure (where that is strict), an expected failure that passes is one.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence

from warpyard.testing import requirement, verdicts
from warpyard.testing.machine import Machine, MachineError, MachineSource, machine
from warpyard.testing.verdicts import Case, Writer
from warpyard.testing.waiver import Waiver
from warpyard.testing.waiver import parse as parse_waiver

EXIT_INFRASTRUCTURE = 75


class InfrastructureError(RuntimeError):
    """The lane is not what it claims to be: no verdict about the test."""


@dataclasses.dataclass(frozen=True)
class Unmet:
    """A requirement that the machine does not meet."""

    requirement: str
    found: str

    def __str__(self) -> str:
        return f"requires {self.requirement}, found {self.found}"


class Session:
    """Judges cases and writes their verdicts."""

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        source: MachineSource = machine,
    ) -> None:
        self._environment = environment
        self._source = source
        self._declared: dict[str, Unmet] = {}
        self._writer: Writer | None = None
        self._cases: list[Case] = []
        self.strict = environment.get("WARPYARD_STRICT_SKIPS", "") not in ("", "0")
        expected = environment.get("WARPYARD_TEST_XFAIL", "")
        self._expected = parse_waiver(expected) if expected else None

    # --- The machine ---

    @property
    def machine(self) -> Machine:
        return self._source()

    def unmet(self, text: str) -> Unmet | None:
        """What of a requirement the machine does not meet; remembers that it was declared."""
        evaluation = requirement.parse(text).evaluate(self.machine.facts())
        if evaluation.verdict == "met":
            return None
        unmet = Unmet(evaluation.unmet, evaluation.found)
        self._declared[str(unmet)] = unmet
        return unmet

    def attest(self) -> None:
        """Holds the machine against what the lane claims, if there is a lane.

        Raises:
            InfrastructureError: The machine is another.
        """
        lane = self._environment.get("WARPYARD_LANE", "")
        claim = self._environment.get("WARPYARD_LANE_CLAIM", "")
        if not claim:
            return
        try:
            found = self.machine
            evaluation = requirement.parse(claim).evaluate(found.facts())
        except MachineError as error:
            raise InfrastructureError(f"lane {lane}: {error}") from error
        if evaluation.verdict != "met":
            raise InfrastructureError(f"lane {lane} is not what it claims to be: {evaluation}")
        if self._environment.get("WARPYARD_EMULATE") and not found.emulated:
            raise InfrastructureError(f"lane {lane} is not what it claims to be: a real GPU")
        for device in found.devices:
            if device.mig:
                raise InfrastructureError(
                    f"lane {lane} is not what it claims to be: {device.name} is a slice of a GPU"
                )

    # --- The run ---

    def begin(self, cases: Sequence[str], attested: bool = True) -> None:
        """Opens the files. `cases` are the names of all that is to run."""
        environment = self._environment
        self._writer = Writer(environment)
        self._writer.run(
            {
                "target": environment.get("WARPYARD_TEST_TARGET", ""),
                "lane": environment.get("WARPYARD_LANE", ""),
                "requires": environment.get("WARPYARD_TEST_REQUIRES", ""),
                "shard": int(environment.get("TEST_SHARD_INDEX") or 0),
                "shards": int(environment.get("TEST_TOTAL_SHARDS") or 1),
                "facts": self.machine.facts() if attested else {},
                "attested": attested and bool(environment.get("WARPYARD_LANE_CLAIM")),
                "cases": list(cases),
            }
        )

    def decide(
        self,
        suite: str,
        name: str,
        outcome: str,
        *,
        text: str = "",
        seconds: float = 0.0,
        expected: Waiver | None = None,
    ) -> Case:
        """The verdict on a case, not yet written down.

        Args:
            suite: Class or file.
            name: Of the case in it.
            outcome: "passed", "failed" or "skipped".
            text: Why it was skipped, or the failure.
            seconds: How long it took.
            expected: That it is expected to fail.
        """
        case = Case(suite, name, outcome, seconds)
        expected = expected or self._expected
        if outcome == "skipped":
            case.reason = text
            declared = self._declared.get(text)
            if declared is not None:
                case.requirement, case.found = declared.requirement, declared.found
            elif self.strict:
                case.verdict = verdicts.FAILED
                case.message = (
                    f"skipped without a declared requirement: {text or 'no reason given'}. "
                    "Say what is needed with requires(...), or let the test fail."
                )
        elif expected is not None and expected.expired():
            case.verdict = verdicts.FAILED
            case.message = f"the expected failure has expired: {expected}\n{text}".rstrip()
        elif outcome == "failed":
            case.message = text
            if expected is not None:
                case.verdict, case.reason = verdicts.XFAIL, str(expected)
        elif expected is not None and expected is not self._expected:
            case.verdict = verdicts.XPASS
            case.message = f"passed, and is expected to fail: {expected}"
        return case

    def record(self, case: Case) -> Case:
        """Writes a verdict down."""
        self._cases.append(case)
        if self._writer is not None:
            self._writer.case(case)
        return case

    def finish(self, complete: bool = True) -> str:
        """Closes the files; what is wrong with the run as a whole, or "".

        Args:
            complete: Whether all of the program's cases were to run: no filter, no shard.
        """
        ran = [case for case in self._cases if case.verdict != verdicts.NEVER_RAN]
        message = ""
        if any(case.verdict in verdicts.BAD for case in ran):
            pass
        elif not ran and complete:
            message = "no test case ran"
        elif ran and all(case.verdict == verdicts.SKIPPED for case in ran):
            # Of a part of the cases all may be skipped.
            sharded = self._environment.get("TEST_TOTAL_SHARDS") or "1"
            if sharded == "1" and not self.own_requirement_unmet():
                message = (
                    "all cases were skipped. What all of them need belongs in `requires` of the "
                    "target, so that it is seen where it runs"
                )
        elif self._expected and complete and not self._failed_as_expected():
            message = f"all passed, and the target is expected to fail: {self._expected}"
            xpass = Case("", "target", verdicts.XPASS, message=message)
            if self._writer is not None:
                self._writer.case(xpass)
        bad = bool(message) or any(case.verdict in verdicts.BAD for case in ran)
        if self._writer is not None:
            self._writer.end(verdicts.FAILED if bad else verdicts.PASSED, message)
            self._writer = None
        return message

    def _failed_as_expected(self) -> bool:
        return any(case.verdict == verdicts.XFAIL for case in self._cases)

    def own_requirement_unmet(self) -> Unmet | None:
        """What of the target's own requirement is not met."""
        text = self._environment.get("WARPYARD_TEST_REQUIRES", "")
        return self.unmet(text) if text else None

    def skip_all(self, unmet: Unmet) -> None:
        """Writes that nothing ran, as the target's own requirement is not met."""
        self.begin([])
        assert self._writer is not None
        self._writer.case(
            Case("", "target", verdicts.SKIPPED, 0.0, unmet.requirement, unmet.found, str(unmet))
        )
        self._writer.end(verdicts.SKIPPED, str(unmet))
        self._writer = None

    def infrastructure(self, message: str) -> None:
        """Writes that the machine was at fault."""
        self.begin([], attested=False)
        assert self._writer is not None
        self._writer.case(Case("", "lane", verdicts.FAILED, message=message))
        self._writer.end("infrastructure", message)
        self._writer = None

    @property
    def cases(self) -> Sequence[Case]:
        return self._cases


_current: Session | None = None


def reset() -> None:
    """Begins a session with a copy of the environment as it is now."""
    global _current
    _current = Session(dict(os.environ))


def current() -> Session:
    """The process's session."""
    global _current
    if _current is None:
        _current = Session()
    return _current
