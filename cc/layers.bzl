"""The layers of the C++ libraries, lowest first.

A layer may use those that stand before it, never those after it. The test
//tests/layers:layers_test holds this list against the code.
"""

LAYERS = [
    "base",
    "numerics",
    "target",
    "testing",
    "ptx",
    "emulator",
    "driver",
    "kernel",
    "symbolic",
    "hlo",
    "tiling",
    "layout",
    "passes",
    "schedule",
    "collectives",
    "ffi",
    "thunk",
    "codegen",
    "autotune",
    "executable",
    "bindings",
]

# The layers that have code so far. Each has a `:layer_sources` filegroup.
EXISTING_LAYERS = [
    "base",
    "numerics",
    "target",
    "testing",
    "ptx",
    "emulator",
    "driver",
    "symbolic",
    "hlo",
    "collectives",
    "bindings",
]
