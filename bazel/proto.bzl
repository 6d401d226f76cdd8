# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Protocol Buffers: C++ and Python code from `proto_library` targets.

```starlark
load("//bazel:proto.bzl", "cc_proto_library", "proto_library", "py_proto_library")

proto_library(name = "key_proto", srcs = ["key.proto"], deps = [":device_proto"])
cc_proto_library(name = "key_cc_proto", proto = ":key_proto", deps = [":device_cc_proto"])
py_proto_library(name = "key_py_proto", proto = ":key_proto", deps = [":device_py_proto"])
```
"""

load("//bazel/private:cc_proto_library.bzl", _cc_proto_library = "cc_proto_library")
load("//bazel/private:py_proto_library.bzl", _py_proto_library = "py_proto_library")

cc_proto_library = _cc_proto_library
proto_library = native.proto_library
py_proto_library = _py_proto_library
