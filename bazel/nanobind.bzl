# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Python extension modules written with nanobind.

```starlark
load("//bazel:nanobind.bzl", "nanobind_extension")

nanobind_extension(
    name = "_solver",
    module = "mypackage._solver",  # when in the folder mypackage/
    srcs = ["solver_module.cc"],
    deps = [":solver"],
)
```
"""

load("//bazel/private:nanobind_extension.bzl", _nanobind_extension = "nanobind_extension")

nanobind_extension = _nanobind_extension
