// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// warpyard-requires: sm in {9.0a}

extern "C" __global__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }
