// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// What a stream does in order, and what a node of a graph does: one immutable
// object for each piece of work, so that work that is enqueued, captured or
// built by hand is the same.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_OPERATION_H_
#define WARPYARD_CC_EMULATOR_DRIVER_OPERATION_H_

#include <memory>

#include "cc/emulator/driver/api.h"

namespace warpyard::emulator::driver {

class Context;

class Operation {
 public:
  virtual ~Operation() = default;
  // Does the work on the calling thread. An error ends the context: it is what
  // every later call there returns.
  virtual CUresult Execute(Context& context) const = 0;
  virtual CUgraphNodeType type() const = 0;
  // Whether it also runs in a context that has an error.
  virtual bool runs_after_error() const { return false; }
};

using OperationPtr = std::shared_ptr<const Operation>;

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_OPERATION_H_
