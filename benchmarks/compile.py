# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""What compiling through Warpyard costs, against the compilers themselves.

Prints medians and ratios taken in this run, each with its goal. The machine should be idle.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from direct_nvrtc import DirectNvrtc
from measure import medians, report, seconds

from warpyard._compile import compile_source
from warpyard._toolkit import cuda_roots
from warpyard._warpyard import CompileOptions, Compiler
from warpyard.cli import jobs
from warpyard.cli.inputs import read_files
from warpyard.cli.outcome import Unit
from warpyard.cli.selection import all_targets, parse_targets

_EXAMPLES = pathlib.Path("examples/kernels").absolute()


def _units(compiler: Compiler) -> list[Unit]:
    files = read_files(str(path) for path in sorted(_EXAMPLES.glob("*.cu")))
    targets, _ = all_targets(compiler.toolkit_version())
    return [
        Unit(file, target)
        for file in files
        for target in targets
        if file.requirement is None or file.requirement.met_by(target.code)
    ]


def _compile_all(units: list[Unit], workers: int) -> None:
    compiler = Compiler(cuda_roots(), "auto", False)

    def work(unit: Unit) -> None:
        compile_source(compiler, unit.file.source, unit.target.code, CompileOptions())

    jobs.run_all(units, work, lambda unit, result: None, workers)


def _nvcc_all(units: list[Unit], root: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for unit in units:
            subprocess.run(
                [
                    os.path.join(root, "bin", "nvcc"),
                    "-cubin",
                    f"-arch={unit.target.name}",
                    "-std=c++17",
                    "-O3",
                    "-o",
                    os.path.join(folder, "out.cubin"),
                    unit.file.path,
                ],
                check=True,
                capture_output=True,
            )


def _single(runs: int, root: str) -> None:
    (file,) = read_files([str(_EXAMPLES / "saxpy.cu")])
    (target,) = parse_targets(["h100"])
    plain = Compiler(cuda_roots(), "auto", False)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WARPYARD_CACHE_DIR"] = folder
        cached = Compiler(cuda_roots(), "auto", True)

        def through(compiler: Compiler) -> None:
            compile_source(compiler, file.source, target.code, CompileOptions())

        nvrtc = DirectNvrtc(root)
        ours, direct = medians(
            runs,
            lambda: through(plain),
            lambda: nvrtc.compile(file.source.text, target.name),
        )
        (hit,) = medians(runs * 10, lambda: through(cached))
    report("cached compile of saxpy", f"{hit * 1e3:.3f} ms", "< 1 ms", hit < 1e-3)
    report(
        f"saxpy for {target.name}, warm ({ours * 1e3:.1f} ms), to NVRTC ({direct * 1e3:.1f} ms)",
        f"{ours / direct:.2f} x",
        "<= 1.1 x",
        ours / direct <= 1.1,
    )


def _everything(runs: int, root: str, with_nvcc: bool) -> None:
    compiler = Compiler(cuda_roots(), "auto", False)
    units = _units(compiler)
    one, two = medians(
        runs, lambda: _compile_all(units, 1), lambda: _compile_all(units, 2), warm_up=False
    )
    report(
        f"{len(units)} compilations of --all: 1 worker ({one:.1f} s), 2 ({two:.1f} s)",
        f"{one / two:.2f} x faster",
        ">= 1.7 x",
        one / two >= 1.7,
    )
    if with_nvcc:
        nvcc = seconds(lambda: _nvcc_all(units, root))
        report(
            f"nvcc once for each ({nvcc:.1f} s), to 2 workers ({two:.1f} s)",
            f"{nvcc / two:.2f} x faster",
            ">= 3 x",
            nvcc / two >= 3,
        )


def _overheads(runs: int) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    def python(*arguments: str) -> None:
        subprocess.run(
            [sys.executable, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL
        )

    nothing, imported, targets = medians(
        runs,
        lambda: python("-c", "pass"),
        lambda: python("-c", "import warpyard"),
        lambda: python("-m", "warpyard", "targets"),
    )
    cost = imported - nothing
    report(
        "import warpyard, less Python's own start", f"{cost * 1e3:.0f} ms", "< 150 ms", cost < 0.15
    )
    report("warpyard targets, in all", f"{targets * 1e3:.0f} ms", "< 300 ms", targets < 0.3)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs behind each median (5)")
    parser.add_argument(
        "--no-nvcc", action="store_true", help="leave out nvcc, which takes minutes"
    )
    options = parser.parse_args()
    root = next(r for r in cuda_roots() if os.path.exists(os.path.join(r, "lib/libnvrtc.so.13")))
    os.environ.pop("WARPYARD_DUMP_TO", None)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, medians of {options.runs} runs")
    _overheads(options.runs)
    _single(options.runs * 4, root)
    _everything(options.runs, root, not options.no_nvcc)
    return 0


if __name__ == "__main__":
    sys.exit(main())
