# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Assembles a Bazel that needs no root and no registry, from packages of Debian's archive.

The prefix is made under a temporary name beside its final one and renamed once whole, so that an
interrupt leaves nothing half-made; a run that was killed outright is cleaned up after by the next.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from bazel.launcher import (
    apt,
    archives,
    host,
    lock,
    modules,
    packages,
    processes,
    relocation,
)
from bazel.launcher.errors import LauncherError, Unavailable
from bazel.launcher.progress import Progress

# What the launcher itself adds to a prefix is in this folder of it.
_OWN = "warpyard"
_READY = f"{_OWN}/ready"
_PROGRAM = f"{_OWN}/bazel"
_TEMPORARY = ".partial"

_SERVER_SECONDS = 90.0
_MEGABYTE = 1_000_000

_PROGRAM_TEXT = """\
#!/bin/sh
# Bazel {version} from Debian's packages, as ./bazelw starts it.
exec '{prefix}/usr/bin/bazel' --nosystem_rc '--bazelrc={prefix}/{own}/bazelrc' \\
  '--install_base={prefix}/usr/share/bazel' --trust_install_base \\
  '--server_javabase={java}' "$@"
"""


def program(prefix: Path) -> Path | None:
    """Returns what starts the Bazel in `prefix`; None if there is no whole one."""
    return prefix / _PROGRAM if (prefix / _READY).is_file() else None


def _remove(path: Path) -> None:
    if path.exists():
        shutil.rmtree(path)


@dataclasses.dataclass(frozen=True)
class _Job:
    """What to assemble: which Bazel, into which prefix, for which machine."""

    version: str
    final: Path
    overlay: Path
    machine: host.Host
    progress: Progress

    @property
    def temporary(self) -> Path:
        """The folder to work in, beside the prefix."""
        return self.final.with_name(f"{self.final.name}{_TEMPORARY}")


def _fetch(job: _Job, client: apt.Apt, archive: archives.Archive, folder: Path) -> list[Path]:
    """Fetches the packages into `folder` and returns their files."""
    progress = job.progress
    progress.step(f"reading the package lists of {archive}")
    client.update()
    found = client.version(packages.ROOT)
    if not found:
        raise Unavailable(f"it has no package {packages.ROOT}")
    if found.partition("+")[0].partition("-")[0] != job.version:
        raise Unavailable(f"it packages Bazel {found}, not {job.version}")
    sizes = client.closure(packages.ROOT)
    wanted = {name: size for name, size in sizes.items() if packages.wanted(name.partition("=")[0])}
    total = sum(wanted.values())

    progress.step(f"fetching {len(wanted) + 1} packages, {total / _MEGABYTE:.0f} MB")

    def report() -> bool:
        have = sum(entry.stat().st_size for entry in os.scandir(folder) if entry.is_file())
        progress.update(f"({have / _MEGABYTE:.0f} of {total / _MEGABYTE:.0f} MB)")
        return True

    googletest = f"{packages.GOOGLETEST}/{archive.googletest_suite}"
    client.download([*wanted, googletest], folder, report)
    return sorted(folder.glob("*.deb"))


def unpack(files: Sequence[Path], folder: Path, progress: Progress) -> None:
    """Unpacks packages into a folder, on every core."""
    progress.step(f"unpacking {len(files)} packages")

    def unpack_one(file: Path) -> None:
        finished = processes.run(["dpkg-deb", "--extract", str(file), str(folder)])
        if finished.exit_code != 0:
            said = finished.errors.strip() or f"exit code {finished.exit_code}"
            raise LauncherError(f"cannot unpack {file.name}: {said}")

    # The largest first, so that no core is left with one alone at the end.
    ordered = sorted(files, key=lambda file: (-file.stat().st_size, file.name))
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        futures = [pool.submit(unpack_one, file) for file in ordered]
        for count, future in enumerate(concurrent.futures.as_completed(futures), start=1):
            future.result()
            progress.update(f"({count} of {len(files)})")
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        processes.kill_all()
        raise
    finally:
        pool.shutdown(wait=True)


def _make_runnable(job: _Job, prefix: relocation.Prefix) -> None:
    """Relocates the unpacked packages, and adds the launcher's own files."""
    own = prefix.at / _OWN
    own.mkdir()
    relocation.reroot_links(prefix)
    relocation.relocate_programs(prefix, job.machine)
    label = relocation.write_build_label(own, job.version)
    relocation.relocate_class_path(prefix, label)
    bundles = [Path(os.environ["SSL_CERT_FILE"])] if os.environ.get("SSL_CERT_FILE") else []
    relocation.write_trust_store(prefix, [*bundles, Path("/etc/ssl/certs/ca-certificates.crt")])

    found = modules.packaged(prefix)
    found["googletest"] = modules.lay_googletest(prefix, own, job.overlay)
    found.update(modules.write_empty(own))
    options = modules.bazelrc(prefix, found)
    if "/tmp" in map(str, prefix.final.parents):
        # The sandbox has a /tmp of its own; what lies in the real one must be shown to it.
        options += f"common --sandbox_add_mount_pair={prefix.final}\n"
    (own / "bazelrc").write_text(options, encoding="utf-8")
    start = own / Path(_PROGRAM).name
    start.write_text(
        _PROGRAM_TEXT.format(
            version=job.version,
            prefix=prefix.final,
            own=_OWN,
            java=prefix.moved(prefix.java_home()),
        ),
        encoding="utf-8",
    )
    start.chmod(0o755)


def _check(prefix: Path, version: str, folder: Path) -> None:
    """Starts the Bazel in `prefix`, server and all, and asks it for its version.

    Raises:
        LauncherError: it does not answer with `version`.
    """
    workspace = folder / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "MODULE.bazel").write_text("", encoding="utf-8")
    finished = processes.run(
        [
            str(prefix / _PROGRAM),
            "--nohome_rc",
            "--noworkspace_rc",
            "--batch",
            f"--output_user_root={folder / 'output'}",
            "info",
            "release",
        ],
        cwd=workspace,
        keep_waiting=processes.deadline(_SERVER_SECONDS),
    )
    if finished.output.strip() != f"release {version}":
        said = (finished.errors.strip() or finished.output.strip() or "no output").splitlines()[-3:]
        raise LauncherError(f"the assembled Bazel does not start: {' '.join(said)}")


def _assemble(job: _Job, archive: archives.Archive) -> None:
    """Assembles from one archive, in the temporary folder but for the last step."""
    state, debs, root = (job.temporary / name for name in ("apt", "debs", "root"))
    for folder in (state, debs, root):
        folder.mkdir(parents=True)
    client = apt.Apt(state, archive, job.machine.architecture)
    files = _fetch(job, client, archive, debs)
    unpack(files, root, job.progress)
    job.progress.step("making them run from the cache folder")
    _make_runnable(job, relocation.Prefix(at=root, final=job.final))
    (root / _OWN / "packages.txt").write_text(
        f"# {archive}\n" + "".join(f"{file.stem}\n" for file in files), encoding="utf-8"
    )
    os.rename(root, job.final)
    job.progress.step("starting Bazel for the first time")
    _check(job.final, job.version, job.temporary / "check")
    (job.final / _READY).write_text("", encoding="utf-8")


def _assemble_from_any(job: _Job, candidates: Sequence[archives.Archive]) -> None:
    """Assembles from the first archive that has what it takes."""
    refusals = []
    for archive in candidates:
        whole = False
        try:
            # Left by a run that could not clean up after itself.
            _remove(job.temporary)
            _remove(job.final)
            _assemble(job, archive)
            whole = True
            return
        except Unavailable as error:
            refusals.append(f"{archive}: {error}")
        finally:
            job.progress.clear()
            processes.kill_all()
            _remove(job.temporary)
            if not whole:
                _remove(job.final)
    raise Unavailable("; ".join(refusals))


def ensure(final: Path, version: str, overlay: Path, progress: Progress) -> Path:
    """Returns the program that starts the Bazel in `final`, assembling it if it is not there.

    Args:
        final: the prefix.
        version: version of Bazel to assemble.
        overlay: the workspace's files for GoogleTest.
        progress: where to tell what goes on.

    Raises:
        Unavailable: this machine, or the archives that it knows, cannot give that Bazel.
        LauncherError: the packages are not what they were, or the disk is full.
    """
    ready = program(final)
    if ready:
        return ready
    machine = host.detect()
    candidates = archives.find(apt.machine_sources(), machine.codename)
    if not candidates:
        raise Unavailable(
            "this machine's apt sources name neither Debian's archive nor "
            f"Ubuntu's {machine.codename or 'own'} (component main)"
        )
    if "'" in str(final) or any(blank in str(final) for blank in " \t\n"):
        raise Unavailable(f"the cache folder's name has a blank or a quote in it: {final}")
    final.parent.mkdir(parents=True, exist_ok=True)

    def waiting(holder: str) -> None:
        progress.say(f"waiting for process {holder}, which is setting up Bazel {version}")

    with lock.hold(final.with_name(f"{final.name}.lock"), waiting):
        ready = program(final)  # Perhaps another process has just made it.
        if not ready:
            progress.say(f"setting up Bazel {version} from Debian packages, once, in {final}")
            job = _Job(version, final, overlay, machine, progress)
            _assemble_from_any(job, candidates)
            progress.say(f"set up Bazel {version} in {progress.seconds:.0f} s")
            ready = program(final)
    assert ready is not None
    return ready
