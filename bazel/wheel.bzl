# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Wheels of Python libraries, extension modules included.

```starlark
load("//bazel:wheel.bzl", "warpyard_wheel")

warpyard_wheel(
    name = "wheel",
    distribution = "mypackage",
    version = "1.2.0",
    summary = "What it does.",
    python_requires = ">=3.10",
    root = "python",
    requires = ["nanobind-backend>=1.0,<2"],
    deps = ["//python/mypackage"],
)
```
"""

load("//bazel/private/wheel:warpyard_wheel.bzl", _warpyard_wheel = "warpyard_wheel")

warpyard_wheel = _warpyard_wheel
