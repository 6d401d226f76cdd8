# Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
"""The occupancy that the matrix shows for a kernel."""

from __future__ import annotations

from dataclasses import dataclass

from warpyard import _warpyard
from warpyard._warpyard import Generation, KernelResources, Occupancy

# For a kernel that says nothing of its block size, where the user says nothing either.
DEFAULT_BLOCK_SIZE = 256


@dataclass(frozen=True)
class Launch:
    """How a kernel is taken to be launched.

    Attributes:
        block_size: Threads of a block; None: the kernel's own bound, else 256.
        dynamic_shared_memory: Bytes for each block.
    """

    block_size: int | None = None
    dynamic_shared_memory: int = 0

    def threads(self, kernel: KernelResources) -> int:
        return self.block_size or kernel.max_threads_per_block or DEFAULT_BLOCK_SIZE

    def exceeds(self, kernel: KernelResources) -> bool:
        """Whether the block is larger than the kernel was compiled for, so that no launch works."""
        return 0 < kernel.max_threads_per_block < self.threads(kernel)

    def occupancy(self, kernel: KernelResources, generation: Generation) -> Occupancy:
        return _warpyard.compute_occupancy(
            generation,
            self.threads(kernel),
            registers_per_thread=kernel.registers,
            static_shared_memory=kernel.static_shared_bytes,
            dynamic_shared_memory=self.dynamic_shared_memory,
            named_barriers=kernel.barriers,
        )
