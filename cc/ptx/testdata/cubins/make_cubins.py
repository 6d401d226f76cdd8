# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""Makes the CUBINs in this folder, and what NVIDIA's own tool reads in them.

    make_cubins.py --ptxas PATH --cuobjdump PATH --name 13.5 sm_75 sm_90a ...

writes 13.5-sm_75.cubin and 13.5-sm_75.usage (cuobjdump -res-usage) for each
target. They are kept because the compilers of CUDA 11.8, 12.4 and 12.9 are not
at hand where the tests run, and the format of CUBINs changed between them.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "logs"))
import make_logs  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="the toolkit's version, as in 13.5")
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--cuobjdump", required=True)
    parser.add_argument("targets", nargs="+")
    options = parser.parse_args()
    for target in options.targets:
        relocatable = target.endswith("-rdc")
        stem = HERE / f"{options.name}-{target}"
        cubin = stem.with_name(stem.name + ".cubin")
        ptx_target = "sm_80" if int("".join(c for c in target if c.isdigit())) >= 80 else "sm_75"
        ptx = make_logs.module(make_logs.GOOD, "7.8", ptx_target)
        with tempfile.TemporaryDirectory() as folder:
            # The name and the options are recorded in the CUBIN: keep them plain.
            (pathlib.Path(folder) / "good.ptx").write_text(ptx)
            command = [options.ptxas, f"-arch={target.removesuffix('-rdc')}"]
            command += ["-c"] if relocatable else []
            command += ["good.ptx", "-o", str(cubin)]
            subprocess.run(command, cwd=folder, check=True)
        usage = subprocess.run(
            [options.cuobjdump, "-res-usage", cubin.name],
            cwd=HERE,
            check=True,
            capture_output=True,
            text=True,
        )
        cubin.with_suffix(".usage").write_text(usage.stdout)


if __name__ == "__main__":
    main()
