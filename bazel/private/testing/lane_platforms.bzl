# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A platform for each lane."""

_CPU = {"arm64": "@platforms//cpu:arm64", "x86_64": "@platforms//cpu:x86_64"}

def lane_platforms(lanes):
    """Declares a platform for each lane, named like it, in a package of its own.

    Each has a constraint of that lane alone; where no lane was chosen, the platform has the
    constraint `no-lane`.

    Args:
        lanes: Structs of `lane`.
    """
    native.constraint_setting(
        name = "lane",
        default_constraint_value = ":no-lane",
        visibility = ["//visibility:public"],
    )
    native.constraint_value(
        name = "no-lane",
        constraint_setting = ":lane",
        visibility = ["//visibility:public"],
    )
    for lane in lanes:
        native.constraint_value(
            name = "on-" + lane.name,
            constraint_setting = ":lane",
            visibility = ["//visibility:public"],
        )
        native.platform(
            name = lane.name,
            constraint_values = [
                ":on-" + lane.name,
                _CPU[lane.arch],
                "@platforms//os:" + lane.os,
            ],
            visibility = ["//visibility:public"],
        )

def _lanes_json_impl(ctx):
    output = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(output, ctx.attr.text)
    return [DefaultInfo(files = depset([output]), runfiles = ctx.runfiles([output]))]

lanes_json = rule(
    implementation = _lanes_json_impl,
    doc = "A list of lanes for programs that are not written in Starlark.",
    attrs = {"text": attr.string(doc = "JSON.", mandatory = True)},
)

def lanes_text(lanes):
    """The lanes as JSON.

    Args:
        lanes: Structs of `lane`.

    Returns:
        Text of a list of objects, in the order of `lanes`.
    """
    return json.encode_indent(lanes, indent = "  ") + "\n"
