# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The command `warpyard`: results to stdout, everything else to stderr."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from warpyard.cli import (
    compile_parser,
    doctor_parser,
    emulate_parser,
    run_parser,
    targets_parser,
    test_parser,
)
from warpyard.cli.usage import UsageError
from warpyard.errors import Error
from warpyard.version import __version__

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="warpyard",
        description="Compiles CUDA kernels for every GPU generation, and runs them, without a GPU.",
    )
    parser.add_argument("--version", action="version", version=f"warpyard {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    targets_parser.add_parser(commands)
    compile_parser.add_parser(commands)
    test_parser.add_parser(commands)
    run_parser.add_parser(commands)
    emulate_parser.add_parser(commands)
    doctor_parser.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; argparse itself exits with 2 on wrong flags."""
    # A terminal that cannot show a character shows "?" instead of failing.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"warpyard: {error}", file=sys.stderr)
        return EXIT_USAGE
    except Error as error:
        print(f"warpyard: error: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print("warpyard: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. Python would complain at exit about what it
        # could not flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else "writing the output: "
        print(f"warpyard: error: {where}{error.strerror}", file=sys.stderr)
        return EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
