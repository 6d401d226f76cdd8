# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What Warpyard raises: one class for each status code, all of them `Error`."""

from __future__ import annotations

from typing import ClassVar


class Error(Exception):
    """Anything that Warpyard could not do.

    Attributes:
        message: What was wrong, what was expected and, where there is one, the fix.
        log: The compiler's own words, where a compiler failed; else empty.
        target: The target that was compiled for ("sm_90a"), where there was one; else empty.
    """

    code: ClassVar[str] = "UNKNOWN"

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.log = log
        self.target = ""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.log), {"target": self.target}


class CancelledError(Error):
    """The work was given up before its end."""

    code = "CANCELLED"


class UnknownError(Error):
    """A failure without a known cause."""

    code = "UNKNOWN"


class InvalidArgumentError(Error, ValueError):
    """Input that is wrong whatever the state of the machine, such as code that does not compile."""

    code = "INVALID_ARGUMENT"


class DeadlineExceededError(Error):
    """Work that did not end in its time."""

    code = "DEADLINE_EXCEEDED"


class NotFoundError(Error, LookupError):
    """A name, file, tool or symbol that is not there."""

    code = "NOT_FOUND"


class AlreadyExistsError(Error):
    """Something that was to be made is there already."""

    code = "ALREADY_EXISTS"


class PermissionDeniedError(Error):
    """The system does not allow it, for example in a read-only folder."""

    code = "PERMISSION_DENIED"


class ResourceExhaustedError(Error):
    """Too much was asked for: registers, shared memory, disk space, file size."""

    code = "RESOURCE_EXHAUSTED"


class FailedPreconditionError(Error):
    """The machine or the object is not in the state that this needs."""

    code = "FAILED_PRECONDITION"


class AbortedError(Error):
    """Work that another's work made pointless."""

    code = "ABORTED"


class OutOfRangeError(Error):
    """A position past the end."""

    code = "OUT_OF_RANGE"


class UnimplementedError(Error, NotImplementedError):
    """What the compiler or Warpyard cannot do, for example code for a newer PTX ISA."""

    code = "UNIMPLEMENTED"


class InternalError(Error):
    """A broken invariant: a fault in Warpyard or in a tool."""

    code = "INTERNAL"


class UnavailableError(Error):
    """Something that may work when it is tried again."""

    code = "UNAVAILABLE"


class DataLossError(Error):
    """Data that was damaged."""

    code = "DATA_LOSS"


class UnauthenticatedError(Error):
    """Credentials that are missing or wrong."""

    code = "UNAUTHENTICATED"


# By the number of the code (absl::StatusCode).
_BY_NUMBER: dict[int, type[Error]] = {
    1: CancelledError,
    2: UnknownError,
    3: InvalidArgumentError,
    4: DeadlineExceededError,
    5: NotFoundError,
    6: AlreadyExistsError,
    7: PermissionDeniedError,
    8: ResourceExhaustedError,
    9: FailedPreconditionError,
    10: AbortedError,
    11: OutOfRangeError,
    12: UnimplementedError,
    13: InternalError,
    14: UnavailableError,
    15: DataLossError,
    16: UnauthenticatedError,
}


def from_status(code: int, message: str, log: str = "") -> Error:
    """The exception for a status of the C++ libraries, which call this."""
    return _BY_NUMBER.get(code, UnknownError)(message, log)
