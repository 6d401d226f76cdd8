# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Chooses the Bazel to run: the one the user names, one on PATH, or one assembled here."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

from bazel.launcher import probe
from bazel.launcher.errors import LauncherError, Unavailable

OVERRIDE = "WARPYARD_BAZEL"

# Found beside a Bazel that Debian's package installed.
_DEBIAN_MARK = "share/bazel/bazel_classpath_debian_depends.txt"


@dataclasses.dataclass(frozen=True)
class Request:
    """What is asked for, and what the shell found on PATH.

    Attributes:
        root: the workspace.
        version: version of Bazel that .bazelversion names.
        override: value of $WARPYARD_BAZEL; empty where unset.
        on_path: first program on PATH for each of "bazelisk" and "bazel", in that order; empty
            where there is none.
    """

    root: Path
    version: str
    override: str
    on_path: dict[str, str]


def _check_override(request: Request) -> str:
    """Returns the path of the program that $WARPYARD_BAZEL names.

    Raises:
        LauncherError: it is not there, or gives another version.
    """
    name = request.override
    advice = f"set {OVERRIDE} to Bazel {request.version}, or unset it"
    path = _which(name)
    if not path:
        raise LauncherError(f"{OVERRIDE}={name} is not a program that can be run; {advice}")
    try:
        found = probe.version_of(path, request.root)
    except Unavailable as error:
        raise LauncherError(f"{OVERRIDE}={name}: {error}; {advice}") from error
    if found != request.version:
        raise LauncherError(
            f"{OVERRIDE}={name} is Bazel {found}, but .bazelversion asks for {request.version}; "
            f"{advice}"
        )
    return path


def _which(name: str) -> str:
    """Returns the absolute path of a program named by path or found on PATH; empty if none."""
    folders = [""] if "/" in name else os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in folders:
        path = os.path.abspath(os.path.join(folder, name))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def _check_on_path(path: str, request: Request) -> None:
    """Raises Unavailable, with the reason, unless a program on PATH gives the wanted Bazel."""
    resolved = os.path.realpath(path)
    if resolved == os.path.realpath(request.root / "bazelw"):
        raise Unavailable("is this launcher itself")
    if (Path(resolved).parent.parent / _DEBIAN_MARK).is_file():
        # It runs, but without a registry it lacks modules; the assembled one brings them.
        raise Unavailable("is Debian's own, which does not bring all modules that are needed")
    found = probe.version_of(path, request.root)
    if found != request.version:
        raise Unavailable(f"is Bazel {found}")


def choose(request: Request, assemble: Callable[[], Path]) -> str:
    """Returns the path of the program to run.

    Args:
        request: what is asked for.
        assemble: assembles a Bazel, where nothing else works; raises Unavailable where it cannot.

    Raises:
        LauncherError: nothing works; the message says what was tried and what to install.
    """
    if request.override:
        return _check_override(request)
    tried = [f"${OVERRIDE}: not set"]
    asked: dict[str, str] = {}
    for name, path in request.on_path.items():
        if not path:
            tried.append(f"{name} on PATH: none")
            continue
        # bazelisk is often installed under both names; once is enough to wait for it.
        first = asked.setdefault(os.path.realpath(path), name)
        if first != name:
            tried.append(f"{name} on PATH ({path}): is the same program as {first}")
            continue
        try:
            _check_on_path(path, request)
            return os.path.abspath(path)
        except Unavailable as error:
            tried.append(f"{name} on PATH ({path}): {error}")
    try:
        return str(assemble())
    except Unavailable as error:
        tried.append(f"Debian packages: {error}")
    raise LauncherError(
        f"cannot get Bazel {request.version}. Tried:\n"
        + "".join(f"  - {line}\n" for line in tried)
        + f"Install bazelisk (https://github.com/bazelbuild/bazelisk) where it can reach Bazel's "
        f"releases,\nor Bazel {request.version} (https://bazel.build/install) and set {OVERRIDE} "
        f"to it."
    )
