# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A wheel of Python libraries."""

load("@rules_python//python:defs.bzl", "PyInfo")

def _path_in_wheel(file, root):
    """Where a file goes in the wheel: what follows `root` in its short path.

    Args:
        file: A file of a library.
        root: The folder that `import` starts from.

    Returns:
        A path; None for a file of another repository, which is another
        distribution's.
    """
    if file.short_path.startswith("../"):
        return None
    if root and not file.short_path.startswith(root + "/"):
        fail(("{} is not in {}/, so it has no place in the wheel. Move it there, or take the " +
              "library that brings it out of deps.").format(file.short_path, root))
    return file.short_path[len(root) + 1:] if root else file.short_path

def _warpyard_wheel_impl(ctx):
    runfiles = ctx.runfiles().merge_all([
        dependency[DefaultInfo].default_runfiles
        for dependency in ctx.attr.deps
    ])
    sources = depset(transitive = [dependency[PyInfo].transitive_sources for dependency in ctx.attr.deps])
    files = {}
    for file in depset(transitive = [runfiles.files, sources]).to_list():
        path = _path_in_wheel(file, ctx.attr.root)
        if path:
            files[path] = file

    # A folder, as the wheel's name is known only when it has been looked at.
    output = ctx.actions.declare_directory(ctx.label.name)
    description = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(description, json.encode_indent({
        "abi_tag": ctx.attr.abi_tag,
        "classifiers": ctx.attr.classifiers,
        "console_scripts": ctx.attr.console_scripts,
        "description_file": ctx.file.description_file.path if ctx.file.description_file else None,
        "distribution": ctx.attr.distribution,
        "extras": ctx.attr.extras,
        "files": {path: files[path].path for path in sorted(files)},
        "license": ctx.attr.license,
        "license_files": {file.basename: file.path for file in ctx.files.license_files},
        "project_urls": ctx.attr.project_urls,
        "python_requires": ctx.attr.python_requires,
        "python_tag": ctx.attr.python_tag,
        "requires": ctx.attr.requires,
        "summary": ctx.attr.summary,
        "version": ctx.attr.version,
    }))
    arguments = ctx.actions.args()
    arguments.add("--description", description)
    arguments.add_all("--output", [output], expand_directories = False)
    ctx.actions.run(
        executable = ctx.executable._builder,
        arguments = [arguments],
        inputs = depset(
            [description] + ctx.files.description_file + ctx.files.license_files + files.values(),
        ),
        outputs = [output],
        mnemonic = "Wheel",
        progress_message = "Building the wheel %{label}",
    )
    return [DefaultInfo(files = depset([output]), runfiles = ctx.runfiles([output]))]

warpyard_wheel = rule(
    implementation = _warpyard_wheel_impl,
    doc = """A wheel of Python libraries and all that they are made of in this repository.

The output is a folder `<name>/` with the wheel in it, whose name ends in the platform
that it truly needs: the oldest manylinux (or musllinux) policy whose libraries and
symbol versions suffice, as `auditwheel` finds. A wheel that no policy allows, because
it needs a library that systems do not have, is an error that names it.

What the libraries take from other repositories is not in the wheel: `requires` names
the distributions instead. The same files give the same bytes.
""",
    attrs = {
        "abi_tag": attr.string(
            default = "abi3",
            doc = "`abi3` for extension modules of nanobind_extension; `none` where there are none.",
        ),
        "classifiers": attr.string_list(doc = "Trove classifiers."),
        "console_scripts": attr.string_dict(doc = "Commands: name to `module:function`."),
        "deps": attr.label_list(mandatory = True, providers = [PyInfo], doc = "Python libraries."),
        "description_file": attr.label(
            allow_single_file = [".md", ".rst", ".txt"],
            doc = "The long description.",
        ),
        "distribution": attr.string(mandatory = True, doc = "Name of the distribution."),
        "extras": attr.string_list_dict(doc = "Extra requirements, by the name of the extra."),
        "license": attr.string(doc = "SPDX expression."),
        "license_files": attr.label_list(allow_files = True, doc = "Files that go with the wheel."),
        "project_urls": attr.string_dict(doc = "Addresses, by label."),
        "python_requires": attr.string(mandatory = True, doc = "Versions of Python, such as >=3.10."),
        "python_tag": attr.string(default = "cp310", doc = "The oldest Python, such as cp310 or py3."),
        "requires": attr.string_list(doc = "Distributions that are needed at run time."),
        "root": attr.string(doc = "The folder that `import` starts from; the workspace by default."),
        "summary": attr.string(mandatory = True, doc = "One line."),
        "version": attr.string(mandatory = True, doc = "The version, as PEP 440 writes them."),
        "_builder": attr.label(
            cfg = "exec",
            default = "//bazel/private/wheel:build_wheel",
            executable = True,
        ),
    },
)
