# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Which lanes can run a test, and with how many GPUs."""

load(":lane.bzl", "MOST_EMULATED_GPUS")
load(":requirement.bzl", "evaluate_requirement", "parse_requirement")
load(":waiver.bzl", "waiver_error")

def full_requirement(requires, gpus, memory):
    """All that a test declares about its machine, as one requirement.

    Args:
        requires: Text of a requirement, or "".
        gpus: The GPUs that it uses, 0 where it did not say.
        memory: The memory that it uses of each, "" where it did not say.

    Returns:
        Text of a requirement.
    """
    parts = [requires] if requires else []
    if gpus:
        parts.append("gpus>={}".format(gpus))
    if memory:
        parts.append("memory>=" + memory)
    if not gpus and "gpus" not in requires:
        parts.append("gpus>=1")
    return " & ".join(parts)

def _can_run(clauses, facts, gpus):
    evaluation, error = evaluate_requirement(clauses, facts | {"gpus": str(gpus)})
    if error:
        fail(error)
    return evaluation.verdict != "unmet"

def _fewest_gpus(clauses, facts, most):
    for gpus in range(1, most + 1):
        if _can_run(clauses, facts, gpus):
            return gpus
    return 0

def _gpus_on(lane, clauses):
    """How many GPUs a test gets on a lane, -1 where it cannot run there."""
    if not lane.gpu:
        return 0 if _can_run(clauses, lane.facts, 0) else -1
    if lane.emulated:
        return _fewest_gpus(clauses, lane.facts, MOST_EMULATED_GPUS) or -1
    if lane.name == "local":
        return _fewest_gpus(clauses, lane.facts, lane.gpus) or -1
    if not _can_run(clauses, lane.facts, lane.gpus):
        return -1

    # Machines with several GPUs are for tests that need several.
    if lane.gpus > 1 and _fewest_gpus(clauses, lane.facts, lane.gpus) == 1:
        return -1
    return lane.gpus

def _is_wanted(lane, wanted):
    return not wanted or any([
        lane.name in wanted,
        lane.gpu in wanted,
        lane.emulated and "emulated" in wanted,
        lane.gpu and not lane.emulated and "hardware" in wanted,
    ])

def lane_words(lanes):
    """What `lanes` and `xfail` of a test can name.

    Args:
        lanes: Structs of `lane`.

    Returns:
        A list of names of lanes, of GPUs, and of kinds of lanes.
    """
    names = {"local": True} | {lane.name: True for lane in lanes} | {lane.gpu: True for lane in lanes if lane.gpu}
    return sorted(names) + ["emulated", "hardware"]

def declaration_error(all_lanes, requires, lanes, xfail, no_lane):
    """What is wrong with what a test declares.

    Args:
        all_lanes: Structs of `lane`, all there are.
        requires: Text of a requirement, or "".
        lanes: Names of lanes, of GPUs or of kinds of lanes.
        xfail: A dict from such names to waivers.
        no_lane: A waiver, or "".

    Returns:
        A message; None when nothing is wrong.
    """
    words = lane_words(all_lanes)
    for word in lanes + xfail.keys():
        if word not in words:
            return "\"{}\" is no lane; lanes are {}".format(word, ", ".join(words))
    for text in xfail.values() + ([no_lane] if no_lane else []):
        error = waiver_error(text)
        if error:
            return error
    return parse_requirement(requires)[1] if requires else None

def select_lanes(lanes, requires, wanted, language):
    """The lanes that can run a test.

    Args:
        lanes: Structs of `lane`, all there are.
        requires: Text of the whole requirement.
        wanted: What `lanes` of the test names; empty for any.
        language: "cc" or "py".

    Returns:
        Structs with `lane`, `gpus` and `default`: whether it runs there where no lane was
        chosen. And None; or None and what is wrong with the requirement.
    """
    clauses, error = parse_requirement(requires)
    if error:
        return None, error
    selected = []
    best = {}
    for lane in lanes:
        if language not in lane.languages or not _is_wanted(lane, wanted):
            continue
        gpus = _gpus_on(lane, clauses)
        if gpus < 0:
            continue
        selected.append((lane, gpus))
        machine = (lane.os, lane.arch)
        if lane.default_rank:
            best[machine] = min(best.get(machine, lane.default_rank), lane.default_rank)
    return [
        struct(
            lane = lane,
            gpus = gpus,
            default = lane.default_rank and best[(lane.os, lane.arch)] == lane.default_rank,
        )
        for lane, gpus in selected
    ], None
