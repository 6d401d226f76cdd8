# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""How a test gets its CUDA driver: the machine's, or the emulated one.

The contract with everything that opens a driver is two variables: WARPYARD_CUDA_DRIVER, the path
of a library or "system", and WARPYARD_EMULATE, what the emulated one poses as ("b200*8").
"""

# The library of the emulated driver: `--//bazel/private/testing:emulated_driver=LABEL` takes
# another.
EMULATED_DRIVER = Label("//bazel/private/testing:emulated_driver")

def driver_environment(lane, gpus):
    """The variables that choose the driver, but for the emulated one's path.

    Args:
        lane: A struct of `lane`.
        gpus: How many GPUs the test has.

    Returns:
        A dict.
    """
    if not lane.gpu:
        return {}
    if not lane.emulated:
        return {"WARPYARD_CUDA_DRIVER": "system"}
    return {"WARPYARD_EMULATE": lane.gpu if gpus == 1 else "{}*{}".format(lane.gpu, gpus)}
