# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The part of ./bazelw that finds a Bazel; ./bazelw itself runs the one found last time.

Its arguments are what the shell knows, as NAME=VALUE, then "--" and the arguments for Bazel.
"""

from __future__ import annotations

import contextlib
import os
import sys

# Bazel's own code for "the machine's fault, and likely to stay so".
_EXIT_ENVIRONMENT = 36
_OLDEST_PYTHON = (3, 10)


def _fail(message: str) -> int:
    sys.stderr.write("bazelw: " + message + "\n")
    return _EXIT_ENVIRONMENT


def main(arguments: "list[str]") -> int:
    """Chooses a Bazel and becomes it; returns an exit code where it cannot."""
    if sys.version_info < _OLDEST_PYTHON:
        return _fail(
            "Python 3.10 or later is needed to find Bazel, and this is %s (%s); "
            "name another with WARPYARD_PYTHON" % (sys.version.split()[0], sys.executable)
        )
    split = arguments.index("--")
    values = dict(argument.split("=", 1) for argument in arguments[:split])
    sys.path.insert(0, values["root"])
    # The workspace is on the path only from here, and old Pythons cannot read these.
    from pathlib import Path

    from bazel.launcher import answer, assembly, discovery, processes
    from bazel.launcher.errors import Interrupted, LauncherError
    from bazel.launcher.progress import Progress

    request = discovery.Request(
        root=Path(os.path.abspath(values["root"])),
        version=values["version"],
        override=values["override"],
        on_path={name: values[name] for name in ("bazelisk", "bazel")},
    )
    cache = Path(os.path.abspath(values["cache"]))
    prefix = cache / f"debian-{request.version}-r{values['recipe']}"
    overlay = request.root / "third_party" / "googletest"
    try:
        with processes.interruptible():
            program = discovery.choose(
                request,
                lambda: assembly.ensure(prefix, request.version, overlay, Progress()),
            )
    except LauncherError as error:
        return _fail(str(error))
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return _fail(f"cannot set up Bazel {request.version}: {error.strerror or error}{where}")
    except Interrupted as error:
        sys.stderr.write("bazelw: interrupted; nothing was left behind\n")
        return 128 + error.signal_number
    # A cache that cannot be written costs time on the next call, nothing else.
    with contextlib.suppress(OSError):
        answer.remember(cache / "answers", values["key"], program)
    sys.stdout.flush()
    os.execv(program, [program, *arguments[split + 1 :]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
