# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Where `import` starts from, for a module in a package."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# The function under test is private to the rules.
# buildifier: disable=bzl-visibility
load("//bazel/private:extension_binary.bzl", "import_root")

def _import_root_test_impl(ctx):
    env = unittest.begin(ctx)
    for module, package, expected in [
        ("probe", "", "."),
        ("probe", "tests/rules", "."),
        ("a._b", "python/a", ".."),
        ("a.b._c", "python/a/b", "../.."),
        ("a.b._c", "a/b", "../.."),
        ("a._b", "", None),
        ("a._b", "python/b", None),
        ("a.b._c", "b", None),
        ("a.b._c", "python/b/a", None),
    ]:
        asserts.equals(env, expected, import_root(module, package), module + " in " + package)
    return unittest.end(env)

_import_root_test = unittest.make(_import_root_test_impl)

def import_root_test_suite(name):
    unittest.suite(name, _import_root_test)
