# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What the analysis of cuda_device_library gives, and what it refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//bazel:cuda.bzl", "DeviceImagesInfo", "cuda_device_library")

# The functions under test are private to the rules.
# buildifier: disable=bzl-visibility
load("//bazel/private/cuda:device_library.bzl", "camel_case")

# buildifier: disable=bzl-visibility
load("//bazel/private/cuda:targets.bzl", "KNOWN_TARGETS", "targets_error")

def _failure_test_impl(ctx):
    env = analysistest.begin(ctx)
    for message in ctx.attr.messages:
        asserts.expect_failure(env, message)
    return analysistest.end(env)

_failure_test = analysistest.make(
    _failure_test_impl,
    attrs = {"messages": attr.string_list()},
    expect_failure = True,
)

def _images_test_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    asserts.equals(
        env,
        [
            ("sm_90a", "cubin", "listed.sm_90a.cubin"),
            ("sm_80", "cubin", "listed.sm_80.cubin"),
            ("compute_80", "ptx", "listed.compute_80.ptx"),
        ],
        [(image.target, image.kind, image.file.basename) for image in target[DeviceImagesInfo].images],
    )
    actions = analysistest.target_actions(env)
    asserts.equals(
        env,
        {"CudaAssemble": 2, "CudaCompile": 2, "CudaEmbed": 1, "CudaRequirements": 1},
        {m: len([a for a in actions if a.mnemonic == m]) for m in sorted({a.mnemonic: True for a in actions})},
    )

    # A sandbox is made of inputs, one by one: few of them keep it cheap.
    for action in actions:
        if action.mnemonic == "CudaCompile":
            count = len(action.inputs.to_list())
            asserts.true(env, count < 250, "nvcc has {} inputs".format(count))
    return analysistest.end(env)

_images_test = analysistest.make(_images_test_impl)

def _camel_case_test_impl(ctx):
    env = unittest.begin(ctx)
    for name, expected in [
        ("saxpy", "Saxpy"),
        ("saxpy_kernels", "SaxpyKernels"),
        ("top-k.f16", "TopKF16"),
        ("3d_stencil", "_3dStencil"),
    ]:
        asserts.equals(env, expected, camel_case(name))
    return unittest.end(env)

_camel_case_test = unittest.make(_camel_case_test_impl)

def _targets_error_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, targets_error(KNOWN_TARGETS, []))
    asserts.equals(env, None, targets_error([], ["compute_90"]))
    asserts.true(env, targets_error([], []) != None)
    asserts.true(env, targets_error(["compute_90"], []).startswith("targets: unknown target \"compute_90\""))
    asserts.true(env, targets_error([], ["sm_90"]).startswith("ptx_targets: unknown target \"sm_90\""))
    return unittest.end(env)

_targets_error_test = unittest.make(_targets_error_test_impl)

def cuda_rules_test_suite(name):
    """All tests of this file.

    Args:
        name: Name of the suite.
    """
    cuda_device_library(
        name = "unknown_target",
        testonly = True,
        srcs = ["norm_parts.cu"],
        tags = ["manual"],
        targets = ["sm_80", "sm_91"],
    )
    _failure_test(
        name = "unknown_target_test",
        messages = [
            "//tests/rules/cuda:unknown_target: targets: unknown target \"sm_91\"",
            "CUDA's compilers know sm_75, sm_80",
            "sm_90, sm_90a, sm_100, sm_100a, sm_100f",
        ],
        target_under_test = ":unknown_target_images",
    )
    cuda_device_library(
        name = "target_twice",
        testonly = True,
        srcs = ["norm_parts.cu"],
        tags = ["manual"],
        targets = ["sm_80", "sm_90", "sm_80"],
    )
    _failure_test(
        name = "target_twice_test",
        messages = ["\"sm_80\" stands there twice"],
        target_under_test = ":target_twice_images",
    )
    cuda_device_library(
        name = "no_target",
        testonly = True,
        srcs = ["norm_parts.cu"],
        tags = ["manual"],
        targets = [],
    )
    _failure_test(
        name = "no_target_test",
        messages = ["there is nothing to compile for"],
        target_under_test = ":no_target_images",
    )
    cuda_device_library(
        name = "listed",
        testonly = True,
        srcs = ["norm_parts.cu"],
        ptx_targets = ["compute_80"],
        tags = ["manual"],
        targets = ["sm_90a", "sm_80"],
    )
    _images_test(
        name = "images_test",
        target_under_test = ":listed_images",
    )
    unittest.suite(name + "_units", _camel_case_test, _targets_error_test)
    native.test_suite(
        name = name,
        tests = [
            ":" + name + "_units",
            ":images_test",
            ":no_target_test",
            ":target_twice_test",
            ":unknown_target_test",
        ],
    )
