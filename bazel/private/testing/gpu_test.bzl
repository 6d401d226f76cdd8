# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Tests that are gated by hardware: one target for each lane that can run them."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@rules_cc//cc:defs.bzl", "cc_binary")
load("@rules_python//python:defs.bzl", "py_binary")
load(":driver.bzl", "EMULATED_DRIVER", "driver_environment")
load(":lane.bzl", "lane_claim")
load(":lane_test.bzl", "cc_lane_test", "py_lane_test")
load(":select_lanes.bzl", "declaration_error", "full_requirement", "select_lanes")

_CPU = {"arm64": "@platforms//cpu:arm64", "x86_64": "@platforms//cpu:x86_64"}
_OS = {
    "linux": "@platforms//os:linux",
    "macos": "@platforms//os:macos",
    "windows": "@platforms//os:windows",
}

def _compatible_with(package, choice):
    """Constraints that a lane's platform has and no other lane's.

    Where no lane was chosen, the machine itself is the platform: default lanes suit it.
    """
    lane = choice.lane
    if lane.name == "local":
        return select({
            package + ":no-lane": [],
            "//conditions:default": ["@platforms//:incompatible"],
        })
    machine = [_OS[lane.os], _CPU[lane.arch]]
    on_lane = ["{}:on-{}".format(package, lane.name)]
    if choice.default:
        return machine + select({
            package + ":no-lane": [],
            "//conditions:default": on_lane,
        })
    return machine + on_lane

def _expected_failure(lane, xfail):
    for word in [lane.name, lane.gpu, "emulated" if lane.emulated else "hardware"]:
        if word in xfail:
            return xfail[word]
    return ""

def _environment(choice, label, requires, memory, xfail):
    lane = choice.lane
    environment = driver_environment(lane, choice.gpus) | {
        "WARPYARD_LANE": lane.name,
        "WARPYARD_LANE_CLAIM": lane_claim(lane, choice.gpus),
        "WARPYARD_TEST_GPUS": str(choice.gpus),
        "WARPYARD_TEST_REQUIRES": requires,
        "WARPYARD_TEST_TARGET": label,
    }
    if memory:
        environment["WARPYARD_TEST_MEMORY"] = memory
    if xfail:
        environment["WARPYARD_TEST_XFAIL"] = xfail
    return environment

def _lane_targets(
        *,
        rule,
        name,
        binary,
        language,
        all_lanes,
        package,
        requires,
        lanes,
        xfail,
        shards,
        gpus,
        memory,
        no_lane,
        data,
        env,
        tags,
        visibility,
        **kwargs):
    whole = full_requirement(requires, gpus, memory)
    error = declaration_error(all_lanes, requires, lanes, xfail, no_lane)
    choices, whole_error = select_lanes(all_lanes, whole, lanes, language)
    if error or whole_error:
        fail("{} {}: {}".format(rule, name, error or whole_error))
    label = "//{}:{}".format(native.package_name(), name)
    for choice in choices:
        lane = choice.lane
        expected = _expected_failure(lane, xfail)
        lane_test = cc_lane_test if language == "cc" else py_lane_test
        lane_test(
            name = "{}.{}".format(name, lane.name),
            binary = binary,
            data = data,
            driver = EMULATED_DRIVER if lane.emulated else None,
            exec_properties = {"test.lane": lane.runner} if lane.runner and not lane.emulated else {},
            gpus = choice.gpus,
            lane = lane.name,
            memory = memory,
            requires = whole,
            shard_count = shards or None,
            suite = label,
            # An expected failure ends on a day, which a cached result does not know.
            tags = tags + ["gpu"] + (["external"] if expected else []),
            target_compatible_with = _compatible_with(package, choice),
            test_environment = env | _environment(choice, label, whole, memory, expected),
            visibility = visibility,
            xfail = expected,
            **kwargs
        )
    targets = ["{}.{}".format(name, choice.lane.name) for choice in choices]
    if not choices:
        _no_lane(name, label, whole, no_lane, tags, visibility)
        targets = [name + ".no-lane"]
    native.test_suite(
        name = name,
        tags = [tag for tag in tags if tag == "manual"],
        tests = [":" + target for target in targets],
        visibility = visibility,
    )

def _no_lane(name, label, requires, waiver, tags, visibility):
    """A test that says that the real one runs nowhere: it fails unless that is excused."""
    py_lane_test(
        name = name + ".no-lane",
        size = "small",
        binary = Label("//bazel/private/testing:no_lane"),
        requires = requires,
        suite = label,
        tags = tags + ["external"],
        test_environment = {
            "WARPYARD_TEST_REQUIRES": requires,
            "WARPYARD_TEST_TARGET": label,
            "WARPYARD_TEST_WAIVER": waiver,
        },
        visibility = visibility,
    )

def make_gpu_tests(all_lanes, package):
    """The macros for a list of lanes.

    Args:
        all_lanes: Structs of `lane`.
        package: Label text of the package where `lane_platforms` was called with them.

    Returns:
        A struct with `gpu_test` and `gpu_py_test`.
    """

    def gpu_test(
            name,
            srcs,
            deps = [],
            requires = "",
            lanes = [],
            xfail = {},
            shards = 0,
            gpus = 0,
            memory = "",
            no_lane = "",
            copts = [],
            linkopts = [],
            local_defines = [],
            data = [],
            env = {},
            tags = [],
            visibility = None,
            **kwargs):
        """A GoogleTest program that needs a GPU.

        For each lane that can run it there is a target NAME.LANE, and NAME is all of them.
        Its main function comes from `//cc/testing:main`.

        Args:
            name: Name of the suite.
            srcs: C++ sources.
            deps: Libraries; GoogleTest is there without being named.
            requires: What it needs of a machine: `"sm>=9.0 & cudnn>=9.13"`. That it needs a
                GPU goes without saying.
            lanes: Names of lanes or GPUs, "emulated" or "hardware", to run on these alone.
            xfail: For lanes where it is known to fail: `{"b200": "reason, owner, YYYY-MM-DD"}`.
            shards: In how many parts it runs.
            gpus: How many GPUs it uses.
            memory: How much memory of each GPU it uses at most: `"10GiB"`. Tests share a GPU as
                far as that allows; one that does not say has it alone.
            no_lane: Excuse for a test that no lane can run: "reason, owner, YYYY-MM-DD".
            copts: Options of the C++ compiler.
            linkopts: Options of the linker.
            local_defines: Defines of the C++ compiler.
            data: Files that it reads.
            env: Variables of its environment.
            tags: Tags of all targets.
            visibility: Of all targets.
            **kwargs: Others of a test: `args`, `size`, `timeout`, `flaky`.
        """
        cc_binary(
            name = name + ".bin",
            testonly = True,
            srcs = srcs,
            copts = copts,
            data = data,
            linkopts = linkopts,
            local_defines = local_defines,
            tags = ["manual"],
            visibility = ["//visibility:private"],
            deps = deps + [Label("//cc/testing:main")],
        )
        _lane_targets(
            rule = "gpu_test",
            name = name,
            all_lanes = all_lanes,
            binary = ":" + name + ".bin",
            data = data,
            env = env,
            gpus = gpus,
            lanes = lanes,
            language = "cc",
            memory = memory,
            no_lane = no_lane,
            package = package,
            requires = requires,
            shards = shards,
            tags = tags,
            visibility = visibility,
            xfail = xfail,
            **kwargs
        )

    def gpu_py_test(
            name,
            srcs,
            main = "",
            runner = "absltest",
            deps = [],
            requires = "",
            lanes = [],
            xfail = {},
            shards = 0,
            gpus = 0,
            memory = "",
            no_lane = "",
            imports = [],
            data = [],
            env = {},
            tags = [],
            visibility = None,
            **kwargs):
        """A Python test that needs a GPU.

        For each lane that can run it there is a target NAME.LANE, and NAME is all of them.

        Args:
            name: Name of the suite.
            srcs: Python sources.
            main: The source with the tests; the only one, or NAME.py, where it is not given.
            runner: "absltest" for a program that calls `absltest.main()` or `unittest.main()`,
                "pytest" for a file that pytest collects.
            deps: Libraries; `//python/warpyard/testing` is there without being named, absl or
                pytest is not.
            requires: As of `gpu_test`.
            lanes: As of `gpu_test`.
            xfail: As of `gpu_test`.
            shards: As of `gpu_test`.
            gpus: As of `gpu_test`.
            memory: As of `gpu_test`.
            no_lane: As of `gpu_test`.
            imports: Folders to import from.
            data: Files that it reads.
            env: Variables of its environment.
            tags: Tags of all targets.
            visibility: Of all targets.
            **kwargs: Others of a test: `args`, `size`, `timeout`, `flaky`.
        """
        if runner not in ["absltest", "pytest"]:
            fail("gpu_py_test {}: runner is \"{}\"; expected absltest or pytest".format(
                name,
                runner,
            ))
        source = main or (srcs[0] if len(srcs) == 1 else name + ".py")
        start = "_{}_start.py".format(name)
        write_file(
            name = name + ".start",
            out = start,
            content = [
                "from warpyard.testing import runner",
                "",
                "runner.main(\"{}\", __file__, \"{}\")".format(runner, source),
                "",
            ],
            tags = ["manual"],
            visibility = ["//visibility:private"],
        )
        py_binary(
            name = name + ".bin",
            testonly = True,
            srcs = srcs + [start],
            data = data,
            imports = imports,
            main = start,
            tags = ["manual"],
            visibility = ["//visibility:private"],
            deps = deps + [Label("//python/warpyard/testing")],
        )
        _lane_targets(
            rule = "gpu_py_test",
            name = name,
            all_lanes = all_lanes,
            binary = ":" + name + ".bin",
            data = data,
            env = env,
            gpus = gpus,
            lanes = lanes,
            language = "py",
            memory = memory,
            no_lane = no_lane,
            package = package,
            requires = requires,
            shards = shards,
            tags = tags,
            visibility = visibility,
            xfail = xfail,
            **kwargs
        )

    return struct(gpu_py_test = gpu_py_test, gpu_test = gpu_test)
