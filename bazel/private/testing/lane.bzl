# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""A lane: a place where tests run."""

load(":gpus.bzl", "GPUS")
load(":requirement.bzl", "GPU_NAMES", "parse_requirement")

_ARCHITECTURES = ["arm64", "x86_64"]
_SYSTEMS = ["linux", "macos", "windows"]
_CADENCES = ["change", "day", "week"]
_DRIVER_MODES = ["", "mcdm", "tcc", "wddm"]

# What the emulated driver poses as; several GPUs at once, as many as a test asks for.
_EMULATED = {"cuda": "13.5", "cudnn": "none", "driver": "580", "nccl": "none"}
MOST_EMULATED_GPUS = 8

_NO_GPU = {
    "cuda": "none",
    "cudnn": "none",
    "driver": "none",
    "gpu": "none",
    "gpus": "0",
    "hardware": "none",
    "memory": "none",
    "nccl": "none",
    "sm": "none",
}

def _facts(gpu, gpus, emulated, os, versions):
    if not gpu:
        return _NO_GPU | {"os": os}
    known = GPUS[gpu]
    return {
        "cuda": versions["cuda"],
        "cudnn": versions["cudnn"],
        "driver": versions["driver"],
        "gpu": gpu,
        "gpus": str(gpus),
        "hardware": "no" if emulated else "yes",
        "memory": known.memory if emulated else known.reported,
        "nccl": versions["nccl"],
        "os": os,
        "sm": known.sm,
    }

def _choice_error(what, value, known):
    if value in known:
        return None
    return "{} is \"{}\"; expected one of {}".format(
        what,
        value,
        ", ".join([item for item in known if item]),
    )

def lane_error(
        *,
        name,
        gpu = "",
        gpus = 1,
        emulated = False,
        os = "linux",
        arch = "x86_64",
        versions = {},
        driver_mode = "",
        languages = [],
        cadence = "change"):
    """What is wrong with a lane.

    Args:
        name: As of `lane`.
        gpu: As of `lane`.
        gpus: As of `lane`.
        emulated: As of `lane`.
        os: As of `lane`.
        arch: As of `lane`.
        versions: Of cuda, cudnn, driver and nccl.
        driver_mode: As of `lane`.
        languages: As of `lane`.
        cadence: As of `lane`.

    Returns:
        A message; None when nothing is wrong.
    """
    if not name or name != name.lower() or name.strip("abcdefghijklmnopqrstuvwxyz0123456789-"):
        return "a name is made of a-z, 0-9 and -"
    errors = [
        _choice_error("os", os, _SYSTEMS),
        _choice_error("arch", arch, _ARCHITECTURES),
        _choice_error("cadence", cadence, _CADENCES),
        _choice_error("driver_mode", driver_mode, _DRIVER_MODES),
        _choice_error("gpu", gpu, [""] + sorted(GPUS)),
    ] + [_choice_error("language", language, ["cc", "py"]) for language in languages]
    if driver_mode and os != "windows":
        errors.append("only Windows has driver modes")
    if gpus not in range(1, 1025):
        errors.append("gpus is {}; expected 1 to 1024".format(gpus))
    for key, value in versions.items():
        if bool(gpu and not emulated) != bool(value):
            errors.append("{} is {}".format(
                key,
                "given, which only a lane with real GPUs has" if value else "missing",
            ))
        elif value and value != "none":
            if parse_requirement("{}=={}".format(key, value))[1]:
                errors.append("{} is \"{}\", which is no version".format(key, value))
    errors = [error for error in errors if error]
    return errors[0] if errors else None

def lane(
        name,
        *,
        gpu = "",
        gpus = 1,
        emulated = False,
        os = "linux",
        arch = "x86_64",
        cuda = "",
        cudnn = "",
        driver = "",
        nccl = "",
        driver_mode = "",
        config = "",
        languages = ["cc", "py"],
        default_rank = 0,
        runner = "",
        cadence = "change"):
    """Describes a place where tests run.

    Args:
        name: In lower case, such as "h100x8".
        gpu: Name of a GPU; "" where there is none.
        gpus: How many. A machine with emulated ones has as many as a test asks for.
        emulated: Whether the GPUs are Warpyard's emulated driver.
        os: Of the machine.
        arch: "x86_64" or "arm64".
        cuda: Version of CUDA that the driver brings; given for real GPUs.
        cudnn: Version of cuDNN that is installed, or "none".
        driver: Version of the driver.
        nccl: Version of NCCL, or "none".
        driver_mode: On Windows "wddm", "mcdm" or "tcc".
        config: A `--config` of .bazelrc that belongs to it, such as "asan".
        languages: Of which tests there are targets: "cc", "py".
        default_rank: Above 0: where no lane was chosen, a test runs on the lane with the lowest
            rank that it can run on.
        runner: Label of the machines in CI.
        cadence: How often CI runs it: on each "change", each "day" or each "week".

    Returns:
        A struct for `LANES`.
    """
    versions = {"cuda": cuda, "cudnn": cudnn, "driver": driver, "nccl": nccl}
    error = lane_error(
        name = name,
        gpu = gpu,
        gpus = gpus,
        emulated = emulated,
        os = os,
        arch = arch,
        versions = versions,
        driver_mode = driver_mode,
        languages = languages,
        cadence = cadence,
    )
    if error:
        fail("lane {}: {}".format(name, error))
    return struct(
        name = name,
        gpu = gpu,
        gpus = gpus if gpu else 0,
        emulated = emulated,
        os = os,
        arch = arch,
        driver_mode = driver_mode,
        config = config,
        languages = languages,
        default_rank = default_rank,
        runner = runner,
        cadence = cadence,
        facts = _facts(gpu, gpus, emulated, os, _EMULATED if emulated else versions),
    )

def local_lane(facts):
    """The GPUs of the machine that builds, where tests run when no lane was chosen.

    Args:
        facts: What `parse_gpus` gave: `driver`, `gpu`, `gpus`, `memory` and `sm`.

    Returns:
        A struct like those of `lane`.
    """
    return struct(
        name = "local",
        gpu = facts["gpu"],
        gpus = int(facts["gpus"]),
        emulated = False,
        os = "",
        arch = "",
        driver_mode = "",
        config = "",
        languages = ["cc", "py"],
        default_rank = 0,
        runner = "",
        cadence = "",
        # What is not asked when Bazel starts is asked when the test does.
        facts = {"cuda": "?", "cudnn": "?", "hardware": "yes", "nccl": "?", "os": "?"} | facts,
    )

def check_lanes(lanes):
    """Fails where two lanes have one name.

    Args:
        lanes: Structs of `lane`.

    Returns:
        The same list.
    """
    names = {}
    for one in lanes:
        if one.name in names:
            fail("lane {}: there are two of that name".format(one.name))
        names[one.name] = True
    return lanes

def lane_claim(lane, gpus):
    """What a lane promises of its machine, as a requirement that the machine is held against.

    Args:
        lane: A struct of `lane`.
        gpus: How many GPUs are promised.

    Returns:
        A requirement; "" where nothing can be held against the machine.
    """
    facts = lane.facts
    if not lane.gpu:
        return "os==" + lane.os
    clauses = [
        "sm==" + facts["sm"],
        "gpus{}{}".format("==" if lane.emulated else ">=", gpus),
        "memory>={}MiB".format(_claimed_mib(facts["memory"])),
    ]
    if lane.gpu in GPU_NAMES:
        clauses.insert(0, "gpu==" + lane.gpu)
    if lane.os:
        clauses.append("os==" + lane.os)
    if not lane.emulated:
        clauses.append("hardware")
    for key in ["driver", "cuda", "cudnn", "nccl"]:
        if facts[key] not in ["none", "?"]:
            clauses.append("{}=={}".format(key, facts[key]))
    return " & ".join(clauses)

def _claimed_mib(memory):
    """A little less than is there, as drivers differ in what they keep to themselves."""
    number, unit = int(memory[:-3]), memory[-3:]
    return (number * 1024 if unit == "GiB" else number) * 95 // 100
