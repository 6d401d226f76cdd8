# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Exceptions: one for each status code."""

import pickle

from absl.testing import absltest, parameterized

import warpyard
from warpyard import errors

# absl::StatusCode, in its order from 1 on (absl/status/status.h).
_CODES = (
    "CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
    "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED "
    "INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()


class ErrorsTest(parameterized.TestCase):
    @parameterized.parameters(*enumerate(_CODES, start=1))
    def test_each_code_has_its_own_class(self, number: int, code: str) -> None:
        error = errors.from_status(number, "what went wrong", "log")
        self.assertEqual(error.code, code)
        self.assertIsInstance(error, warpyard.Error)
        self.assertEqual(
            type(error).__name__, "".join(w.capitalize() for w in code.split("_")) + "Error"
        )
        self.assertIs(getattr(warpyard, type(error).__name__), type(error))
        self.assertEqual((str(error), error.log), ("what went wrong", "log"))

    def test_a_code_of_the_future_is_unknown(self) -> None:
        self.assertIsInstance(errors.from_status(99, "?"), errors.UnknownError)

    def test_survives_a_process_boundary(self) -> None:
        error = errors.from_status(5, "no such thing", "the log")
        error.target = "sm_90a"
        copy = pickle.loads(pickle.dumps(error))
        self.assertIsInstance(copy, errors.NotFoundError)
        self.assertEqual((str(copy), copy.log, copy.target), ("no such thing", "the log", "sm_90a"))

    def test_reads_as_the_python_exception_that_it_resembles(self) -> None:
        self.assertTrue(issubclass(errors.InvalidArgumentError, ValueError))
        self.assertTrue(issubclass(errors.NotFoundError, LookupError))
        self.assertTrue(issubclass(errors.UnimplementedError, NotImplementedError))

    def test_the_libraries_raise_them(self) -> None:
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "banana"):
            warpyard.ComputeCapability("banana")


if __name__ == "__main__":
    absltest.main()
