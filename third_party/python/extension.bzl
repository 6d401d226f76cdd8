"""The machine's Python as a toolchain, with its headers."""

load(":interpreter.bzl", "find_python")

_OLDEST = (3, 10)
_NEWEST = (3, 14)

_BUILD = """\
load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_python//python:defs.bzl", "py_runtime", "py_runtime_pair")

package(default_visibility = ["//visibility:public"])

py_runtime(
    name = "runtime",
    interpreter_path = "{executable}",
    python_version = "PY3",
    stub_shebang = "#!{executable}",
)

py_runtime_pair(
    name = "runtime_pair",
    py3_runtime = ":runtime",
)

toolchain(
    name = "toolchain",
    toolchain = ":runtime_pair",
    toolchain_type = "@bazel_tools//tools/python:toolchain_type",
)

# Python.h and what it includes.
cc_library(
    name = "headers",
    hdrs = glob(["include/**/*.h"], allow_empty = True),
    includes = ["include"],
)
"""

_VERSION = '''\
"""The Python that was found."""

PYTHON_VERSION = "{version}"

# What its extension modules end in, when they are for this version alone.
EXTENSION_SUFFIX = "{extension_suffix}"
'''

def _host_python_repository_impl(rctx):
    python = find_python(rctx)
    done = rctx.execute([python, "-I", rctx.path(Label("//third_party/python:describe.py"))])
    if done.return_code != 0:
        fail("{} does not run: {}".format(python, done.stderr.strip()))
    found = json.decode(done.stdout)
    version = (found["major"], found["minor"])
    if found["implementation"] != "cpython" or version < _OLDEST or version > _NEWEST:
        fail("{} is {} {}.{}; Warpyard needs CPython 3.10 to 3.14. ".format(
            python,
            found["implementation"],
            found["major"],
            found["minor"],
        ) + "Name one with WARPYARD_PYTHON.")
    include = rctx.path(found["include"])
    if not include.get_child("Python.h").exists:
        fail("{} has no headers: {}/Python.h is missing. ".format(python, include) +
             "Install them (Debian and Ubuntu: python3-dev), or name another Python with WARPYARD_PYTHON.")
    rctx.symlink(include, "include")
    rctx.file("BUILD.bazel", _BUILD.format(executable = found["executable"]))
    rctx.file("version.bzl", _VERSION.format(
        extension_suffix = found["extension_suffix"],
        version = "{}.{}".format(*version),
    ))

host_python_repository = repository_rule(
    implementation = _host_python_repository_impl,
    doc = "Describes the machine's Python.",
    configure = True,
    local = True,
)

host_python = module_extension(
    implementation = lambda module_ctx: host_python_repository(name = "host_python"),
    doc = "Makes the machine's Python available as `@host_python`.",
)
