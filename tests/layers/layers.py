# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Finds uses of a layer of cc/ by a layer that stands below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

_INCLUDE = re.compile(r'^\s*#\s*include\s*"cc/(\w+)/', re.MULTILINE)
_LABEL = re.compile(r'"(?:@warpyard|@@)?//cc/(\w+)[:/"]')


def uses(path: PurePosixPath, text: str) -> Iterator[str]:
    """The layers that a file names, in includes or in labels."""
    if path.name in ("BUILD", "BUILD.bazel"):
        # Who may see a target is not a use of it.
        text = re.sub(r"visibility = \[[^\]]*\]", "", text)
        pattern = _LABEL
    else:
        pattern = _INCLUDE
    yield from sorted(set(pattern.findall(text)))


def violations(files: Iterable[tuple[str, str]], layers: list[str]) -> list[str]:
    """What is wrong in `files`, pairs of a path from the root and its text."""
    height = {layer: index for index, layer in enumerate(layers)}
    found = []
    for name, text in files:
        path = PurePosixPath(name)
        layer = path.parts[1]
        if layer not in height:
            found.append(f"{name}: {layer} is not a layer of cc/layers.bzl")
            continue
        for used in uses(path, text):
            if used not in height:
                found.append(f"{name}: uses cc/{used}, which is not a layer of cc/layers.bzl")
            elif height[used] > height[layer]:
                found.append(f"{name}: cc/{layer} may not use cc/{used}, which stands above it")
    return found
