// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// A kernel with its arguments and dimensions, as work of a stream.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_LAUNCH_OPERATION_H_
#define WARPYARD_CC_EMULATOR_DRIVER_LAUNCH_OPERATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/context.h"
#include "cc/emulator/driver/module.h"
#include "cc/emulator/driver/operation.h"
#include "cc/emulator/execution/launch.h"

namespace warpyard::emulator::driver {

// What the attributes of a launch ask for.
struct LaunchOptions {
  bool cooperative = false;
  bool has_cluster = false;
  Dim3 cluster;
  bool nonportable_cluster = false;
  // Reached when the kernel has ended, which is when the stream may go on.
  std::vector<std::shared_ptr<class Event>> completion_events;
};

class Launch : public Operation {
 public:
  // Copies the arguments and checks the launch: CUDA_ERROR_INVALID_VALUE,
  // _INVALID_HANDLE, _LAUNCH_OUT_OF_RESOURCES, _COOPERATIVE_LAUNCH_TOO_LARGE,
  // _INVALID_CLUSTER_SIZE, _NOT_SUPPORTED for operations that are not executed.
  // One of `parameters` (a pointer to each argument) and `extra` (a buffer) may
  // be given.
  static CUresult Make(CUfunction function, const Dim3& grid, const Dim3& block,
                       unsigned shared_bytes, void** parameters, void** extra,
                       const LaunchOptions& options, std::shared_ptr<const Launch>* launch);

  CUresult Execute(Context& context) const override;
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_KERNEL; }

  // As a node of a graph gives them back; pointers into this object.
  CUDA_KERNEL_NODE_PARAMS_v2 NodeParams() const;
  const std::shared_ptr<KernelFunction>& function() const { return function_; }
  const LaunchOptions& options() const { return options_; }

 private:
  Launch() = default;
  LaunchConfig Config(Context& context) const;

  std::shared_ptr<Module> module_;
  std::shared_ptr<KernelFunction> function_;
  Dim3 grid_;
  Dim3 block_;
  unsigned shared_bytes_ = 0;
  LaunchOptions options_;
  std::vector<std::byte> arguments_;
  std::vector<void*> argument_pointers_;
};

// Reads launch attributes. CUDA_ERROR_INVALID_VALUE for unknown ones.
CUresult ReadAttributes(const CUlaunchAttribute* attributes, unsigned count,
                        LaunchOptions* options);

}  // namespace warpyard::emulator::driver

#endif  // WARPYARD_CC_EMULATOR_DRIVER_LAUNCH_OPERATION_H_
