# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Runs protoc over the sources of one `proto_library`."""

def _proto_sources_impl(ctx):
    info = ctx.attr.proto[ProtoInfo]
    outputs = []
    for source in info.direct_sources:
        stem = source.basename.removesuffix(".proto")
        if source.owner.package != ctx.label.package:
            fail("{}: {} is in another package; generate its code there".format(ctx.label, source.short_path))
        for suffix in ctx.attr.suffixes:
            outputs.append(ctx.actions.declare_file(stem + suffix))
    arguments = ctx.actions.args()
    for plugin in ctx.attr.plugins:
        arguments.add("--{}_out={}".format(plugin, ctx.bin_dir.path + ("/" + ctx.label.workspace_root if ctx.label.workspace_root else "")))
    arguments.add_all(info.transitive_proto_path, format_each = "--proto_path=%s")
    arguments.add_all(info.direct_sources, map_each = _import_path)
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = [arguments],
        inputs = info.transitive_sources,
        outputs = outputs,
        mnemonic = "Protoc",
        progress_message = "Generating code from %{label}",
    )
    return [DefaultInfo(files = depset(outputs))]

def _import_path(source):
    return source.path.split(source.owner.workspace_root + "/", 1)[1] if source.owner.workspace_root else source.path

proto_sources = rule(
    implementation = _proto_sources_impl,
    doc = "Code that protoc writes for the sources of a `proto_library`.",
    attrs = {
        "plugins": attr.string_list(mandatory = True, doc = "Languages, as in `--<language>_out`."),
        "proto": attr.label(mandatory = True, providers = [ProtoInfo], doc = "The proto_library."),
        "suffixes": attr.string_list(
            mandatory = True,
            doc = "What each generated file's name has in place of `.proto`.",
        ),
        "_protoc": attr.label(
            cfg = "exec",
            default = "@protoc//:protoc",
            executable = True,
        ),
    },
)
