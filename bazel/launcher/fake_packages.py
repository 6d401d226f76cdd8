# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Stand-ins for apt and dpkg-deb, whose packages hold just enough to assemble a Bazel from.

They behave as told by files in their folder, so that a test can change its mind: `version` (of
Bazel in the archive), `hang` and `fail` (a step to hang or fail in: update, install, download or
extract). Each step is appended to `log`; the process ids of hanging ones go to `pids`.
"""

from __future__ import annotations

from pathlib import Path

_STEP = """
here=$(dirname "$0")
step() {
  echo "$1" >>"$here/log"
  if [ "$(cat "$here/fail" 2>/dev/null)" = "$1" ]; then
    echo "E: no $1 today" >&2
    exit 100
  fi
  if [ "$(cat "$here/hang" 2>/dev/null)" = "$1" ]; then
    sleep 600 &
    echo "$$ $!" >>"$here/pids"
    wait
  fi
}
"""

_APT_GET = """#!/bin/sh
%s
shift 2
case $1 in
  update) step update ;;
  install)
    step install
    version=$(cat "$here/version")
    for name in bazel-bootstrap openjdk-25-jre-headless gcc-16; do
      echo "'http://m/$name' ${name}_${version}_amd64.deb 100 SHA256:0"
    done
    ;;
  download)
    shift
    for name; do
      name=${name%%%%[=/]*}
      echo "$name" >"${name}_1_amd64.deb"
    done
    step download
    ;;
esac
"""

_APT_CACHE = """#!/bin/sh
echo "Version: $(cat "$(dirname "$0")/version")"
"""

_APT_CONFIG = """#!/bin/sh
echo "list='$(dirname "$0")/sources.list'"
echo "parts='$(dirname "$0")/sources.list.d'"
"""

_BAZEL = """#!/bin/sh
for argument; do
  [ "$argument" = release ] && { echo "release $(cat "$(dirname "$0")/version")"; exit; }
done
echo "bazel $(cat "$(dirname "$0")/version")"
"""

_DPKG_DEB = """#!/bin/sh
%s
name=$(cat "$2")
to=$3
put() {
  mkdir -p "$to/$(dirname "$1")"
  cat >"$to/$1"
}
case $name in
  bazel-bootstrap)
    cp "$here/fake-bazel" "$here/unpacked-bazel"
    mkdir -p "$to/usr/bin" "$to/usr/share/bazel"
    cp "$here/fake-bazel" "$to/usr/bin/bazel"
    cp "$here/version" "$to/usr/bin/version"
    : | put usr/share/bazel/bazel_classpath_debian_depends.txt
    for module in bazel_features bazel_skylib platforms rules_cc rules_java rules_license \\
      rules_proto rules_python; do
      echo "module(name = \\"$module\\")" | put "usr/share/bazel/rules/$module/MODULE.bazel"
    done
    step extract
    ;;
  openjdk-*)
    : | put usr/lib/jvm/java-25/bin/java
    : | put usr/lib/jvm/java-25/lib/security/cacerts
    ;;
  googletest) echo source | put usr/src/googletest/googletest/src/gtest.cc ;;
  *) echo "unexpected package $name" >&2; exit 1 ;;
esac
"""


def write(folder: Path, version: str = "7.7.1+ds-8") -> None:
    """Writes the stand-ins into `folder`, for the front of PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("apt-get", _APT_GET % _STEP),
        ("apt-cache", _APT_CACHE),
        ("apt-config", _APT_CONFIG),
        ("dpkg-deb", _DPKG_DEB % _STEP),
        ("fake-bazel", _BAZEL),
    ):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "version").write_text(f"{version}\n")
    (folder / "sources.list").write_text(
        "deb [signed-by=/debian-archive] http://m/debian sid main\n"
    )


def steps(folder: Path) -> list[str]:
    """Returns the steps that were asked of the stand-ins, in order."""
    log = folder / "log"
    return log.read_text().split() if log.exists() else []
