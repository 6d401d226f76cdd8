# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Which lanes tests get, and what is said of wrong ones."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//bazel/private/testing:gpus.bzl", "short_gpu_name")

# buildifier: disable=bzl-visibility
load("//bazel/private/testing:lane.bzl", "lane_claim", "lane_error", "local_lane")

# buildifier: disable=bzl-visibility
load("//bazel/private/testing:local_gpu.bzl", "parse_gpus")

# buildifier: disable=bzl-visibility
load(
    "//bazel/private/testing:select_lanes.bzl",
    "declaration_error",
    "full_requirement",
    "select_lanes",
)

# buildifier: disable=bzl-visibility
load("//bazel/private/testing:waiver.bzl", "waiver_error")
load("//ci:lanes.bzl", "LANES")

_VERSIONS = {"cuda": "13.0", "cudnn": "9.13", "driver": "580", "nccl": "none"}

def _selected(requires, wanted = [], language = "cc", gpus = 0, memory = "", lanes = LANES):
    choices, error = select_lanes(
        lanes,
        full_requirement(requires, gpus, memory),
        wanted,
        language,
    )
    if error:
        fail(error)
    return choices

def _names(choices):
    return [choice.lane.name for choice in choices]

def _linux(choices):
    """Lanes on Linux x86-64 without sanitizers."""
    return [
        choice.lane.name
        for choice in choices
        if choice.lane.os == "linux" and choice.lane.arch == "x86_64" and not choice.lane.config
    ]

def _select_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["emulated-b200", "b200"],
        _linux(_selected("sm>=10.0 & sm<12.0")),
    )
    asserts.equals(env, ["b200"], _linux(_selected("gpu==b200 & hardware")))
    asserts.equals(env, ["h200"], _linux(_selected("sm==9.0a & memory>=100GiB & cudnn>=9.13")))
    asserts.equals(env, ["gb200"], _names(_selected("gpu==gb200 & gpus==1")))
    asserts.equals(env, [], _names(_selected("sm>=13.0")))
    asserts.equals(env, [], _names(_selected("cudnn>=9.14")))
    asserts.equals(env, [], _names(_selected("gpus>=9 & gpus<1000")))
    asserts.equals(env, ["windows-rtx5090"], _names(_selected("os==windows & sm>=12.0")))
    asserts.equals(env, ["h100x8"], _names(_selected("", ["h100x8"], gpus = 8)))
    asserts.equals(env, ["b200x8"], _names(_selected("hardware & gpus>=4", ["b200"])))
    asserts.equals(env, ["rtx5090"], _linux(_selected("sm>=12.0", ["hardware"])))
    asserts.true(env, "asan" in _names(_selected("sm>=9.0")))
    asserts.false(env, "asan" in _names(_selected("sm>=9.0", language = "py")))
    return unittest.end(env)

select_test = unittest.make(_select_test_impl)

def _default_test_impl(ctx):
    """Where no lane was chosen, a test runs on one emulated lane of each machine, at most."""
    env = unittest.begin(ctx)
    for requires, expected in {
        "": ["emulated-h100", "emulated-h100-arm64"],
        "hardware": [],
        "memory>=100GiB": ["emulated-b200", "emulated-b200-arm64"],
        "sm<9.0": ["emulated-a100", "emulated-a100-arm64"],
        "sm>=12.0": ["emulated-rtx5090", "emulated-rtx5090-arm64"],
    }.items():
        found = [choice.lane.name for choice in _selected(requires) if choice.default]
        asserts.equals(env, expected, found, requires)
    return unittest.end(env)

default_test = unittest.make(_default_test_impl)

def _gpus_test_impl(ctx):
    env = unittest.begin(ctx)
    emulated = _selected("", ["emulated-b200"], gpus = 4)[0]
    asserts.equals(env, 4, emulated.gpus)
    asserts.true(env, "gpus==4" in lane_claim(emulated.lane, emulated.gpus))
    asserts.equals(env, 1, _selected("sm>=9.0", ["emulated-b200"])[0].gpus)
    asserts.equals(env, 2, _selected("gpus in {2, 8}", ["emulated-b200"])[0].gpus)
    claim = lane_claim(_selected("hardware", ["h100"])[0].lane, 1)
    for part in ["gpu==h100 & sm==9.0 & gpus>=1 & memory>=", "hardware", "driver==580", "cudnn==9.13"]:
        asserts.true(env, part in claim, claim)
    return unittest.end(env)

gpus_test = unittest.make(_gpus_test_impl)

def _local_test_impl(ctx):
    env = unittest.begin(ctx)
    row = "NVIDIA H100 80GB HBM3, 9.0, 81559, 580.95.05\n"
    facts = parse_gpus(row + row)
    asserts.equals(env, ["h100", "2", "81559MiB", "9.0", "580.95.05"], [
        facts[key]
        for key in ["gpu", "gpus", "memory", "sm", "driver"]
    ])
    lanes = [local_lane(facts)]
    asserts.equals(env, ["local"], _names(_selected("sm>=9.0 & cudnn>=9.99", lanes = lanes)))
    asserts.equals(env, [], _names(_selected("sm>=10.0", lanes = lanes)))
    asserts.equals(env, 1, _selected("hardware", lanes = lanes)[0].gpus)
    for text in ["", "No devices were found\n", "a, b, c, d\n", row + "x\n"]:
        asserts.equals(env, None, parse_gpus(text))
    asserts.equals(env, "h100-pcie", short_gpu_name("NVIDIA H100 PCIe"))
    asserts.equals(env, "a100-40gb", short_gpu_name("NVIDIA A100-SXM4-40GB"))
    asserts.equals(env, "nvidia-titan-v", short_gpu_name("NVIDIA TITAN V"))

    # A GPU that has no lane of its own.
    titan = local_lane(parse_gpus("NVIDIA TITAN V, 7.0, 12066, 580.95.05"))
    asserts.true(env, lane_claim(titan, 1).startswith("sm==7.0 & "), lane_claim(titan, 1))
    return unittest.end(env)

local_test = unittest.make(_local_test_impl)

def _errors_test_impl(ctx):
    env = unittest.begin(ctx)

    def expect(part, error):
        asserts.true(env, error != None and part in error, "{}: {}".format(part, error))

    good = "why, who, 2027-01-31"
    asserts.equals(env, None, declaration_error(LANES, "sm>=9.0", ["h100"], {"b200": good}, ""))
    expect("\"h1000\" is no lane; lanes are a100, ", declaration_error(LANES, "", ["h1000"], {}, ""))
    expect("\"b2\" is no lane", declaration_error(LANES, "", [], {"b2": good}, ""))
    expect("\"soon\" is no waiver", declaration_error(LANES, "", [], {"b200": "soon"}, ""))
    expect("\"x\" is no waiver", declaration_error(LANES, "", [], {}, "x"))
    expect("no sm meets sm>=9.0 & sm<8.0", declaration_error(LANES, "sm>=9.0 & sm<8.0", [], {}, ""))
    expect("no gpus meets gpus==1 & gpus>=2", select_lanes(
        LANES,
        full_requirement("gpus==1", 2, ""),
        [],
        "cc",
    )[1])
    for text in ["", "a, b", "a, b, c", ", b, 2027-01-31", "a, , 2027-01-31", "a, b, 2027-13-01"]:
        expect("expected \"reason, owner, YYYY-MM-DD\"", waiver_error(text))
    asserts.equals(env, None, waiver_error("a, with commas, b, 2027-01-31"))

    asserts.equals(env, None, lane_error(name = "a-1", gpu = "h100", versions = _VERSIONS))
    expect("a name is made of a-z, 0-9 and -", lane_error(name = "H100"))
    expect("gpu is \"h1000\"; expected one of a100, ", lane_error(name = "a", gpu = "h1000"))
    expect("os is \"beos\"; expected one of linux", lane_error(name = "a", os = "beos"))
    expect("arch is \"x86\"", lane_error(name = "a", arch = "x86"))
    expect("cadence is \"hour\"", lane_error(name = "a", cadence = "hour"))
    expect("language is \"go\"", lane_error(name = "a", languages = ["go"]))
    expect("only Windows has driver modes", lane_error(name = "a", driver_mode = "tcc"))
    expect("gpus is 0; expected 1 to 1024", lane_error(name = "a", gpus = 0))
    expect("cuda is missing", lane_error(name = "a", gpu = "h100", versions = {"cuda": ""}))
    expect("cuda is given, which only", lane_error(name = "a", versions = {"cuda": "13.0"}))
    expect("cuda is \"new\", which is no version", lane_error(
        name = "a",
        gpu = "h100",
        versions = {"cuda": "new"},
    ))
    return unittest.end(env)

errors_test = unittest.make(_errors_test_impl)

def lanes_bzl_test_suite(name):
    """All tests of this file.

    Args:
        name: Name of the suite.
    """
    unittest.suite(name, select_test, default_test, gpus_test, local_test, errors_test)
