# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Device code linked into a C++ library."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load(":device_images.bzl", "cuda_device_images")
load(":targets.bzl", "ptx_target_of")

def camel_case(name):
    """The C++ function's name for a target's name: "saxpy_kernels" gives "SaxpyKernels".

    Args:
        name: Name of a target.

    Returns:
        An identifier.
    """
    words = name.replace("-", "_").replace(".", "_").replace("/", "_").split("_")
    joined = "".join([word[0].upper() + word[1:] for word in words if word])
    return joined if not joined[0].isdigit() else "_" + joined

def cuda_device_library(
        name,
        srcs,
        targets,
        ptx_targets = None,
        hdrs = [],
        deps = [],
        local_defines = [],
        copts = [],
        ptxas_opts = [],
        line_info = False,
        function = None,
        namespace = "warpyard",
        visibility = None,
        testonly = None,
        tags = None):
    """A `cc_library` that holds CUDA C++ compiled for a list of targets.

    It offers the header `<package>/<name>.h` with one function:

    ```c++
    namespace warpyard {
    const DeviceImageSet& SaxpyKernels();  // of the target saxpy_kernels
    }
    ```

    `DeviceImageSet::Select` (`//cc/target:device_image`) gives the image for a device.
    The images alone are the files of the target `<name>_images`, with output groups
    `cubin` and `ptx`.

    A source that does not fit a target fails the build: by its own declaration, a line
    `// warpyard-requires: sm>=9.0`, or else by the compiler's. The outputs are the same
    bytes in whatever folder they are built.

    Args:
        name: Name of the target, the header and (in camel case) the function.
        srcs: CUDA C++ sources (`.cu`, `.cu.cc`). Several are linked, with link-time
            optimisation, so one may call a `__device__` function of another.
        targets: What CUBINs are made for: `["sm_80", "sm_90a", "sm_100f"]`. A target that
            CUDA's compilers do not know is an error that lists those they do.
        ptx_targets: What PTX is kept for: `["compute_90"]`. By default, all of `targets`;
            `[]` keeps none.
        hdrs: Headers that the sources include.
        deps: C++ libraries whose headers and defines the sources use. They are not linked.
        local_defines: Macros.
        copts: Options of nvcc. `-std=c++20` unless they say otherwise.
        ptxas_opts: Options of ptxas, such as `--maxrregcount=64`.
        line_info: Whether a profiler can lead from machine code to source lines.
        function: Name of the function, instead of `name` in camel case.
        namespace: C++ namespace of the function, `a::b` included.
        visibility: Of the library and the images.
        testonly: As everywhere.
        tags: As everywhere.
    """
    if ptx_targets == None:
        ptx_targets = [ptx_target_of(target) for target in targets]
    common = {"tags": tags, "testonly": testonly}
    cuda_device_images(
        name = name + "_images",
        srcs = srcs,
        copts = copts,
        function = function or camel_case(name),
        hdrs = hdrs,
        header = name + ".h",
        library = "//{}:{}".format(native.package_name(), name),
        line_info = line_info,
        local_defines = local_defines,
        namespace = namespace,
        ptx_targets = ptx_targets,
        ptxas_opts = ptxas_opts,
        source = name + ".cc",
        stem = name,
        targets = targets,
        visibility = visibility,
        deps = deps,
        **common
    )
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = [name + ".h"],
        visibility = visibility,
        deps = [
            Label("//cc/target:compute_capability"),
            Label("//cc/target:device_image"),
        ],
        **common
    )
