# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The type stub of an extension module."""

def _nanobind_stub_impl(ctx):
    inputs = [ctx.file.extension]
    arguments = ctx.actions.args()
    arguments.add("--module", ctx.attr.module)
    arguments.add("--extension", ctx.file.extension)
    arguments.add("--output", ctx.outputs.stub)
    if ctx.file.patterns:
        inputs.append(ctx.file.patterns)
        arguments.add("--patterns", ctx.file.patterns)
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [arguments],
        inputs = inputs,
        outputs = [ctx.outputs.stub],
        mnemonic = "NanobindStub",
        progress_message = "Writing the type stub %{output}",
    )
    return [DefaultInfo(files = depset([ctx.outputs.stub]))]

nanobind_stub = rule(
    implementation = _nanobind_stub_impl,
    doc = "Imports an extension module and writes down the types that it offers.",
    attrs = {
        "extension": attr.label(
            allow_single_file = True,
            mandatory = True,
            doc = "The shared library.",
        ),
        "module": attr.string(mandatory = True, doc = "Dotted name to import it by."),
        "patterns": attr.label(allow_single_file = True, doc = "Patterns for nanobind's stubgen."),
        "stub": attr.output(mandatory = True, doc = "The stub."),
        "_generator": attr.label(
            cfg = "exec",
            default = "//bazel/private:nanobind_stub_generator",
            executable = True,
        ),
    },
)
