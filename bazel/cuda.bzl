# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""CUDA C++ in C++ libraries, without a GPU, a driver or an installed toolkit.

```starlark
load("//bazel:cuda.bzl", "cuda_device_library")

cuda_device_library(
    name = "saxpy_kernels",
    srcs = ["saxpy.cu"],
    targets = ["sm_80", "sm_90a", "sm_100f"],
)
```
"""

load("//bazel/private/cuda:device_images_info.bzl", _DeviceImagesInfo = "DeviceImagesInfo")
load("//bazel/private/cuda:device_library.bzl", _cuda_device_library = "cuda_device_library")

DeviceImagesInfo = _DeviceImagesInfo
cuda_device_library = _cuda_device_library
