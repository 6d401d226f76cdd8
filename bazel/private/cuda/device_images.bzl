# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""CUDA C++ to PTX and CUBIN, for a list of targets, and these to C++ sources.

One source is compiled as a whole program: nvcc writes PTX, ptxas makes it a
CUBIN. Several are compiled to NVIDIA's LTO IR, and nvlink writes the PTX of all
of them together.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain", "use_cpp_toolchain")
load("@rules_cc//cc:defs.bzl", "CcInfo")
load(":device_images_info.bzl", "DeviceImagesInfo")
load(":targets.bzl", "ptx_target_of", "targets_error")

def _check_requirements(ctx, targets):
    """A file that is there when all sources can be compiled for all targets."""
    stamp = ctx.actions.declare_file(ctx.label.name + ".requirements_met")
    arguments = ctx.actions.args()
    arguments.add("--library", ctx.attr.library)
    arguments.add_all(targets, before_each = "--target")
    arguments.add("--stamp", stamp)
    arguments.add_all(ctx.files.srcs)
    ctx.actions.run(
        executable = ctx.executable._check_requirements,
        arguments = [arguments],
        inputs = ctx.files.srcs,
        outputs = [stamp],
        mnemonic = "CudaRequirements",
        progress_message = "Checking requirements of %{label}",
    )
    return stamp

def _compiler_arguments(ctx, cc_toolchain, context):
    """What nvcc is called with, whatever the source and the target."""
    arguments = ctx.actions.args()
    arguments.add("-ccbin", cc_toolchain.compiler_executable)
    if not [option for option in ctx.attr.copts if option.startswith(("-std", "--std"))]:
        arguments.add("-std=c++20")
    if ctx.label.workspace_root:
        roots = [ctx.label.workspace_root, ctx.bin_dir.path + "/" + ctx.label.workspace_root]
    else:
        roots = [".", ctx.bin_dir.path]
    arguments.add_all(roots, before_each = "-I")
    arguments.add_all(context.quote_includes, before_each = "-I", uniquify = True)
    arguments.add_all(context.includes, before_each = "-I", uniquify = True)
    arguments.add_all(context.system_includes, before_each = "-isystem", uniquify = True)
    arguments.add_all(context.defines, format_each = "-D%s")
    arguments.add_all(ctx.attr.local_defines, format_each = "-D%s")
    if ctx.attr.line_info:
        arguments.add("--generate-line-info")
    arguments.add_all(ctx.attr.copts)
    return arguments

def _compile_source(ctx, source, mode, output, common, inputs):
    arguments = ctx.actions.args()
    arguments.add_all(mode)

    # Names of what is local to a source carry a hash of its path, which nvcc would
    # have made absolute.
    arguments.add("-Xcicc", "--orig_src_path_name")
    arguments.add("-Xcicc", source)
    arguments.add("-x", "cu")
    arguments.add(source)
    arguments.add("-o", output)
    ctx.actions.run(
        executable = ctx.file._nvcc,
        arguments = [common, arguments],
        inputs = inputs,
        outputs = [output],
        mnemonic = "CudaCompile",
        progress_message = "Compiling {} to %{{output}}".format(source.short_path),
        # The host compiler preprocesses; it finds its own parts on PATH.
        use_default_shell_env = True,
    )

def _relative_paths(ctx, ptx, output):
    """Takes the folder of the build out of the file names in line information."""
    ctx.actions.run_shell(
        command = "sed -E '/^[[:space:]]*\\.file[[:space:]]/{s|\"/.*/execroot/[^/]+/|\"|;s|\"/.*/external/|\"external/|}' \"$1\" > \"$2\"",
        arguments = [ptx.path, output.path],
        inputs = [ptx],
        outputs = [output],
        mnemonic = "CudaRelativePaths",
    )

def _whole_program_ptx(ctx, number, output, common, inputs):
    """PTX of a library's only source."""
    written = output
    if ctx.attr.line_info:
        written = ctx.actions.declare_file("{}.{}.absolute.ptx".format(ctx.label.name, number))
        _relative_paths(ctx, written, output)
    mode = ["-ptx", "-arch=compute_" + number]
    _compile_source(ctx, ctx.files.srcs[0], mode, written, common, inputs)

def _linked_ptx(ctx, number, output, common, inputs, libnvvm):
    """PTX of several sources, optimised together."""
    objects = []
    for i, source in enumerate(ctx.files.srcs):
        # Sources in two folders may have one name.
        intermediate = ctx.actions.declare_file("_{}/{}/{}_{}.ltoir".format(
            ctx.label.name,
            number,
            i,
            source.basename,
        ))
        mode = ["-ltoir", "-dlto", "-rdc=true", "-arch=lto_" + number]
        _compile_source(ctx, source, mode, intermediate, common, inputs)
        objects.append(intermediate)
    written = output
    if ctx.attr.line_info:
        written = ctx.actions.declare_file("{}.{}.absolute.ptx".format(ctx.label.name, number))
        _relative_paths(ctx, written, output)
    arguments = ctx.actions.args()
    arguments.add_all(["-lto", "-emit-ptx", "-arch=sm_" + number])
    arguments.add(libnvvm.dirname.removesuffix("/lib64"), format = "-nvvmpath=%s")
    arguments.add_all(objects)
    arguments.add("-o", written)
    ctx.actions.run(
        executable = ctx.file._nvlink,
        arguments = [arguments],
        inputs = objects + [libnvvm, ctx.file._libdevice],
        outputs = [written],
        mnemonic = "CudaLink",
        progress_message = "Linking device code to %{output}",
    )

def _assemble(ctx, target, ptx, output):
    arguments = ctx.actions.args()
    arguments.add("-arch=" + target)
    if ctx.attr.line_info:
        arguments.add("--generate-line-info")
    arguments.add_all(ctx.attr.ptxas_opts)
    arguments.add(ptx)
    arguments.add("-o", output)
    ctx.actions.run(
        executable = ctx.file._ptxas,
        arguments = [arguments],
        inputs = [ptx],
        outputs = [output],
        mnemonic = "CudaAssemble",
        progress_message = "Assembling %{output}",
    )

def _libnvvm_for_nvlink(ctx):
    """libnvvm where nvlink looks for it; pip puts it elsewhere, under its version."""
    [libnvvm] = ctx.files._libnvvm
    link = ctx.actions.declare_file("_{}/nvvm/lib64/libnvvm.so".format(ctx.label.name))
    ctx.actions.symlink(output = link, target_file = libnvvm)
    return link

def _embed(ctx, images):
    """A header and a source that hold the images."""
    header, source = ctx.outputs.header, ctx.outputs.source
    arguments = ctx.actions.args()
    arguments.add("--library", ctx.attr.library)
    arguments.add("--function", ctx.attr.function)
    arguments.add("--namespace", ctx.attr.namespace)
    arguments.add("--include", "/".join([part for part in [ctx.label.package, header.basename] if part]))
    arguments.add("--header", header)
    arguments.add("--source", source)
    for image in images:
        arguments.add(image.file, format = "{}:{}:%s".format(image.target, image.kind))
    ctx.actions.run(
        executable = ctx.executable._embed,
        arguments = [arguments],
        inputs = [image.file for image in images],
        outputs = [header, source],
        mnemonic = "CudaEmbed",
        progress_message = "Embedding the device code of %{label}",
    )

def _cuda_device_images_impl(ctx):
    error = targets_error(ctx.attr.targets, ctx.attr.ptx_targets)
    if error:
        fail("{}: {}".format(ctx.attr.library, error))

    cc_toolchain = find_cpp_toolchain(ctx)
    dependencies = [dependency[CcInfo] for dependency in ctx.attr.deps]
    context = cc_common.merge_cc_infos(cc_infos = dependencies).compilation_context
    common = _compiler_arguments(ctx, cc_toolchain, context)

    # By the order in which they are asked for.
    ptx_targets = {ptx_target_of(target): True for target in ctx.attr.targets}
    own_ptx_targets = [target for target in ctx.attr.ptx_targets if target not in ptx_targets]
    ptx_targets.update({target: True for target in own_ptx_targets})

    stamp = _check_requirements(ctx, ctx.attr.targets + own_ptx_targets)
    inputs = depset(
        [stamp] + ctx.files.srcs + ctx.files.hdrs,
        transitive = [
            cc_toolchain.all_files,
            context.headers,
            depset(ctx.files._ptx_compiler),
        ],
    )
    libnvvm = _libnvvm_for_nvlink(ctx) if len(ctx.files.srcs) > 1 else None

    stem = ctx.attr.stem
    ptx = {}
    for target in ptx_targets:
        ptx[target] = ctx.actions.declare_file("{}.{}.ptx".format(stem, target))
        number = target.removeprefix("compute_")
        if libnvvm:
            _linked_ptx(ctx, number, ptx[target], common, inputs, libnvvm)
        else:
            _whole_program_ptx(ctx, number, ptx[target], common, inputs)

    images = []
    for target in ctx.attr.targets:
        cubin = ctx.actions.declare_file("{}.{}.cubin".format(stem, target))
        _assemble(ctx, target, ptx[ptx_target_of(target)], cubin)
        images.append(struct(file = cubin, kind = "cubin", target = target))
    for target in ctx.attr.ptx_targets:
        images.append(struct(file = ptx[target], kind = "ptx", target = target))
    _embed(ctx, images)

    return [
        DefaultInfo(files = depset([image.file for image in images])),
        DeviceImagesInfo(images = images),
        OutputGroupInfo(
            cubin = depset([image.file for image in images if image.kind == "cubin"]),
            header = depset([ctx.outputs.header]),
            ptx = depset([image.file for image in images if image.kind == "ptx"]),
            source = depset([ctx.outputs.source]),
        ),
    ]

cuda_device_images = rule(
    implementation = _cuda_device_images_impl,
    doc = """CUDA C++ compiled for a list of targets.

The files are the images. Output groups: `cubin`, `ptx`, and the C++ code that
holds the images, `header` and `source`.
""",
    attrs = {
        "copts": attr.string_list(doc = "Options of nvcc."),
        "deps": attr.label_list(
            providers = [CcInfo],
            doc = "C++ libraries whose headers and defines device code uses. They are not linked.",
        ),
        "function": attr.string(mandatory = True, doc = "Name of the C++ function that gives the images."),
        "hdrs": attr.label_list(
            allow_files = True,
            doc = "Headers that the sources include.",
        ),
        "header": attr.output(mandatory = True, doc = "The C++ header."),
        "library": attr.string(mandatory = True, doc = "What messages call the library."),
        "line_info": attr.bool(doc = "Whether profilers can lead from machine code to source lines."),
        "local_defines": attr.string_list(doc = "Macros: NAME or NAME=VALUE."),
        "namespace": attr.string(mandatory = True, doc = "C++ namespace of the function."),
        "ptx_targets": attr.string_list(doc = "Targets of PTX, such as compute_90a."),
        "ptxas_opts": attr.string_list(doc = "Options of ptxas."),
        "source": attr.output(mandatory = True, doc = "The C++ source."),
        "srcs": attr.label_list(
            allow_empty = False,
            allow_files = [".cu", ".cu.cc"],
            mandatory = True,
            doc = "CUDA C++ sources.",
        ),
        "stem": attr.string(mandatory = True, doc = "What the names of images begin with."),
        "targets": attr.string_list(doc = "Targets of CUBINs, such as sm_90a."),
        "_check_requirements": attr.label(
            cfg = "exec",
            default = "//bazel/private/cuda:check_requirements",
            executable = True,
        ),
        "_embed": attr.label(
            cfg = "exec",
            default = "//bazel/private/cuda:embed_device_images",
            executable = True,
        ),
        "_libdevice": attr.label(allow_single_file = True, cfg = "exec", default = "@cuda//:libdevice"),
        "_libnvvm": attr.label(cfg = "exec", default = "@cuda//:libnvvm"),
        "_nvcc": attr.label(allow_single_file = True, cfg = "exec", default = "@cuda//:nvcc"),
        "_nvlink": attr.label(allow_single_file = True, cfg = "exec", default = "@cuda//:nvlink"),
        "_ptx_compiler": attr.label(cfg = "exec", default = "@cuda//:ptx_compiler"),
        "_ptxas": attr.label(allow_single_file = True, cfg = "exec", default = "@cuda//:ptxas"),
    },
    fragments = ["cpp"],
    provides = [DeviceImagesInfo],
    toolchains = use_cpp_toolchain(),
)
