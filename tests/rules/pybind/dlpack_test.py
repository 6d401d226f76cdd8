# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""An array goes from a nanobind module to a pybind11 module and back, uncopied."""

import gc

import nanobind_side
import numpy as np
import pybind_side
from absl.testing import absltest


class DlpackTest(absltest.TestCase):
    def test_from_pybind_to_nanobind(self):
        array = pybind_side.Array(4)
        self.assertEqual(nanobind_side.double_in_place(array), array.address)
        self.assertEqual([array[i] for i in range(4)], [0, 2, 4, 6])
        gc.collect()
        self.assertEqual(pybind_side.live_exports(), 0)

    def test_from_nanobind_to_pybind(self):
        array = nanobind_side.make(4)
        view = np.from_dlpack(array)
        self.assertEqual(pybind_side.double_in_place(array), view.ctypes.data)
        np.testing.assert_array_equal(view, [0, 2, 4, 6])
        del array, view
        gc.collect()
        self.assertEqual(nanobind_side.live_arrays(), 0)

    def test_the_borrower_keeps_the_memory(self):
        view = np.from_dlpack(pybind_side.Array(3))
        gc.collect()
        self.assertEqual(pybind_side.live_exports(), 1)
        np.testing.assert_array_equal(view, [0, 1, 2])
        del view
        gc.collect()
        self.assertEqual(pybind_side.live_exports(), 0)

    def test_another_type_is_refused(self):
        with self.assertRaisesRegex(ValueError, "vector of float32"):
            pybind_side.double_in_place(np.zeros(3, dtype=np.float64))


if __name__ == "__main__":
    absltest.main()
