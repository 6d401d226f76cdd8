// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Contexts and which one is current on a thread.

#ifndef WARPYARD_CC_EMULATOR_DRIVER_CONTEXT_H_
#define WARPYARD_CC_EMULATOR_DRIVER_CONTEXT_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "cc/emulator/driver/api.h"
#include "cc/emulator/driver/device.h"
#include "cc/emulator/driver/stream.h"

namespace warpyard::emulator::driver {

class Context : public std::enable_shared_from_this<Context> {
 public:
  static std::shared_ptr<Context> Make(Device& device, unsigned flags, bool primary);

  Device& device() const { return device_; }
  bool primary() const { return primary_; }
  uint64_t id() const { return id_; }
  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }
  std::atomic<unsigned> flags;

  // The first error of work in the context, which every later call returns.
  CUresult error() const { return error_.load(std::memory_order_acquire); }
  void Fail(CUresult error);

  // A context that was destroyed, or a primary context that nobody retains.
  bool alive() const { return alive_.load(std::memory_order_acquire); }
  // Waits for its work and ends everything that was made in it.
  void Destroy();
  // Makes a primary context usable again under the same handle.
  void Revive(unsigned new_flags);

  const std::shared_ptr<Stream>& legacy_stream() const { return legacy_; }
  // The calling thread's own default stream.
  std::shared_ptr<Stream> PerThreadStream();
  std::shared_ptr<Stream> MakeStream(unsigned stream_flags, int priority);
  void ForgetStream(const Stream* stream);
  // All of its streams.
  std::vector<std::shared_ptr<Stream>> Streams();

  // Waits for all work. The context's error.
  CUresult Synchronize();

  // cuCtxSetLimit.
  std::array<std::atomic<size_t>, CU_LIMIT_MAX> limits;
  std::atomic<int> cache_config{CU_FUNC_CACHE_PREFER_NONE};
  // Contexts of which devices' memory may be used, a bit each: cuCtxEnablePeerAccess.
  std::atomic<uint64_t> peers{0};

 private:
  Context(Device& device, unsigned flags, bool primary);

  Device& device_;
  const bool primary_;
  const uint64_t id_;
  std::atomic<CUresult> error_{CUDA_SUCCESS};
  std::atomic<bool> alive_{true};
  std::shared_ptr<Stream> legacy_;

  std::mutex mutex_;
  std::vector<std::shared_ptr<Stream>> streams_;
  absl::flat_hash_map<uint64_t, std::shared_ptr<Stream>> per_thread_;
};

// The contexts of the calling thread, the current one last.
std::vector<std::shared_ptr<Context>>& ContextStack();

// The current context, which must be alive and without an error:
// CUDA_ERROR_NOT_INITIALIZED, _INVALID_CONTEXT, _CONTEXT_IS_DESTROYED, or its error.
CUresult CurrentContext(Context** context);
// The same, but tolerates an error.
CUresult CurrentContextEvenFailed(Context** context);

// The context of a handle; null: the current one.
CUresult FindContext(CUcontext handle, std::shared_ptr<Context>* context);

// Retains and releases a device's primary context.
CUresult RetainPrimary(Device& device, std::shared_ptr<Context>* context);

// The stream of a handle, in the current context where it is a default stream.
// CUDA_ERROR_INVALID_HANDLE for what is no live stream.
CUresult FindStream(CUstream handle, std::shared_ptr<Stream>* stream);

// What is to be ended with a context: called by Destroy, in order of registration.
void AtContextDestruction(void (*hook)(Context&));

}  // namespace warpyard::emulator::driver

// Declares `context`, the current one, or returns from the API function.
#define WARPYARD_CU_CURRENT(context)              \
  ::warpyard::emulator::driver::Context* context; \
  WARPYARD_CU_TRY(::warpyard::emulator::driver::CurrentContext(&context))

#endif  // WARPYARD_CC_EMULATOR_DRIVER_CONTEXT_H_
