# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What a module built with nanobind_extension does when it is imported."""

import numpy as np
import probe
from absl.testing import absltest


class ProbeTest(absltest.TestCase):
    def test_class(self):
        counter = probe.Counter(start=3)
        self.assertEqual(counter.add(amount=4), 7)
        self.assertEqual(counter.value, 7)

    def test_enum(self):
        self.assertIs(probe.other(probe.Colour.RED), probe.Colour.BLUE)

    def test_array_is_not_copied(self):
        array = np.arange(4, dtype=np.float32)
        probe.double_in_place(array)
        np.testing.assert_array_equal(array, [0, 2, 4, 6])
        self.assertEqual(probe.address(array), array.ctypes.data)

    def test_array_of_another_type_is_refused(self):
        with self.assertRaises(TypeError):
            probe.double_in_place(np.arange(4))

    def test_exceptions_cross_the_backend(self):
        with self.assertRaisesRegex(probe.ProbeError, "^a registered exception$"):
            probe.fail("probe")
        with self.assertRaisesRegex(ValueError, "^nanobind's own exception$"):
            probe.fail("value")
        with self.assertRaisesRegex(IndexError, "^a standard exception$"):
            probe.fail("standard")
        with self.assertRaisesRegex(SystemError, "could not be translated"):
            probe.fail("unknown")

    def test_python_exception_is_caught_in_cpp(self):
        def fail():
            raise KeyError("the key")

        self.assertIn("KeyError: 'the key'", probe.catch_from(fail))

    def test_one_cpp_runtime(self):
        # An extension with a C++ runtime of its own throws with one and is caught with
        # the other: then nothing seems wrong, but this count never goes down again.
        for kind in ("probe", "value", "standard", "unknown"):
            with self.assertRaises(Exception):  # noqa: B017 (which one is not the point)
                probe.fail(kind)
        self.assertEqual(probe.uncaught_exceptions(), 0)


if __name__ == "__main__":
    absltest.main()
