// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// clusterlaunchcontrol (sm_100 and later): a block asks for the work of a cluster
// that has not started. Here none is ever given away: every request is answered
// "not canceled", which PTX allows at any time, and all clusters run as launched.

#ifndef WARPYARD_CC_EMULATOR_OPERATIONS_CLUSTERLAUNCHCONTROL_H_
#define WARPYARD_CC_EMULATOR_OPERATIONS_CLUSTERLAUNCHCONTROL_H_

#include "absl/types/span.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

absl::Span<const Operation> ClusterLaunchControlOperations();

}  // namespace warpyard::emulator

#endif  // WARPYARD_CC_EMULATOR_OPERATIONS_CLUSTERLAUNCHCONTROL_H_
