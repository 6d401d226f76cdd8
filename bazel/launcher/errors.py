# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the launcher raises when it has something to tell the user."""


class LauncherError(Exception):
    """One clear message for the user; never a traceback."""


class Unavailable(LauncherError):
    """One way to get Bazel does not work here; the next way is tried."""


class Interrupted(BaseException):
    """A signal asks the launcher to stop. Not an Exception: nothing may swallow it.

    Attributes:
        signal_number: the signal that arrived.
    """

    def __init__(self, signal_number: int) -> None:
        super().__init__(f"interrupted by signal {signal_number}")
        self.signal_number = signal_number
