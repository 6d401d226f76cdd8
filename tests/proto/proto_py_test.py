# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Python code that py_proto_library generates."""

import unittest

from google.protobuf import text_format

from tests.proto import inner_pb2, outer_pb2


class PyProtoTest(unittest.TestCase):
    def test_wire_format_round_trips(self):
        outer = outer_pb2.Outer(inner=[inner_pb2.Inner(value=-7)], images={"sm_90a": b"\0\x7f"})
        self.assertEqual(outer_pb2.Outer.FromString(outer.SerializeToString()), outer)

    def test_messages_that_come_with_protobuf(self):
        outer = text_format.Parse("made { seconds: 90 }", outer_pb2.Outer())
        self.assertEqual(outer.made.ToJsonString(), "1970-01-01T00:01:30Z")

    def test_text_format_refuses_unknown_fields(self):
        with self.assertRaises(text_format.ParseError):
            text_format.Parse("inner { nothing: 3 }", outer_pb2.Outer())


if __name__ == "__main__":
    unittest.main()
