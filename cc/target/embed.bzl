# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Text files linked into a program, so that it needs no file beside it."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def _embed_sources_impl(ctx):
    header = ctx.actions.declare_file(ctx.attr.stem + ".h")
    source = ctx.actions.declare_file(ctx.attr.stem + ".cc")
    arguments = ctx.actions.args()
    arguments.add("--header", header)
    arguments.add("--source", source)
    arguments.add("--include", "{}/{}.h".format(ctx.label.package, ctx.attr.stem))
    arguments.add("--function", ctx.attr.function)
    arguments.add_all(ctx.files.srcs)
    ctx.actions.run(
        executable = ctx.executable._embed,
        arguments = [arguments],
        inputs = ctx.files.srcs,
        outputs = [header, source],
        mnemonic = "EmbedText",
        progress_message = "Embedding %{label}",
    )
    return [
        DefaultInfo(files = depset([header, source])),
        OutputGroupInfo(header = depset([header]), source = depset([source])),
    ]

_embed_sources = rule(
    implementation = _embed_sources_impl,
    attrs = {
        "function": attr.string(mandatory = True),
        "srcs": attr.label_list(mandatory = True, allow_files = True),
        "stem": attr.string(mandatory = True),
        "_embed": attr.label(
            default = "//cc/target:embed",
            cfg = "exec",
            executable = True,
        ),
    },
)

def embed_text(name, srcs, function, **kwargs):
    """A `cc_library` that holds the text of files.

    It offers the header `PACKAGE/NAME.h` with one function in namespace
    `warpyard`:

        const std::array<EmbeddedFile, N>& FUNCTION();

    Args:
      name: the library's name, and the header's.
      srcs: text files in UTF-8; their file names must differ.
      function: the C++ function's name.
      **kwargs: of `cc_library`, such as `visibility`.
    """
    _embed_sources(
        name = name + "_sources",
        srcs = srcs,
        function = function,
        stem = name,
        visibility = ["//visibility:private"],
    )
    native.filegroup(
        name = name + "_header",
        srcs = [":" + name + "_sources"],
        output_group = "header",
        visibility = ["//visibility:private"],
    )
    native.filegroup(
        name = name + "_source",
        srcs = [":" + name + "_sources"],
        output_group = "source",
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_source"],
        hdrs = [":" + name + "_header"],
        deps = ["//cc/target:embedded_file"],
        **kwargs
    )
