# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Python extension modules written with pybind11, for projects that have such code.

```starlark
load("//bazel:pybind.bzl", "pybind_extension")

pybind_extension(
    name = "_legacy",
    srcs = ["legacy_module.cc"],
    deps = [":legacy"],
)
```

New code is better off with `nanobind_extension`: one file for every Python.
"""

load("//bazel/private:pybind_extension.bzl", _pybind_extension = "pybind_extension")

pybind_extension = _pybind_extension
