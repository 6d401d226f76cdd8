// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/operations/all_operations.h"

#include "absl/types/span.h"
#include "cc/emulator/operations/address_space.h"
#include "cc/emulator/operations/arithmetic.h"
#include "cc/emulator/operations/async_copy.h"
#include "cc/emulator/operations/atomic.h"
#include "cc/emulator/operations/barrier.h"
#include "cc/emulator/operations/bit.h"
#include "cc/emulator/operations/call.h"
#include "cc/emulator/operations/clusterlaunchcontrol.h"
#include "cc/emulator/operations/compare.h"
#include "cc/emulator/operations/control.h"
#include "cc/emulator/operations/convert.h"
#include "cc/emulator/operations/dot_product.h"
#include "cc/emulator/operations/extended.h"
#include "cc/emulator/operations/matrix_load.h"
#include "cc/emulator/operations/mbarrier.h"
#include "cc/emulator/operations/memory.h"
#include "cc/emulator/operations/mma.h"
#include "cc/emulator/operations/move.h"
#include "cc/emulator/operations/shuffle.h"
#include "cc/emulator/operations/stack.h"
#include "cc/emulator/operations/tcgen05_operations.h"
#include "cc/emulator/operations/tensor_copy.h"
#include "cc/emulator/operations/transcendental.h"
#include "cc/emulator/operations/video.h"
#include "cc/emulator/operations/wgmma.h"
#include "cc/emulator/operations/wmma.h"
#include "cc/emulator/program/decoder.h"

namespace warpyard::emulator {

const OperationTable& AllOperations() {
  static const OperationTable& table = *[] {
    // One line for each family.
    const absl::Span<const Operation> families[] = {
        AddressSpaceOperations(), ArithmeticOperations(),
        AsyncCopyOperations(),    AtomicOperations(),
        BarrierOperations(),      BitOperations(),
        CallOperations(),         CompareOperations(),
        ControlOperations(),      ClusterLaunchControlOperations(),
        ConvertOperations(),      DotProductOperations(),
        ExtendedOperations(),     MatrixLoadOperations(),
        MbarrierOperations(),     MemoryOperations(),
        MmaOperations(),          MoveOperations(),
        ShuffleOperations(),      StackOperations(),
        TensorMapOperations(),    TranscendentalOperations(),
        Tcgen05Operations(),      VideoOperations(),
        WgmmaOperations(),        WmmaOperations(),
    };
    return new OperationTable(families);
  }();
  return table;
}

}  // namespace warpyard::emulator
