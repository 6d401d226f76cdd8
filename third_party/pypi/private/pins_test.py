# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests for pins."""

import unittest

import pins
from lock_file import Requirement

REQUIREMENTS = """\
# Bindings: nanobind==3.1.0 is what this was written for.
nanobind==3.1.0
Py_Bind11[global] == 3.1.0 ; python_version >= '3.10'  # pinned
rich
numpy>=2
"""


def pin(name, version, marker="", digest="a"):
    return Requirement(name, version, marker, frozenset({digest * 64}))


LOCK = [
    pin("nanobind", "3.1.0"),
    pin("numpy", "2.2.6", "python_full_version < '3.11'"),
    pin("numpy", "2.5.5", "python_full_version >= '3.11'"),
    pin("py-bind11", "3.1.0"),
    pin("pygments", "2.20.0"),
    pin("rich", "14.0.0"),
]


class WishTest(unittest.TestCase):
    def test_package(self):
        self.assertEqual(pins.parse_wish("rich").text, "rich")

    def test_package_and_version(self):
        wish = pins.parse_wish("Absl_Py==2.5.1")
        self.assertEqual(
            (wish.name, wish.version, wish.text), ("absl-py", "2.5.1", "absl-py==2.5.1")
        )

    def test_other(self):
        for text in ("", "rich>=1", "rich==", "rich==1.*", "rich[x]", "--upgrade", "rich 1", "a;b"):
            with self.subTest(text):
                with self.assertRaisesRegex(
                    pins.WishError, r"expected PACKAGE or PACKAGE==VERSION"
                ):
                    pins.parse_wish(text)


class RepinTest(unittest.TestCase):
    def repin(self, *texts, requirements=REQUIREMENTS):
        return pins.repin(requirements, [pins.parse_wish(text) for text in texts], LOCK)

    def test_pinned(self):
        self.assertEqual(pins.pinned(REQUIREMENTS), {"nanobind": "3.1.0", "py-bind11": "3.1.0"})

    def test_names(self):
        self.assertEqual(pins.names(REQUIREMENTS), {"nanobind", "py-bind11", "rich", "numpy"})

    def test_pin_changes_and_nothing_else_does(self):
        self.assertEqual(
            self.repin("nanobind==3.2.0", "py.bind11==3.1.1"),
            REQUIREMENTS.replace("\nnanobind==3.1.0", "\nnanobind==3.2.0").replace(
                "== 3.1.0 ;", "== 3.1.1 ;"
            ),
        )

    def test_what_is_left_open_stays_open(self):
        for wish in ("rich", "rich==15.0.0", "numpy", "pygments==2.21.0"):
            self.assertEqual(self.repin(wish), REQUIREMENTS)
        self.assertEqual(self.repin(), REQUIREMENTS)

    def test_file_without_an_end_of_line(self):
        self.assertEqual(self.repin("rich==2", requirements="rich==1"), "rich==2")

    def test_unknown_package(self):
        with self.assertRaisesRegex(pins.WishError, "scipy is neither in requirements.in nor"):
            self.repin("scipy")

    def test_new_in_requirements(self):
        text = "scipy==1.0\n"
        self.assertEqual(self.repin("scipy", requirements=text), text)

    def test_pinned_package_without_a_version(self):
        with self.assertRaisesRegex(
            pins.WishError, r"nanobind is pinned to 3\.1\.0 in .* nanobind==VERSION"
        ):
            self.repin("nanobind")

    def test_pin_changed_by_hand(self):
        text = "nanobind==3.2.0\n"
        self.assertEqual(self.repin("nanobind", requirements=text), text)


class ChangesTest(unittest.TestCase):
    def test_none(self):
        other_hashes = [pin(r.name, r.version, r.marker, "b") for r in reversed(LOCK)]
        self.assertEqual(pins.changes(LOCK, other_hashes), [])

    def test_every_kind(self):
        new = [
            pin("nanobind", "3.2.0"),
            pin("numpy", "2.2.6", "python_full_version < '3.12'"),
            pin("numpy", "2.5.5", "python_full_version >= '3.12'"),
            pin("py-bind11", "3.1.0"),
            pin("rich", "14.0.0"),
            pin("zzz", "1"),
        ]
        self.assertEqual(
            pins.changes(LOCK, new),
            [
                "nanobind: 3.1.0 -> 3.2.0",
                "numpy: 2.2.6 (python_full_version < '3.11'), 2.5.5 (python_full_version >= '3.11')"
                " -> 2.2.6 (python_full_version < '3.12'), 2.5.5 (python_full_version >= '3.12')",
                "pygments: 2.20.0 -> no longer locked",
                "zzz: not locked -> 1",
            ],
        )


if __name__ == "__main__":
    unittest.main()
