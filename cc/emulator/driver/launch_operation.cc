// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/launch_operation.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "cc/emulator/driver/event.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/execution/fault.h"

namespace warpyard::emulator::driver {
namespace {

// Dynamic shared memory beyond this takes cuFuncSetAttribute.
int SharedWithoutOptIn(const KernelFunction& function, const Generation& generation) {
  const int left =
      generation.shared_memory_per_block - static_cast<int>(function.function->static_shared_bytes);
  return std::max(left, 0);
}

CUresult ResultOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kIllegalAddress:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FaultKind::kMisalignedAddress:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FaultKind::kInvalidAddressSpace:
      return CUDA_ERROR_INVALID_ADDRESS_SPACE;
    case FaultKind::kInvalidProgramCounter:
      return CUDA_ERROR_INVALID_PC;
    case FaultKind::kIllegalInstruction:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case FaultKind::kStackOverflow:
      return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case FaultKind::kTrap:
    case FaultKind::kSanitizer:
      return CUDA_ERROR_LAUNCH_FAILED;
    case FaultKind::kAssert:
      return CUDA_ERROR_ASSERT;
    case FaultKind::kTimeout:
    case FaultKind::kDeadlock:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    case FaultKind::kUnsupported:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

// WARPYARD_LAUNCH_TIMEOUT, in seconds; absent: none.
absl::Duration TimeLimit() {
  static const absl::Duration limit = [] {
    const char* const text = std::getenv("WARPYARD_LAUNCH_TIMEOUT");
    double seconds = 0;
    if (text == nullptr || !absl::SimpleAtod(text, &seconds) || !(seconds > 0)) {
      return absl::InfiniteDuration();
    }
    return absl::Seconds(seconds);
  }();
  return limit;
}

int Workers() {
  static const int workers = [] {
    const char* const text = std::getenv("WARPYARD_WORKERS");
    int count = 0;
    return text != nullptr && absl::SimpleAtoi(text, &count) && count > 0 ? count : 0;
  }();
  return workers;
}

void Print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

uint64_t NextGrid() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

// Fills the buffer from `extra`: pairs of a key and a value up to the end mark.
CUresult ReadExtra(void** extra, std::vector<std::byte>* arguments) {
  const void* buffer = nullptr;
  size_t size = 0;
  for (int i = 0; i < 8 && extra[2 * i] != CU_LAUNCH_PARAM_END; ++i) {
    if (extra[2 * i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[2 * i + 1];
    } else if (extra[2 * i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      if (extra[2 * i + 1] == nullptr) return CUDA_ERROR_INVALID_VALUE;
      size = *static_cast<const size_t*>(extra[2 * i + 1]);
    } else {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  if (buffer == nullptr && !arguments->empty()) return CUDA_ERROR_INVALID_VALUE;
  if (size < arguments->size()) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (!arguments->empty()) std::memcpy(arguments->data(), buffer, arguments->size());
  return CUDA_SUCCESS;
}

}  // namespace

CUresult ReadAttributes(const CUlaunchAttribute* attributes, unsigned count,
                        LaunchOptions* options) {
  if (count > 0 && attributes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    const CUlaunchAttributeValue& value = attributes[i].value;
    switch (attributes[i].id) {
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        options->cooperative = value.cooperative != 0;
        break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        options->has_cluster = true;
        options->cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      case CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE:
        options->nonportable_cluster =
            value.portableClusterSizeMode == CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
      case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: {
        // The two begin alike. Reached later than may be: when the kernel has ended.
        std::shared_ptr<Event> event =
            Handles<Event>::Get().Find(value.launchCompletionEvent.event);
        if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        options->completion_events.push_back(std::move(event));
        break;
      }
      case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        if (value.deviceUpdatableKernelNode.deviceUpdatable != 0) {
          return NotSupported("a kernel node that the device updates");
        }
        break;
      case CU_LAUNCH_ATTRIBUTE_IGNORE:
      case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
      case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
      case CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE:
        break;  // hints, and what running in order fulfils anyway
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

CUresult Launch::Make(CUfunction handle, const Dim3& grid, const Dim3& block, unsigned shared_bytes,
                      void** parameters, void** extra, const LaunchOptions& options,
                      std::shared_ptr<const Launch>* result) {
  std::shared_ptr<Launch> launch(new Launch);
  WARPYARD_CU_TRY(FindFunction(handle, &launch->function_, &launch->module_));
  const KernelFunction& kernel = *launch->function_;
  const Function& function = *kernel.function;
  launch->grid_ = grid;
  launch->block_ = block;
  launch->shared_bytes_ = shared_bytes;
  launch->options_ = options;
  FunctionSettings& settings = *kernel.settings;
  if (!options.has_cluster && settings.required_cluster[0] > 0) {
    launch->options_.has_cluster = true;
    launch->options_.cluster = {static_cast<uint32_t>(settings.required_cluster[0]),
                                static_cast<uint32_t>(settings.required_cluster[1]),
                                static_cast<uint32_t>(settings.required_cluster[2])};
  }

  launch->arguments_.resize(function.parameter_bytes);
  if (parameters != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (extra != nullptr) {
    WARPYARD_CU_TRY(ReadExtra(extra, &launch->arguments_));
  } else {
    if (parameters == nullptr && !function.parameters.empty()) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      const Parameter& parameter = function.parameters[i];
      if (parameters[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
      std::memcpy(launch->arguments_.data() + parameter.offset, parameters[i], parameter.size);
    }
  }
  for (const Parameter& parameter : function.parameters) {
    launch->argument_pointers_.push_back(launch->arguments_.data() + parameter.offset);
  }

  Context& context = *launch->module_->context();
  const Generation& generation = context.device().generation();
  const int allowed = settings.max_dynamic_shared >= 0 ? settings.max_dynamic_shared.load()
                                                       : SharedWithoutOptIn(kernel, generation);
  if (shared_bytes >
      static_cast<unsigned>(std::max(allowed, SharedWithoutOptIn(kernel, generation)))) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (launch->options_.has_cluster) {
    const uint64_t size = launch->options_.cluster.count();
    const bool nonportable = settings.nonportable_cluster != 0 || options.nonportable_cluster;
    const int most =
        nonportable
            ? generation.max_cluster_size_nonportable.value_or(generation.max_cluster_size_portable)
            : generation.max_cluster_size_portable;
    if (size == 0 || size > static_cast<uint64_t>(most)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  const absl::Status checked = CheckLaunch(launch->Config(context));
  if (!checked.ok()) {
    Report(checked.message());
    switch (checked.code()) {
      case absl::StatusCode::kResourceExhausted:
        return options.cooperative ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
                                   : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
      case absl::StatusCode::kUnimplemented:
        return CUDA_ERROR_NOT_SUPPORTED;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  }
  *result = std::move(launch);
  return CUDA_SUCCESS;
}

LaunchConfig Launch::Config(Context& context) const {
  LaunchConfig config;
  config.module = &module_->loaded();
  config.function = function_->function;
  config.grid = grid_;
  config.block = block_;
  if (options_.has_cluster) {
    config.cluster = options_.cluster;
    config.has_cluster = true;
  }
  config.cooperative = options_.cooperative;
  config.dynamic_shared_bytes = shared_bytes_;
  config.parameters = arguments_.data();
  config.device = &context.device().spec();
  config.ordinal = context.device().ordinal();
  config.memory = &MemoryMap::Process();
  config.reachable_devices = context.peers | uint64_t{1} << config.ordinal;
  config.heap_bytes = context.limits[CU_LIMIT_MALLOC_HEAP_SIZE];
  config.workers = Workers();
  config.time_limit = TimeLimit();
  config.print = &Print;
  return config;
}

CUresult Launch::Execute(Context& context) const {
  LaunchConfig config = Config(*module_->context());
  config.grid_id = NextGrid();
  const std::optional<Fault> fault = Run(config);
  for (const std::shared_ptr<Event>& event : options_.completion_events) {
    auto record = std::make_shared<Event::Record>();
    record->nanoseconds = SteadyNanoseconds();
    event->set_last(std::move(record));
  }
  if (!fault.has_value()) return CUDA_SUCCESS;
  Report(fault->ToString());
  return ResultOf(fault->kind);
}

CUDA_KERNEL_NODE_PARAMS_v2 Launch::NodeParams() const {
  CUDA_KERNEL_NODE_PARAMS_v2 params{};
  params.func = function_->handle();
  params.gridDimX = grid_.x;
  params.gridDimY = grid_.y;
  params.gridDimZ = grid_.z;
  params.blockDimX = block_.x;
  params.blockDimY = block_.y;
  params.blockDimZ = block_.z;
  params.sharedMemBytes = shared_bytes_;
  // The driver gives pointers that a client may read but not write.
  params.kernelParams = const_cast<void**>(argument_pointers_.data());
  params.ctx = module_->context()->handle();
  return params;
}

}  // namespace warpyard::emulator::driver
