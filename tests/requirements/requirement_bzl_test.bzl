# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Starlark's reading of requirements, held against the table of cases."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load(
    "//bazel/private/testing:requirement.bzl",
    "evaluate_requirement",
    "evaluation_text",
    "parse_requirement",
    "requirement_text",
)
load(":cases.bzl", "CASES", "TARGETS")

def _outcome(text, facts):
    clauses, error = parse_requirement(text)
    if error:
        return error
    if facts == "error":
        return "it is a requirement"
    if facts == "targets":
        met = [
            target
            for target in TARGETS.split(" ")
            if evaluate_requirement(clauses, {"target": target})[0].verdict == "met"
        ]
        return " ".join(met) or "none"
    known = {}
    for fact in facts.split(" "):
        key, _, value = fact.partition("=")
        known[key] = value
    evaluation, error = evaluate_requirement(clauses, known)
    return "error: " + error if error else evaluation_text(evaluation)

def _cases_test_impl(ctx):
    env = unittest.begin(ctx)
    count = 0
    for line in CASES.split("\n"):
        if not line or line.startswith("#"):
            continue
        count += 1
        text, facts, expected = [cell.strip() for cell in line.rsplit(" | ", 2)]
        outcome = _outcome(text, facts)
        if facts == "error":
            start = "requirement \"{}\": ".format(text)
            asserts.true(env, outcome.startswith(start), line + " gives " + outcome)
            asserts.true(env, expected in outcome, line + " gives " + outcome)
        elif expected.startswith("error:"):
            asserts.true(env, outcome.startswith(expected), line + " gives " + outcome)
        else:
            asserts.equals(env, expected, outcome, line)
        if facts != "error":
            printed = requirement_text(parse_requirement(text)[0])
            asserts.equals(env, printed, requirement_text(parse_requirement(printed)[0]), line)
    asserts.true(env, count > 200, "{} cases".format(count))
    return unittest.end(env)

requirement_bzl_test = unittest.make(_cases_test_impl)
