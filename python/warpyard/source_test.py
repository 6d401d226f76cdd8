# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Which language a source is in, and what is refused."""

import pathlib

from absl.testing import absltest, parameterized

from warpyard import _source, errors


class DetectLanguageTest(parameterized.TestCase):
    @parameterized.parameters(
        ("k.cu", b".version 8.0", "cuda"),
        ("k.PTX", b"__global__ void k();", "ptx"),
        ("", b".version 8.0\n.target sm_80\n", "ptx"),
        ("", b"// a comment\n/* another\n */ .version 8.0\n", "ptx"),
        ("", b"// .version 8.0\n__global__ void k() {}", "cuda"),
        ("", b"int a; // then\n.version 8.0\n", "cuda"),
        ("", b"", "cuda"),
    )
    def test_by_suffix_then_by_content(self, name: str, text: bytes, language: str) -> None:
        self.assertEqual(_source.detect_language(name, text), language)

    def test_a_long_comment_takes_no_quadratic_time(self) -> None:
        text = b"// x\n" * 200_000 + b"/*" * 200_000
        self.assertEqual(_source.detect_language("", text), "cuda")


class MakeSourceTest(absltest.TestCase):
    def test_text_has_no_folder(self) -> None:
        source = _source.make_source("__global__ void k() {}", None)
        self.assertEqual((source.name, source.language, source.folder), ("source.cu", "cuda", ""))

    def test_a_path_is_read_and_its_folder_known(self) -> None:
        path = pathlib.Path(self.create_tempfile("a.ptx", ".version 8.0").full_path)
        source = _source.make_source(path, None)
        self.assertEqual(source.text, b".version 8.0")
        self.assertEqual((source.name, source.folder), (str(path), str(path.parent)))

    def test_a_file_without_end_is_refused(self) -> None:
        with self.assertRaisesRegex(errors.InvalidArgumentError, "larger than the 64 MiB"):
            _source.read_source("/dev/zero")


if __name__ == "__main__":
    absltest.main()
