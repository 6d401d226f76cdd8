# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The type stub that comes with a module."""

import ast
import sys
from pathlib import Path

from absl.testing import absltest

_FOLDER = Path(__file__).parent


def declarations(body: list[ast.stmt], prefix: str = "") -> dict[str, str]:
    """What a stub declares, by dotted name: a signature, or a class's bases."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            name = prefix + node.name
            found[name] = ", ".join(ast.unparse(base) for base in node.bases)
            found.update(declarations(node.body, name + "."))
        elif isinstance(node, ast.FunctionDef):
            returns = ast.unparse(node.returns) if node.returns else "?"
            found[prefix + node.name] = f"({ast.unparse(node.args)}) -> {returns}"
    return found


class StubTest(absltest.TestCase):
    def test_declarations(self):
        stub = (_FOLDER / "probe.pyi").read_text(encoding="utf-8")
        found = declarations(ast.parse(stub).body)
        self.assertEqual(found["Colour"], "enum.Enum")
        self.assertEqual(found["ProbeError"], "Exception")
        self.assertEqual(found["Counter.__init__"], "(self, start: int=0) -> None")
        self.assertEqual(found["Counter.add"], "(self, amount: int) -> int")
        self.assertEqual(found["other"], "(colour: Colour) -> Colour")
        self.assertIn("NDArray[numpy.float32]", found["address"])

    def test_docstrings_are_kept(self):
        stub = (_FOLDER / "probe.pyi").read_text(encoding="utf-8")
        self.assertIn("Adds, and gives the sum.", stub)
        self.assertEqual(
            ast.get_docstring(ast.parse(stub)),
            "A module that tests the nanobind_extension rule.",
        )

    def test_module_in_a_package(self):
        # The package's own code imports the module that the stub describes, and the
        # stub was written without it.
        import dotted

        self.assertEqual(dotted.Thing.__module__, "dotted._inner")
        self.assertIn("dotted._inner", sys.modules)
        stub = (_FOLDER / "dotted" / "_inner.pyi").read_text(encoding="utf-8")
        self.assertEqual(declarations(ast.parse(stub).body)["Thing.__init__"], "(self) -> None")


if __name__ == "__main__":
    absltest.main()
