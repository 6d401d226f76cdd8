# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the builder of wheels refuses, and the words for it."""

import contextlib
import dataclasses
import io
import json
import tempfile
from pathlib import Path

import build_wheel
import platform_tag
from absl.testing import absltest
from description import Description
from packaging.metadata import ExceptionGroup

_FOLDER = Path(__file__).parent
_NEEDS_PRIVATE = str(_FOLDER / "needs_private.abi3.so")
_PROBE = str(_FOLDER.parent / "nanobind" / "probe.abi3.so")

_PROBE_WHEEL = Description(
    distribution="probe",
    version="1.0",
    summary="One extension module.",
    python_requires=">=3.10",
    python_tag="cp310",
    abi_tag="abi3",
    files={"probe.abi3.so": _PROBE},
)


class BuildWheelTest(absltest.TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, **changes) -> Path:
        return build_wheel.build(dataclasses.replace(_PROBE_WHEEL, **changes), self.folder)

    def test_builds(self):
        self.assertRegex(self.build().name, r"^probe-1\.0-cp310-abi3-m[a-z]+linux.*\.whl$")

    def test_a_library_that_systems_lack(self):
        with self.assertRaisesRegex(
            platform_tag.PlatformError, "works on no range of systems.*libtests_private.so"
        ):
            self.build(files={"needs_private.abi3.so": _NEEDS_PRIVATE})
        self.assertEmpty(list(self.folder.iterdir()))

    def test_a_module_for_one_python_in_a_wheel_for_all(self):
        name = "probe.cpython-311-x86_64-linux-gnu.so"
        with self.assertRaisesRegex(build_wheel.WheelError, f"^{name} is for one version"):
            self.build(files={name: _PROBE})

    def test_a_module_in_a_wheel_without_modules(self):
        with self.assertRaisesRegex(build_wheel.WheelError, "^probe.abi3.so is an extension"):
            self.build(abi_tag="none")

    def test_metadata_that_an_index_would_refuse(self):
        for changes, field in [
            ({"license": "Apache 2"}, "license-expression"),
            ({"summary": "two\n lines"}, "summary"),
            ({"python_requires": "3.10 or so"}, "requires-python"),
        ]:
            with self.subTest(field=field), self.assertRaises(ExceptionGroup) as caught:
                self.build(**changes)
            self.assertIn(field, str(caught.exception.exceptions))

    def test_errors_are_one_line_each(self):
        description = self.folder / "description.json"
        fields = dataclasses.asdict(dataclasses.replace(_PROBE_WHEEL, requires=["rich >>= 1"]))
        description.write_text(json.dumps(fields), encoding="utf-8")
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = build_wheel.main(
                ["--description", str(description), "--output", str(self.folder / "out")]
            )
        self.assertEqual(status, 1)
        self.assertStartsWith(errors.getvalue(), "warpyard_wheel: ")
        self.assertIn("rich >>= 1", errors.getvalue())


if __name__ == "__main__":
    absltest.main()
