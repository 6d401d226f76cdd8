# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The GPUs of the machine that builds, if it has any, as a lane `local`.

They are asked for with `nvidia-smi`, or the program that WARPYARD_NVIDIA_SMI names, when Bazel
starts. A test of that lane asks the driver itself again.
"""

load(":gpus.bzl", "short_gpu_name")

_QUERY = "--query-gpu=name,compute_cap,memory.total,driver_version"

def parse_gpus(text):
    """Reads what nvidia-smi prints.

    Args:
        text: Lines of name, compute capability, memory in MiB and driver version.

    Returns:
        A dict of facts; None where there is no GPU or a line is none.
    """
    rows = [
        [cell.strip() for cell in line.split(",")]
        for line in text.strip().split("\n")
        if line.strip()
    ]
    if not rows or not all([len(row) == 4 and row[2].isdigit() for row in rows]):
        return None
    return {
        "driver": rows[0][3],
        "gpu": short_gpu_name(rows[0][0]),
        "gpus": str(len(rows)),
        "memory": "{}MiB".format(min([int(row[2]) for row in rows])),
        "sm": rows[0][1],
    }

def _local_gpu_impl(repository):
    program = repository.os.environ.get("WARPYARD_NVIDIA_SMI") or repository.which("nvidia-smi")
    facts = None
    if program:
        result = repository.execute([program, _QUERY, "--format=csv,noheader,nounits"])
        if result.return_code == 0:
            facts = parse_gpus(result.stdout)
    repository.file("BUILD.bazel", "")
    repository.file("gpus.bzl", "LOCAL_GPUS = {}\n".format(repr(facts)))

_local_gpu = repository_rule(
    implementation = _local_gpu_impl,
    configure = True,
    environ = ["WARPYARD_NVIDIA_SMI"],
    local = True,
)

def _extension_impl(_):
    _local_gpu(name = "local_gpu")

local_gpu = module_extension(
    implementation = _extension_impl,
    doc = "Makes the repository `local_gpu`, which knows the machine's GPUs.",
)
