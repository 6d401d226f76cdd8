"""Distributions unpacked under a BUILD file of ours."""

load(":fetch.bzl", "fetch")

def _overlay_repository_impl(rctx):
    fetch(
        rctx,
        rctx.attr.packages,
        drop_build_files = bool(rctx.attr.build_file),
        sdist = rctx.attr.sdist,
        strip_prefix = rctx.attr.strip_prefix,
    )
    rctx.file("REPO.bazel", "")
    if rctx.attr.build_file:
        rctx.symlink(rctx.attr.build_file, "BUILD.bazel")
    for patch in rctx.attr.patches:
        rctx.patch(patch, strip = 1)

overlay_repository = repository_rule(
    implementation = _overlay_repository_impl,
    doc = "Unpacks pinned distributions into one tree.",
    attrs = {
        "build_file": attr.label(allow_single_file = True, doc = "BUILD file for the root."),
        "lock": attr.label(mandatory = True, allow_single_file = True, doc = "The lock file."),
        "packages": attr.string_list(mandatory = True, doc = "Names in the lock file."),
        "patches": attr.label_list(allow_files = [".patch"], doc = "Patches, made with `diff -ru a b`."),
        "sdist": attr.bool(doc = "Take source distributions instead of wheels."),
        "strip_prefix": attr.string(doc = "The folder of each archive that becomes the root."),
    },
)
