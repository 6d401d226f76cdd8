# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs test programs as a lane would, and reads what they wrote."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from absl.testing import absltest

H100 = "NVIDIA H100 80GB HBM3|9|0|81559"
A100 = "NVIDIA A100-SXM4-80GB|8|0|81920"
CLAIM = "gpu==h100 & sm==9.0 & gpus==1 & memory>=70GiB & os==linux"


@dataclasses.dataclass
class Run:
    """What became of a program."""

    code: int
    output: str
    lines: list[dict[str, Any]]
    xml: ElementTree.Element | None

    def verdicts(self) -> dict[str, str]:
        return {
            f"{line['suite']}.{line['name']}".lstrip("."): line["verdict"]
            for line in self.lines
            if line["kind"] == "case"
        }

    def case(self, name: str) -> dict[str, Any]:
        return next(line for line in self.lines if line["kind"] == "case" and line["name"] == name)

    @property
    def end(self) -> dict[str, Any]:
        return self.lines[-1]


class ProgramTest(absltest.TestCase):
    """Base of tests that run programs with a driver that is only pretended."""

    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.enter_context(tempfile.TemporaryDirectory()))

    def run_command(self, command: list[str], **variables: str) -> Run:
        outputs = self.folder / f"outputs{len(list(self.folder.iterdir()))}"
        # Nothing of the run that this test is in, strictness included, is the program's.
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("TEST", "XML", "WARPYARD_"))
        }
        environment |= {
            "PYTHONPATH": os.pathsep.join(sys.path),
            "TEST_UNDECLARED_OUTPUTS_DIR": str(outputs),
            "XML_OUTPUT_FILE": str(outputs / "test.xml"),
            "WARPYARD_CUDA_DRIVER": os.environ["WARPYARD_TEST_EMULATED_DRIVER"],
            "WARPYARD_FAKE_GPUS": H100,
            "WARPYARD_LANE": "emulated-h100",
            "WARPYARD_LANE_CLAIM": CLAIM,
            "WARPYARD_TEST_TARGET": "//some:test",
            "WARPYARD_TEST_REQUIRES": "gpus>=1",
        }
        process = subprocess.run(
            command,
            env={key: value for key, value in (environment | variables).items() if value},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=100,
            check=False,
        )
        file, xml = outputs / "warpyard_verdicts.jsonl", outputs / "test.xml"
        return Run(
            process.returncode,
            process.stdout,
            [json.loads(line) for line in file.read_text("utf-8").splitlines()]
            if file.exists()
            else [],
            ElementTree.fromstring(xml.read_bytes()) if xml.exists() else None,
        )

    def run_python(self, text: str, kind: str = "absltest", **variables: str) -> Run:
        """Runs a program; of absltest without its first and last lines."""
        if kind == "absltest":
            text = (
                "from absl.testing import absltest, parameterized\nimport unittest\n"
                "from warpyard import testing\n"
                + textwrap.dedent(text)
                + "\nif __name__ == '__main__':\n  absltest.main()\n"
            )
        else:
            text = "import pytest\nfrom warpyard import testing\n" + textwrap.dedent(text)
        source = self.folder / "program_test.py"
        source.write_text(text, encoding="utf-8")
        start = self.folder / "start.py"
        start.write_text(
            "from warpyard.testing import runner\n"
            f"runner.main({kind!r}, __file__, 'program_test.py')\n",
            encoding="utf-8",
        )
        return self.run_command([sys.executable, str(start)], **variables)
