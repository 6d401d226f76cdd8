# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Makes Debian packages that are unpacked into a folder run from there.

The packages expect to lie at the root of the file system, on their own distribution. Each function
mends one way in which that shows. `Prefix.at` is where the files are now, `Prefix.final` where they
will be when they run: a prefix is made under another name and renamed once it is whole.
"""

from __future__ import annotations

import dataclasses
import os
import re
import zipfile
from pathlib import Path

from bazel.launcher import elf, truststore
from bazel.launcher.errors import LauncherError
from bazel.launcher.host import Host

_CLASS_PATH_FILE = "usr/share/bazel/bazel_classpath_debian_depends.txt"
_CLASS_PATH = re.compile(r"^Class-Path: (.*)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Prefix:
    """A folder that stands for the root of the packages' file system.

    Attributes:
        at: the folder as it is named now.
        final: the folder as it will be named.
    """

    at: Path
    final: Path

    def moved(self, path: Path) -> Path:
        """Returns the final name of a path below the folder."""
        return self.final / path.relative_to(self.at)

    def java_home(self) -> Path:
        """Returns the folder of the Java run time, as it is named now.

        Raises:
            LauncherError: there is not exactly one.
        """
        homes = [java.parent.parent for java in self.at.glob("usr/lib/jvm/*/bin/java")]
        homes = sorted({home for home in homes if not home.is_symlink()})
        if len(homes) != 1:
            raise LauncherError(f"expected one Java run time in the packages, found {len(homes)}")
        return homes[0]


def reroot_links(prefix: Prefix) -> None:
    """Makes absolute symbolic links point below the folder, wherever it will be."""
    for parent, folders, files in os.walk(prefix.at):
        for name in folders + files:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                continue
            target = os.readlink(path)
            if target.startswith("/"):
                os.unlink(path)
                os.symlink(os.path.relpath(f"{prefix.at}{target}", parent), path)


def relocate_programs(prefix: Prefix, host: Host) -> None:
    """Makes Bazel's client, its helpers and Java start with the packages' own C library."""
    libraries = prefix.final / "usr/lib" / host.multiarch
    java = prefix.java_home()
    java_path = ":".join(str(prefix.moved(java) / part) for part in ("lib", "lib/server"))
    candidates = [prefix.at / "usr/bin/bazel"]
    candidates += sorted(prefix.at.glob("usr/libexec/*/bazel/*"))
    candidates += sorted(java.glob("bin/*")) + sorted(java.glob("lib/*"))
    for path in candidates:
        if path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        if elf.interpreter(data) is None:
            continue
        search = f"{libraries}:{java_path}" if java in path.parents else str(libraries)
        try:
            relocated = elf.relocate(data, str(libraries / host.loader), search)
        except LauncherError as error:
            raise LauncherError(f"{path.relative_to(prefix.at)}: {error}") from error
        path.write_bytes(relocated)


def _manifest_class_path(jar: Path) -> list[str]:
    """Returns the jars that a jar's manifest asks for, as written there."""
    try:
        with zipfile.ZipFile(jar) as archive:
            manifest = archive.read("META-INF/MANIFEST.MF").decode("utf-8", errors="replace")
    except (KeyError, zipfile.BadZipFile):
        return []
    # A line longer than 72 bytes goes on in the next, after a blank.
    manifest = manifest.replace("\r\n", "\n").replace("\n ", "")
    return [name for names in _CLASS_PATH.findall(manifest) for name in names.split()]


def class_path(prefix: Prefix, names: list[str]) -> list[Path]:
    """Returns the jars that are there, of those named and those that these ask for in turn.

    Bazel's server is started with a plain list of jars, relocated; Java would look for what their
    manifests name at the root of the file system. Some are named that no package has: Bazel does
    without them on Debian too.

    Args:
        prefix: the folder.
        names: absolute paths of jars, as if the folder were the root.
    """
    jars: dict[Path, None] = {}
    pending = [Path(f"{prefix.at}{name}") for name in names]
    while pending:
        jar = pending.pop(0)
        if jar in jars or not jar.is_file():
            continue
        jars[jar] = None
        for name in _manifest_class_path(jar):
            if name.startswith("/"):
                pending.append(Path(f"{prefix.at}{name}"))
            else:
                pending.append(jar.parent / name)
    return list(jars)


def write_build_label(folder: Path, version: str) -> Path:
    """Writes a jar that tells Bazel its own version, and returns it.

    Debian's build leaves it out, so Bazel would call itself a development version, and rules that
    ask which Bazel they run on would act differently from the released one.
    """
    jar = folder / "build-data.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr(zipfile.ZipInfo("build-data.properties"), f"build.label={version}\n")
    return jar


def relocate_class_path(prefix: Prefix, extra: Path) -> None:
    """Rewrites the list of jars that Bazel's client starts its server with.

    Args:
        prefix: the folder.
        extra: a jar to append.
    """
    file = prefix.at / _CLASS_PATH_FILE
    if not file.is_file():
        raise LauncherError(f"Debian's Bazel has no {_CLASS_PATH_FILE}")
    jars = class_path(prefix, file.read_text(encoding="utf-8").split())
    file.write_text("".join(f"{prefix.moved(jar)}\n" for jar in [*jars, extra]), encoding="utf-8")


def write_trust_store(prefix: Prefix, bundles: list[Path]) -> None:
    """Gives Java the certificate authorities of the first bundle that there is.

    Args:
        prefix: the folder.
        bundles: PEM files, the best first; the packages' own list is used if none exists.
    """
    pem = b""
    for bundle in bundles:
        if bundle.is_file():
            pem = bundle.read_bytes()
            break
    else:
        for path in sorted(prefix.at.glob("usr/share/ca-certificates/mozilla/*.crt")):
            pem += path.read_bytes()
    store = prefix.java_home() / "lib/security/cacerts"
    # Debian has a link here, to where the installed package would make the file.
    store.unlink(missing_ok=True)
    store.write_bytes(truststore.key_store(truststore.certificates(pem)))
