"""buildifier, the formatter of Bazel files, from npm's registry."""

load("//third_party/python:interpreter.bzl", "find_python")

_PACKAGE = "@bazel/buildifier"
_VERSION = "8.2.1"
_SHA256 = "b96ea9b13003036c801f52bee6f9b0314738f8432e5cb9d814c89f59292604ee"

_ARCHITECTURES = {
    "aarch64": "arm64",
    "amd64": "amd64",
    "arm64": "arm64",
    "x86_64": "amd64",
}

def _buildifier_repository_impl(rctx):
    system = rctx.os.name.lower()
    architecture = _ARCHITECTURES.get(rctx.os.arch, rctx.os.arch)
    if system.startswith("windows"):
        member = "buildifier-windows_{}.exe".format(architecture)
    elif system.startswith("mac"):
        member = "buildifier-darwin_{}".format(architecture)
    else:
        member = "buildifier-linux_{}".format(architecture)
    script = rctx.path(Label("//third_party/buildifier:fetch.py"))
    done = rctx.execute([find_python(rctx), "-I", "-B", script, _PACKAGE, _VERSION, _SHA256, member])
    if done.return_code != 0:
        fail("\n" + done.stderr.strip())
    rctx.file("BUILD.bazel", """\
# The program, or a file that says why it is not there.
filegroup(
    name = "buildifier",
    srcs = glob(["bin/*"]),
    visibility = ["//visibility:public"],
)
""")

buildifier_repository = repository_rule(
    implementation = _buildifier_repository_impl,
    doc = "buildifier's program for this machine.",
)

buildifier = module_extension(
    implementation = lambda module_ctx: buildifier_repository(name = "buildifier"),
    doc = "Makes buildifier available as `@buildifier`.",
)
