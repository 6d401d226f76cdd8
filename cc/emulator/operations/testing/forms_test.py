# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Every form of the arithmetic operations that ptxas assembles is executed.

ptxas reports all bad statements of a file at once, so one run sorts tens of thousands of
candidates for a target into those that are PTX and those that are not.
"""

import os
import pathlib
import re
import subprocess

import forms
from absl.testing import absltest, parameterized
from tool import Tool

# What is not executed, and why.
_UNSUPPORTED = {
    r"fma\.\w+\.oob": "which NaN marks an element out of bounds is not documented",
    r"cvt\..*scaled::n2::ue8m0\.s2f6x2": "whether the scale multiplies or divides is not known",
}

_HEADER = (
    ".version 9.5\n.target {target}\n.address_size 64\n.visible .entry k() {{\n"
    ".reg .pred %p<8>; .reg .b8 %c<8>; .reg .b16 %h<8>; .reg .b32 %r<8>;"
    ".reg .b64 %d<8>; .reg .b128 %q<8>;\n"
)


def _assembled(statements: list[str], target: str, folder: str) -> list[str]:
    header = _HEADER.format(target=target)
    first = header.count("\n") + 1
    source = pathlib.Path(folder, f"{target}.ptx")
    source.write_text(header + "".join(f"{s};\n" for s in statements) + "ret;\n}\n")
    run = subprocess.run(
        [os.environ["PTXAS"], "-arch", target, "-O0", str(source), "-o", os.devnull],
        capture_output=True,
        text=True,
        check=False,
    )
    lines = {int(n) - first for n in re.findall(r"line (\d+); (?:error|fatal)", run.stderr)}
    if not lines or any("syntax" in line for line in run.stderr.splitlines()):
        raise AssertionError(f"ptxas did not look at all statements: {run.stderr[:2000]}")
    return [s for i, s in enumerate(statements) if i not in lines]


class FormsTest(parameterized.TestCase):
    @parameterized.parameters(
        ("sm_75", 4000), ("sm_80", 4000), ("sm_90a", 4500), ("sm_100a", 4800), ("sm_120a", 4800)
    )
    def test_every_form_is_executed(self, target: str, least: int) -> None:
        statements = forms.candidates()
        self.assertGreater(len(statements), 30000)
        assembled = _assembled(statements, target, self.create_tempdir().full_path)
        self.assertGreater(len(assembled), least)
        tool = Tool()
        refused, known = [], 0
        for statement in assembled:
            answer = tool.decode(statement, target)
            if any(re.match(pattern, statement) for pattern in _UNSUPPORTED):
                known += 1
                self.assertStartsWith(answer, "unimplemented: ", statement)
            elif answer != "ok":
                refused.append(f"{statement}: {answer}")
        tool.close()
        self.assertEmpty(refused, "\n".join(refused[:20]))
        print(
            f"{target}: {len(assembled)} of {len(statements)} candidates are PTX,"
            f" {known} of them are not executed"
        )


if __name__ == "__main__":
    absltest.main()
