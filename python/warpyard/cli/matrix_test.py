# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The matrix as text."""

import unicodedata

from absl.testing import absltest, parameterized

from warpyard import errors
from warpyard.cli import testing as fake
from warpyard.cli.matrix import display_names, render_matrix
from warpyard.cli.occupancy import Launch
from warpyard.cli.outcome import Unit
from warpyard.cli.terminal import Style

_MANY = "sm_75,sm_80,sm_86,sm_87,sm_88,sm_89,h100,b200,b300,sm_110,sm_120,sm_121"


def _render(files, targets, outcomes, launch=None, width=100, style=None) -> list[str]:
    return render_matrix(files, targets, outcomes, launch or Launch(), width, style or Style())


class MatrixTest(parameterized.TestCase):
    def test_one_kernel(self) -> None:
        file, targets = fake.file(), fake.targets("sm_80,h100")
        outcomes = fake.outcomes(
            fake.compiled(Unit(file, targets[0]), fake.kernel()),
            fake.compiled(
                Unit(file, targets[1]), fake.kernel(registers=128), from_cache=True, cubin_size=99
            ),
        )
        self.assertEqual(
            _render([file], targets, outcomes),
            [
                "                      sm_80   sm_90a",
                "saxpy.cu: saxpy (256 threads/block, no static shared memory, no spills)",
                "  registers/thread       12      128",
                "  occupancy           100 %     25 %",
                "  CUBIN             4.2 KiB     99 B",
                "  compile time        14 ms   14 ms*",
            ],
        )

    def test_shared_memory_and_spills_have_rows_where_there_are_any(self) -> None:
        file, targets = fake.file(), fake.targets("sm_80,sm_90")
        spilling = fake.kernel(static_shared_bytes=4096, spill_store_bytes=8, spill_load_bytes=4)
        lines = _render(
            [file],
            targets,
            fake.outcomes(
                fake.compiled(Unit(file, targets[0]), fake.kernel()),
                fake.compiled(Unit(file, targets[1]), spilling),
            ),
        )
        self.assertEqual(lines[1], "saxpy.cu: saxpy (256 threads/block)")
        self.assertIn("  shared/block          0 B  4.0 KiB", lines)
        self.assertIn("  spills/thread         0 B     12 B", lines)

    def test_failures_and_skips_stand_in_their_cells(self) -> None:
        file, targets = fake.file(requirement="sm>=9.0"), fake.targets("sm_80,sm_90,sm_100")
        error = errors.ResourceExhaustedError("kernel uses too much shared memory")
        lines = _render(
            [file],
            targets,
            fake.outcomes(
                fake.skipped(Unit(file, targets[0])),
                fake.failed(Unit(file, targets[1]), error),
                fake.compiled(Unit(file, targets[2]), fake.kernel()),
            ),
        )
        self.assertEqual(lines[2], "  registers/thread        –   ✗ smem       12")
        self.assertEqual(lines[3], "  occupancy               –             100 %")

    def test_a_file_that_compiles_nowhere(self) -> None:
        file, targets = fake.file("bad.cu"), fake.targets("sm_80")
        outcomes = fake.outcomes(
            fake.failed(Unit(file, targets[0]), errors.InvalidArgumentError("bad.cu(1): error"))
        )
        self.assertEqual(
            _render([file], targets, outcomes),
            ["                 sm_80", "bad.cu", "  CUBIN         ✗ code", "  compile time"],
        )

    def test_several_kernels_and_one_that_only_some_targets_have(self) -> None:
        file, targets = fake.file(), fake.targets("sm_80,sm_90")
        lines = _render(
            [file],
            targets,
            fake.outcomes(
                fake.compiled(Unit(file, targets[0]), fake.kernel("b")),
                fake.compiled(Unit(file, targets[1]), fake.kernel("a"), fake.kernel("b")),
            ),
        )
        titles = [line.strip().split(" (")[0] for line in lines if "/block" in line]
        self.assertEqual(lines[1], "saxpy.cu")
        self.assertEqual(titles, ["a", "b"])
        self.assertEqual(lines[3].split(), ["registers/thread", "–", "12"])

    def test_a_band_in_which_a_file_is_skipped_has_one_row_of_it(self) -> None:
        targets = fake.targets("sm_80,sm_86,sm_90,sm_100")
        hopper, other = fake.file("hopper.cu", requirement="sm>=9.0"), fake.file()
        outcomes = fake.outcomes(
            *(fake.skipped(Unit(hopper, target)) for target in targets[:2]),
            *(fake.compiled(Unit(hopper, target), fake.kernel()) for target in targets[2:]),
            *(fake.compiled(Unit(other, target), fake.kernel()) for target in targets),
        )
        first, second = "\n".join(_render([hopper, other], targets, outcomes, width=40)).split(
            "\n\n"
        )
        self.assertIn("  not for these           –        –\nsaxpy.cu", first)
        self.assertNotIn("not for these", second)
        self.assertIn("hopper.cu: saxpy (256 threads/block,", second)

    def test_files_are_called_by_their_names_unless_two_are_the_same(self) -> None:
        files = [fake.file("a/k.cu"), fake.file("b/k.cu"), fake.file("a/x.cu")]
        self.assertEqual(list(display_names(files).values()), ["a/k.cu", "b/k.cu", "x.cu"])

    def test_what_an_interrupt_left_out_is_empty(self) -> None:
        file, targets = fake.file(), fake.targets("sm_80,sm_90")
        lines = _render(
            [file], targets, fake.outcomes(fake.compiled(Unit(file, targets[0]), fake.kernel()))
        )
        self.assertEqual(lines[2], "  registers/thread       12")

    @parameterized.parameters(None, 64, 1024)
    def test_block_size(self, size: int | None) -> None:
        file, targets = fake.file(), fake.targets("sm_80")
        outcomes = fake.outcomes(
            fake.compiled(Unit(file, targets[0]), fake.kernel(max_threads_per_block=128))
        )
        lines = _render([file], targets, outcomes, Launch(size))
        self.assertIn(f"({size or 128} threads/block", lines[1])
        cell = lines[3].split("occupancy")[1].strip()
        self.assertEqual(cell, "max 128" if size == 1024 else "100 %")

    def test_a_kernel_without_bounds_is_taken_at_256(self) -> None:
        self.assertEqual(Launch().threads(fake.kernel(max_threads_per_block=0)), 256)

    def test_dynamic_shared_memory_lowers_the_occupancy(self) -> None:
        file, targets = fake.file(), fake.targets("sm_80")
        outcomes = fake.outcomes(fake.compiled(Unit(file, targets[0]), fake.kernel()))
        lines = _render([file], targets, outcomes, Launch(None, 80 << 10))
        self.assertIn("  occupancy            25 %", lines)

    @parameterized.parameters(40, 80, 100, 200)
    def test_fits_the_width(self, width: int) -> None:
        targets = fake.targets(_MANY)
        files = [fake.file(), fake.file("a_name_that_is_rather_long/" + "x" * 90 + ".cu")]
        outcomes = fake.outcomes(
            *(fake.compiled(Unit(f, t), fake.kernel()) for f in files for t in targets)
        )
        lines = _render(files, targets, outcomes, width=width)
        self.assertLessEqual(max(map(len, lines)), width)
        headers = [line.split() for line in lines if line.lstrip().startswith("sm_")]
        self.assertEqual(
            [name for header in headers for name in header], [target.name for target in targets]
        )
        counts = [len(header) for header in headers]
        self.assertLessEqual(max(counts) - min(counts), 1)

    def test_every_character_is_one_column_wide(self) -> None:
        for mark in "–✗…*":
            self.assertNotIn(unicodedata.east_asian_width(mark), "WF")

    def test_colours_change_nothing_else(self) -> None:
        file, targets = fake.file(), fake.targets("sm_80")
        outcomes = fake.outcomes(
            fake.compiled(Unit(file, targets[0]), fake.kernel(spill_store_bytes=4))
        )
        plain = _render([file], targets, outcomes)
        coloured = "\n".join(_render([file], targets, outcomes, style=Style(True)))
        self.assertIn("\x1b[33m", coloured)
        for code in ("\x1b[1m", "\x1b[33m", "\x1b[0m"):
            coloured = coloured.replace(code, "")
        self.assertEqual(coloured.split("\n"), plain)


if __name__ == "__main__":
    absltest.main()
