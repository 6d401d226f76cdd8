# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The targets that the pinned CUDA toolkit compiles for.

A test holds the list against the toolkit's own.
"""

_PLAIN = ["75", "80", "86", "87", "88", "89", "90", "100", "103", "107", "110", "120", "121"]
_ARCH = ["90a", "100a", "103a", "107a", "110a", "120a", "121a"]
_FAMILY = ["100f", "103f", "107f", "110f", "120f", "121f"]

def _sort_key(number):
    digits = number.rstrip("af")
    return (int(digits), number[len(digits):])

# What stands behind "sm_" and "compute_".
KNOWN_NUMBERS = sorted(_PLAIN + _ARCH + _FAMILY, key = _sort_key)

# For CUBINs: "sm_90a".
KNOWN_TARGETS = ["sm_" + number for number in KNOWN_NUMBERS]

# For PTX: "compute_90a".
KNOWN_PTX_TARGETS = ["compute_" + number for number in KNOWN_NUMBERS]

def ptx_target_of(target):
    """The PTX that a CUBIN is made from.

    Args:
        target: Such as "sm_90a".

    Returns:
        Such as "compute_90a".
    """
    return "compute_" + target.removeprefix("sm_")

def targets_error(targets, ptx_targets):
    """What is wrong with the targets of a library.

    Args:
        targets: Targets of CUBINs.
        ptx_targets: Targets of PTX.

    Returns:
        A message; None when nothing is wrong.
    """
    if not targets and not ptx_targets:
        return "there is nothing to compile for: both targets and ptx_targets are empty"
    for attribute, given, known in [
        ("targets", targets, KNOWN_TARGETS),
        ("ptx_targets", ptx_targets, KNOWN_PTX_TARGETS),
    ]:
        for i, target in enumerate(given):
            if target not in known:
                return "{}: unknown target \"{}\"; CUDA's compilers know {}".format(
                    attribute,
                    target,
                    ", ".join(known),
                )
            if target in given[:i]:
                return "{}: \"{}\" stands there twice".format(attribute, target)
    return None
