# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The versions of cuDNN that are pinned, and tests against several of them."""

# Each has a lock file beside this one and a repository in MODULE.bazel. The last is the default.
CUDNN_VERSIONS = ["9.13.1", "9.28.0"]

_FLAG = "//third_party/cudnn:version"

def cudnn_repository(version):
    """Name of a version's repository.

    Args:
        version: Such as "9.13.1".

    Returns:
        Such as "cudnn_9_13_1".
    """
    return "cudnn_" + version.replace(".", "_")

def _version_impl(_, attr):
    return {_FLAG: attr.version}

_version_transition = transition(
    implementation = _version_impl,
    inputs = [],
    outputs = [_FLAG],
)

def _cudnn_version_test_impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    binary = ctx.attr.binary[DefaultInfo]
    ctx.actions.symlink(
        is_executable = True,
        output = executable,
        target_file = ctx.executable.binary,
    )
    library = ctx.files.library[0]
    return [
        DefaultInfo(
            executable = executable,
            runfiles = ctx.runfiles(files = ctx.files.library + ctx.files.libraries)
                .merge(binary.default_runfiles),
        ),
        RunEnvironmentInfo(environment = {
            "WARPYARD_CUDNN": library.short_path,
            "WARPYARD_TEST_CUDNN_VERSION": ctx.attr.version,
        }),
    ]

cudnn_version_test = rule(
    implementation = _cudnn_version_test_impl,
    doc = """A test program that runs with one of the pinned versions of cuDNN.

It is built once, and finds the library where WARPYARD_CUDNN says.""",
    attrs = {
        "binary": attr.label(
            doc = "The program.",
            cfg = "target",
            executable = True,
            mandatory = True,
        ),
        "libraries": attr.label(
            cfg = _version_transition,
            default = "//third_party/cudnn:libraries",
        ),
        "library": attr.label(
            cfg = _version_transition,
            default = "//third_party/cudnn:libcudnn",
        ),
        "version": attr.string(doc = "Such as \"9.13.1\".", mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    test = True,
)
