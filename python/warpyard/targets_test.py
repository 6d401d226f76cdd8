# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""GPUs and compute capabilities in Python."""

from absl.testing import absltest, parameterized

import warpyard
from warpyard import _warpyard

CC = warpyard.ComputeCapability


class ComputeCapabilityTest(parameterized.TestCase):
    @parameterized.parameters("9.0a", "sm_90a", "compute_90a")
    def test_forms_of_the_same(self, text: str) -> None:
        target = CC(text)
        self.assertEqual(target, CC("9.0a"))
        self.assertEqual(hash(target), hash(CC("9.0a")))
        self.assertEqual((target.major, target.minor, target.suffix), (9, 0, "a"))
        self.assertEqual((target.sm_name, target.compute_name), ("sm_90a", "compute_90a"))
        self.assertEqual((str(target), repr(target)), ("9.0a", "ComputeCapability('9.0a')"))
        self.assertEqual(target.plain, CC("9.0"))

    def test_order(self) -> None:
        texts = ["10.3", "9.0a", "10.0f", "9.0", "10.0a"]
        ordered = [str(cc) for cc in sorted(map(CC, texts))]
        self.assertEqual(ordered, ["9.0", "9.0a", "10.0f", "10.0a", "10.3"])

    def test_is_equal_to_nothing_else(self) -> None:
        self.assertNotEqual(CC("9.0"), "9.0")
        self.assertFalse(CC("9.0") == None)  # noqa: E711 - the operator itself is under test

    def test_where_code_runs(self) -> None:
        self.assertTrue(CC("8.0").runs_on(CC("8.6")))
        self.assertFalse(CC("8.0").runs_on(CC("9.0")))
        self.assertTrue(CC("8.0").runs_on(CC("9.0"), ptx=True))
        self.assertFalse(CC("9.0a").runs_on(CC("10.0"), ptx=True))

    @parameterized.parameters("", "9", "sm90", "8.0a", "9.0b", "sm_90a ", "9" * 10_000, "9.0\0")
    def test_refuses_the_rest(self, text: str) -> None:
        with self.assertRaises(warpyard.InvalidArgumentError):
            CC(text)


class TargetsTest(absltest.TestCase):
    def test_h100(self) -> None:
        h100 = next(gpu for gpu in warpyard.targets() if gpu.name == "h100")
        self.assertEqual(str(h100.compute_capability), "9.0")
        self.assertEqual(str(h100.native_target), "9.0a")
        self.assertEqual(h100.sm_count, 132)
        self.assertEqual(h100.memory_bytes, 80 << 30)
        self.assertIsNone(h100.base_clock_mhz)  # not published
        self.assertEqual(h100.generation.architecture, "Hopper")
        self.assertTrue(any("memory_gb" in source.fields for source in h100.sources))

    def test_are_in_order(self) -> None:
        keys = [(gpu.compute_capability, gpu.name) for gpu in warpyard.targets()]
        self.assertEqual(keys, sorted(keys))
        self.assertLen(set(keys), len(keys))

    def test_every_gpu_belongs_to_a_generation(self) -> None:
        known = [g.compute_capability for g in warpyard.generations()]
        for gpu in warpyard.targets():
            self.assertIn(gpu.compute_capability, known)
            self.assertIn(gpu.name, repr(gpu))


class ResolveTest(absltest.TestCase):
    def test_a_gpu_means_its_native_target(self) -> None:
        resolved = warpyard.resolve_target("h100")
        self.assertEqual(str(resolved.code), "9.0a")
        self.assertEqual(resolved.device.name, "h100")
        self.assertEqual(resolved.generation.architecture, "Hopper")

    def test_a_number_means_itself(self) -> None:
        resolved = warpyard.resolve_target("sm_90")
        self.assertEqual(str(resolved.code), "9.0")
        self.assertIsNone(resolved.device)

    def test_an_unknown_gpu_suggests_the_nearest(self) -> None:
        with self.assertRaisesRegex(warpyard.NotFoundError, "did you mean h100.*Known GPUs:.*b200"):
            warpyard.resolve_target("h10O0")

    def test_toolkits(self) -> None:
        self.assertEqual(_warpyard.toolkits_for(CC("7.0")), ("9.0", "12.9"))
        _warpyard.check_toolkit_compiles_for("13.5", CC("9.0a"))
        with self.assertRaisesRegex(warpyard.FailedPreconditionError, "12.9"):
            _warpyard.check_toolkit_compiles_for("13.5", CC("7.0"))


class OccupancyTest(absltest.TestCase):
    def test_registers_bound(self) -> None:
        hopper = warpyard.find_generation(CC("9.0a"))
        # 128 registers x 256 threads = half of the 65536 of an SM: two blocks of 8 warps.
        found = warpyard.compute_occupancy(hopper, 256, registers_per_thread=128)
        self.assertEqual((found.active_blocks, found.active_warps), (2, 16))
        self.assertEqual(found.ratio, 0.25)
        self.assertEqual(found.limits, ["registers"])

    def test_no_threads_is_no_launch(self) -> None:
        with self.assertRaises(warpyard.InvalidArgumentError):
            warpyard.compute_occupancy(warpyard.find_generation(CC("9.0")), 0)


class RequirementTest(absltest.TestCase):
    def test_found_in_a_source(self) -> None:
        found = _warpyard.find_requirement(b"// warpyard-requires: sm in {9.0a, 10.0a}\n")
        self.assertEqual(str(found), "sm in {9.0a, 10.0a}")
        self.assertTrue(found.met_by(CC("9.0a")))
        self.assertFalse(found.met_by(CC("9.0")))

    def test_none(self) -> None:
        self.assertIsNone(_warpyard.find_requirement(b"int main() {}\xff\0"))

    def test_nonsense_names_the_line(self) -> None:
        with self.assertRaisesRegex(warpyard.InvalidArgumentError, "line 2"):
            _warpyard.find_requirement(b"//\n// warpyard-requires: sm~9\n")


if __name__ == "__main__":
    absltest.main()
