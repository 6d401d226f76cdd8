# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""`warpyard compile`: every kernel for every target, and what came out."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from warpyard import _warpyard
from warpyard._compile import compile_source, get_compiler
from warpyard._warpyard import CompileOptions, Compiler
from warpyard.cli import jobs, summary
from warpyard.cli.inputs import read_files
from warpyard.cli.matrix import Outcomes, display_names, render_matrix
from warpyard.cli.occupancy import Launch
from warpyard.cli.outcome import Outcome, SourceFile, Unit
from warpyard.cli.outputs import OutputFolder
from warpyard.cli.progress import progress
from warpyard.cli.selection import Excluded, Target, all_targets, parse_targets
from warpyard.cli.terminal import style_of, width_of
from warpyard.cli.usage import UsageError
from warpyard.errors import Error

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130


def _compile_options(options: argparse.Namespace) -> CompileOptions:
    for folder in options.include:
        if not os.path.isdir(folder):
            raise UsageError(f"-I {folder}: there is no such folder")
    return CompileOptions(
        optimization_level=options.optimize,
        fast_math=options.use_fast_math,
        line_info=options.line_info,
        max_registers=options.max_registers,
        language_standard=options.std,
        defines=options.define,
        include_dirs=[os.path.abspath(folder) for folder in options.include],
        extra=options.extra,
    )


def _compiler(options: argparse.Namespace) -> Compiler:
    known = ["auto", *(name for name in _warpyard.provider_names() if name != "auto")]
    if options.provider not in known:
        raise UsageError(
            f"--provider {options.provider}: unknown provider; known are: {', '.join(known)}"
        )
    return get_compiler(options.provider, not options.no_cache)


def _notices(compiler: Compiler) -> None:
    for notice in compiler.take_notices():
        print(f"warpyard: warning: {notice}", file=sys.stderr)


class _Compilation:
    """One run of the command."""

    def __init__(
        self,
        compiler: Compiler,
        files: Sequence[SourceFile],
        targets: Sequence[Target],
        options: argparse.Namespace,
    ) -> None:
        self._compiler = compiler
        self._toolkit = compiler.toolkit_version()
        self._code = _compile_options(options)
        self._folder = OutputFolder(options.output, files) if options.output else None
        self.jobs = min(options.jobs or jobs.available_cores(), len(files) * len(targets))
        self.units = [Unit(file, target) for file in files for target in targets]
        self.outcomes: Outcomes = {}
        self.interrupted = False
        self.seconds = 0.0

    def _work(self, unit: Unit) -> Outcome:
        requirement = unit.file.requirement
        if requirement is not None and not requirement.met_by(unit.target.code):
            return Outcome(unit, "skipped", requirement=requirement)
        try:
            _warpyard.check_toolkit_compiles_for(self._toolkit, unit.target.code)
            result = compile_source(self._compiler, unit.file.source, unit.target.code, self._code)
        except Error as error:
            return Outcome(unit, "failed", error=error)
        return Outcome(unit, "compiled", result=result)

    def run(self) -> None:
        """Compiles all units. On an interrupt, and on an error while writing, what ended stays."""
        start = time.monotonic()
        ended: dict[Unit, Outcome] = {}
        try:
            with progress(self.units) as shown:

                def done(unit: Unit, outcome: Outcome) -> None:
                    if self._folder is not None:
                        self._folder.write(outcome)
                    ended[unit] = outcome
                    shown.advance(outcome)

                jobs.run_all(self.units, self._work, done, self.jobs)
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self.seconds = time.monotonic() - start
            # In the order asked for, whichever ended first.
            self.outcomes = {
                (unit.file, unit.target): ended[unit] for unit in self.units if unit in ended
            }

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return EXIT_INTERRUPTED
        failed = any(outcome.status == "failed" for outcome in self.outcomes.values())
        return EXIT_FAILED if failed else EXIT_OK


def _print_report(
    run: _Compilation,
    files: Sequence[SourceFile],
    targets: Sequence[Target],
    excluded: Sequence[Excluded],
    launch: Launch,
) -> None:
    width, style = width_of(sys.stdout), style_of(sys.stdout)
    sections = [
        render_matrix(files, targets, run.outcomes, launch, width, style),
        summary.legend(targets, excluded, run.outcomes, launch, display_names(files), width),
        summary.warnings(run.outcomes, style),
        summary.failures(run.outcomes, style),
        [summary.totals(run.outcomes, len(run.units), run.seconds, run.jobs)],
    ]
    print("\n\n".join("\n".join(lines) for lines in sections if lines))


def run(options: argparse.Namespace) -> int:
    files = read_files(options.files)
    targets: list[Target] = []
    excluded: list[Excluded] = []
    if options.target:
        targets = parse_targets(options.target)
    compiler = _compiler(options)
    if options.all:
        targets, excluded = all_targets(compiler.toolkit_version())
    launch = Launch(options.block_size, options.dynamic_shared)
    compilation = _Compilation(compiler, files, targets, options)
    try:
        compilation.run()
    finally:
        _notices(compiler)
    if options.json:
        from warpyard.cli import report_json  # json and hashlib: only who asks pays

        report = report_json.compile_report(
            files, targets, excluded, compilation.outcomes, launch, compilation.interrupted
        )
        print(report_json.dumps(report))
    else:
        _print_report(compilation, files, targets, excluded, launch)
    if compilation.interrupted:
        print(
            f"warpyard: interrupted: {len(compilation.outcomes)} of {len(compilation.units)} "
            "done; what was written is complete",
            file=sys.stderr,
        )
    return compilation.exit_code
