# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Where pip puts CUDA: the folders `nvidia/cu13` that NVIDIA's wheels share."""

from __future__ import annotations

import importlib.util
import os


def cuda_roots() -> list[str]:
    """The folders of CUDA 13 among the installed packages, in the order of `sys.path`.

    There is one where all wheels are in one site-packages, and one for each wheel where every
    wheel has a folder of its own, as under Bazel. `nvidia` is a namespace package and is found
    without being imported.
    """
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):  # a broken module of that name in sys.modules
        return []
    if spec is None or spec.submodule_search_locations is None:
        return []
    roots: list[str] = []
    for location in spec.submodule_search_locations:
        root = os.path.join(os.path.abspath(location), "cu13")
        if root not in roots and os.path.isdir(root):
            roots.append(root)
    return roots
