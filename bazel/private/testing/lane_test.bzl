# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A test program on one lane.

The program is built once; each lane's target is a link to it with the lane's environment. As the
lane stands in that environment, a cached result of one lane never answers for another.
"""

LaneTestInfo = provider(
    "What a gated test is on one lane.",
    fields = {
        "emulate": "What the emulated driver poses as, \"b200*8\"; empty on other lanes.",
        "gpus": "How many GPUs it has.",
        "lane": "Name of the lane; empty where no lane can run the test.",
        "memory": "How much memory of a GPU it needs at most, \"10GiB\"; empty when it did not say.",
        "requires": "Its requirement.",
        "suite": "Label of all lanes' targets together.",
        "xfail": "\"reason, owner, YYYY-MM-DD\" where it is expected to fail.",
    },
)

def _lane_test_impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        is_executable = True,
        output = executable,
        target_file = ctx.executable.binary,
    )
    environment = {
        key: ctx.expand_location(value, ctx.attr.data)
        for key, value in ctx.attr.test_environment.items()
    }
    files = list(ctx.files.data)
    for library in ctx.files.driver:
        files.append(library)
        environment["WARPYARD_CUDA_DRIVER"] = library.short_path
    binary = ctx.attr.binary[DefaultInfo]
    runfiles = ctx.runfiles(files = files).merge_all(
        [binary.default_runfiles] + [data[DefaultInfo].default_runfiles for data in ctx.attr.data],
    )
    return [
        DefaultInfo(executable = executable, runfiles = runfiles),
        RunEnvironmentInfo(environment = environment),
        LaneTestInfo(
            emulate = ctx.attr.test_environment.get("WARPYARD_EMULATE", ""),
            gpus = ctx.attr.gpus,
            lane = ctx.attr.lane,
            memory = ctx.attr.memory,
            requires = ctx.attr.requires,
            suite = ctx.attr.suite,
            xfail = ctx.attr.xfail,
        ),
    ]

_ATTRS = {
    "binary": attr.label(
        doc = "The program.",
        cfg = "target",
        executable = True,
        mandatory = True,
    ),
    "data": attr.label_list(
        doc = "Files that `args` and `test_environment` name.",
        allow_files = True,
    ),
    "driver": attr.label(
        doc = "The emulated driver's library: one file, or none.",
        allow_files = True,
    ),
    "gpus": attr.int(doc = "How many GPUs it has."),
    "lane": attr.string(doc = "Name of the lane."),
    "memory": attr.string(doc = "How much memory of a GPU it needs at most."),
    "requires": attr.string(doc = "Its requirement."),
    "suite": attr.string(doc = "Label of all lanes' targets together."),
    "test_environment": attr.string_dict(doc = "Variables of the test's environment."),
    "xfail": attr.string(doc = "Why it is expected to fail here, who cares, and until when."),
}

# Two, as Bazel's --test_lang_filters knows a test's language by its rule: sanitizers take `cc`
# and `cc_lane` alone.
cc_lane_test = rule(
    implementation = _lane_test_impl,
    doc = "A C++ test program on one lane.",
    attrs = _ATTRS,
    test = True,
)

py_lane_test = rule(
    implementation = _lane_test_impl,
    doc = "A Python test program on one lane.",
    attrs = _ATTRS,
    test = True,
)
