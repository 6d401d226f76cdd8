// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// The primary context of a device: what memory, modules, streams and events
// belong to.

#ifndef WARPYARD_CC_DRIVER_CONTEXT_H_
#define WARPYARD_CC_DRIVER_CONTEXT_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/driver/driver.h"

struct CUctx_st;

namespace warpyard::driver {

// Everything that lives in a context keeps it, so it is released last.
// Thread-safe.
class Context {
 public:
  // Retains the primary context of device `ordinal` (CUDA: made on first use,
  // shared by all who retain it). OUT_OF_RANGE: there is no such device.
  static absl::StatusOr<std::shared_ptr<const Context>> Retain(const Driver* driver, int ordinal);

  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return *driver_; }
  int ordinal() const { return ordinal_; }
  CUctx_st* handle() const { return handle_; }

  // Waits for all work of the context. A fault of a kernel is returned here, or
  // by any later call, and lasts: the context is lost then.
  absl::Status Synchronize() const;

  // Lets kernels of this context use memory of `peer`'s. OK when they could
  // already. UNIMPLEMENTED where the devices have no such link.
  absl::Status EnablePeerAccess(const Context& peer) const;

 private:
  Context(const Driver* driver, int ordinal, int device, CUctx_st* handle)
      : driver_(driver), ordinal_(ordinal), device_(device), handle_(handle) {}

  const Driver* const driver_;
  const int ordinal_;
  const int device_;  // CUdevice
  CUctx_st* const handle_;
};

// Makes the context current in this thread, and what was current before again at
// the end. `status` tells whether it could.
class ScopedContext {
 public:
  explicit ScopedContext(const Context& context);
  ~ScopedContext();
  ScopedContext(const ScopedContext&) = delete;
  ScopedContext& operator=(const ScopedContext&) = delete;

  const absl::Status& status() const { return status_; }

 private:
  const Driver& driver_;
  absl::Status status_;
};

}  // namespace warpyard::driver

#endif  // WARPYARD_CC_DRIVER_CONTEXT_H_
