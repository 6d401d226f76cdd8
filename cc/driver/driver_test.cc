// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Everything above the driver's table, against a driver that is made for it.
// tests/emulator has the same on one that runs kernels.

#include "cc/driver/driver.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/base/environment.h"
#include "cc/base/version.h"
#include "cc/driver/context.h"
#include "cc/driver/device.h"
#include "cc/driver/device_memory.h"
#include "cc/driver/driver_location.h"
#include "cc/driver/event.h"
#include "cc/driver/graph.h"
#include "cc/driver/module.h"
#include "cc/driver/result_code.h"
#include "cc/driver/stream.h"
#include "cc/driver/tensor_map.h"
#include "cc/ptx/compile_log_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace warpyard::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string FakePath() { return std::getenv("WARPYARD_FAKE_DRIVER"); }

template <typename T>
std::string_view Bytes(const T& value) {
  return std::string_view(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

class DriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("WARPYARD_FAKE_DEVICES", "2", 1);
    unsetenv("WARPYARD_FAKE_VERSION");
    absl::StatusOr<const Driver*> driver = Driver::Open(FakePath(), "test");
    ASSERT_TRUE(driver.ok()) << driver.status();
    driver_ = *driver;
    absl::StatusOr<std::shared_ptr<const Context>> context = Context::Retain(driver_, 0);
    ASSERT_TRUE(context.ok()) << context.status();
    context_ = *context;
  }

  std::unique_ptr<Kernel> FindKernel(const std::string& name) {
    auto module = Module::Load(context_, "image");
    EXPECT_TRUE(module.ok()) << module.status();
    auto kernel = Kernel::Find(*module, name);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    return *std::move(kernel);
  }

  const Driver* driver_ = nullptr;
  std::shared_ptr<const Context> context_;
};

TEST(DriverLocationTest, TheVariablesComeFirst) {
  EXPECT_THAT(DriverLocations(Environment(Environment::Variables{{"WARPYARD_CUDA_DRIVER", "/x.so"},
                                                                 {"WARPYARD_EMULATE", "h100"}}),
                              "/e.so"),
              ElementsAre(DriverLocation{"/x.so", "WARPYARD_CUDA_DRIVER"}));
  EXPECT_THAT(
      DriverLocations(Environment(Environment::Variables{{"WARPYARD_EMULATE", "h100"}}), "/e.so"),
      ElementsAre(DriverLocation{"/e.so", "WARPYARD_EMULATE"}));
  EXPECT_THAT(DriverLocations(
                  Environment(Environment::Variables{{"WARPYARD_CUDA_DRIVER", "system"}}), "/e.so"),
              ElementsAre(DriverLocation{"libcuda.so.1", "WARPYARD_CUDA_DRIVER"}));
  EXPECT_THAT(DriverLocations(Environment(), "/e.so"),
              ElementsAre(DriverLocation{"libcuda.so.1", "the system's driver"},
                          DriverLocation{"/e.so", "the emulated driver"}));
  EXPECT_THAT(DriverLocations(Environment(), ""),
              ElementsAre(DriverLocation{"libcuda.so.1", "the system's driver"}));
}

TEST(DriverOpenTest, WhatIsNoDriver) {
  EXPECT_EQ(Driver::Open("/nowhere/libcuda.so.1", "").status().code(), absl::StatusCode::kNotFound);
  const absl::Status other = Driver::Open("libm.so.6", "").status();
  EXPECT_EQ(other.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(other), HasSubstr("does not export cuInit, cuDriverGetVersion"));
}

TEST(DriverOpenTest, ADriverThatIsTooOld) {
  setenv("WARPYARD_FAKE_VERSION", "11080", 1);
  const absl::Status old = Driver::Open(FakePath(), "").status();
  EXPECT_EQ(old.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(old), HasSubstr("is of CUDA 11.8; 12.0 or later is needed"));
  unsetenv("WARPYARD_FAKE_VERSION");
}

TEST(DriverOpenTest, WithoutAGpu) {
  setenv("WARPYARD_FAKE_DEVICES", "0", 1);
  const absl::StatusOr<const Driver*> driver = Driver::Open(FakePath(), "");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ((*driver)->device_count(), 0);
  const absl::Status none = Context::Retain(*driver, 0).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(none), HasSubstr("finds no GPU. To emulate one"));
}

TEST(DriverOpenTest, TheEmulatedDriverIsToldFromOthers) {
  const absl::Status status = Driver::Emulated(FakePath(), "h100").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("is not Warpyard's emulated driver"));
  EXPECT_EQ(Driver::Emulated("/nowhere.so", "h100").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(DriverTest, DescribesDevices) {
  EXPECT_EQ(driver_->cuda_version(), Version(13, 0));
  EXPECT_FALSE(driver_->emulated());
  const auto info = DescribeDevice(*driver_, 1);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->name, "Fake GPU");
  EXPECT_EQ(info->compute_capability.ToString(), "9.0");
  EXPECT_EQ(info->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(info->pci_bus_id, "");
  EXPECT_EQ(info->memory_bytes, uint64_t{1} << 30);
  EXPECT_EQ(DeviceAttribute(*driver_, 0, 16).value(), 132);  // multiprocessors
  EXPECT_TRUE(CanAccessPeer(*driver_, 0, 1).value());
  const absl::Status none = DescribeDevice(*driver_, 2).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(MessageOf(none), HasSubstr("device 2: the driver"));
  EXPECT_EQ(Context::Retain(driver_, -1).status().code(), absl::StatusCode::kOutOfRange);
}

TEST_F(DriverTest, MemoryIsFreed) {
  const uint64_t before = AvailableMemory(*context_)->free_bytes;
  {
    const auto memory = DeviceMemory::Allocate(context_, 4096);
    ASSERT_TRUE(memory.ok());
    EXPECT_EQ(AvailableMemory(*context_)->free_bytes, before - 4096);
  }
  EXPECT_EQ(AvailableMemory(*context_)->free_bytes, before);
  EXPECT_EQ((*DeviceMemory::Allocate(context_, 0))->address(), 0);
  const absl::Status full = DeviceMemory::Allocate(context_, uint64_t{1} << 40).status();
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(MessageOf(full), HasSubstr("cuMemAlloc of 1099511627776 bytes failed: out of memory "
                                         "(CUDA_ERROR_OUT_OF_MEMORY, 2)"));
}

TEST_F(DriverTest, CopiesAndLaunches) {
  const auto memory = DeviceMemory::Allocate(context_, 16);
  const auto stream = Stream::Create(context_);
  ASSERT_TRUE(memory.ok() && stream.ok());
  const uint64_t address = (*memory)->address();
  std::array<float, 4> data = {1, 2, 3, 4};
  ASSERT_TRUE((*stream)->CopyFromHost(address, data.data(), 16).ok());
  const auto kernel = FindKernel("add_one");
  const int count = 3;
  ASSERT_TRUE(kernel->Launch({.block = {32, 1, 1}}, {Bytes(address), Bytes(count)}, **stream).ok());
  ASSERT_TRUE(kernel
                  ->Launch({.block = {32, 1, 1}, .cluster = Extent{2, 1, 1}, .cooperative = true},
                           {Bytes(address), Bytes(count)}, **stream)
                  .ok());
  ASSERT_TRUE((*stream)->CopyToHost(data.data(), address, 16).ok());
  ASSERT_TRUE((*stream)->Synchronize().ok());
  EXPECT_THAT(data, ElementsAre(3, 4, 5, 4));
  ASSERT_TRUE((*stream)->Fill(address, 0, 8).ok());
  ASSERT_TRUE((*stream)->CopyOnDevice(address + 8, address, 4).ok());
  ASSERT_TRUE((*stream)->CopyToHost(data.data(), address, 16).ok());
  EXPECT_THAT(data, ElementsAre(0, 0, 0, 4));
  EXPECT_TRUE((*stream)->Done().value());
}

TEST_F(DriverTest, PeersCopy) {
  const auto other = Context::Retain(driver_, 1);
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(context_->EnablePeerAccess(**other).ok());  // already is
  const auto from = DeviceMemory::Allocate(*other, 4);
  const auto to = DeviceMemory::Allocate(context_, 4);
  const auto stream = Stream::Default(context_);
  float value = 2.5f;
  ASSERT_TRUE(Stream::Default(*other)->CopyFromHost((*from)->address(), &value, 4).ok());
  ASSERT_TRUE(stream->CopyFromPeer((*to)->address(), (*from)->address(), **other, 4).ok());
  value = 0;
  ASSERT_TRUE(stream->CopyToHost(&value, (*to)->address(), 4).ok());
  EXPECT_EQ(value, 2.5f);
  // A kernel of one device on a stream of the other.
  const auto other_stream = Stream::Default(*other);
  const absl::Status status = FindKernel("fault")->Launch({}, {}, *other_stream);
  EXPECT_THAT(MessageOf(status), HasSubstr("is loaded for device 0, the stream is of device 1"));
}

TEST_F(DriverTest, WhatALaunchRefuses) {
  const auto kernel = FindKernel("add_one");
  const auto stream = Stream::Default(context_);
  const uint64_t pointer = 0;
  const int count = 0;
  ASSERT_TRUE(kernel->parameters().has_value());
  EXPECT_EQ(kernel->parameters()->size(), 2);
  EXPECT_EQ(kernel->Attributes()->registers, 12);
  absl::Status status = kernel->Launch({}, {Bytes(pointer)}, *stream);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(status), HasSubstr("kernel add_one takes 2 arguments, found 1"));
  status = kernel->Launch({}, {Bytes(pointer), Bytes(pointer)}, *stream);
  EXPECT_THAT(MessageOf(status), HasSubstr("kernel add_one: argument 1 has 8 bytes, expected 4"));
  status = kernel->Launch({.block = {2048, 1, 1}}, {Bytes(pointer), Bytes(count)}, *stream);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(status),
              HasSubstr("the launch of add_one with grid (1, 1, 1), block (2048, 1, 1) failed"));
  status =
      kernel->Launch({.dynamic_shared_bytes = 300 << 10}, {Bytes(pointer), Bytes(count)}, *stream);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(MessageOf(status), HasSubstr("307200 bytes of dynamic shared memory"));
}

TEST_F(DriverTest, Modules) {
  const absl::Status broken = Module::Load(context_, "broken").status();
  EXPECT_EQ(broken.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(broken), HasSubstr("line 1: that is no PTX"));
  EXPECT_EQ(ptx::LogOf(broken), "line 1: that is no PTX");
  EXPECT_EQ(Module::Load(context_, "").status().code(), absl::StatusCode::kInvalidArgument);

  const auto module = Module::Load(context_, "image");
  ASSERT_TRUE(module.ok());
  EXPECT_THAT((*module)->KernelNames().value(), ElementsAre("add_one", "fault"));
  const absl::Status none = Kernel::Find(*module, "add_two").status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(none), HasSubstr("no kernel \"add_two\"; it has: add_one, fault"));
  EXPECT_EQ((*module)->FindVariable("table")->bytes, 16);
  EXPECT_EQ((*module)->FindVariable("chair").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(DriverTest, EventsAndGraphs) {
  const auto stream = Stream::Create(context_);
  const auto start = Event::Create(context_);
  const auto end = Event::Create(context_);
  ASSERT_TRUE(stream.ok() && start.ok() && end.ok());
  EXPECT_TRUE((*start)->Record(**stream).ok());
  EXPECT_TRUE((*start)->BlockStream(**stream).ok());
  EXPECT_FALSE((*end)->Done().value());
  EXPECT_EQ((*end)->ElapsedSince(**start).value(), absl::Microseconds(1500));

  EXPECT_EQ(Graph::EndCapture(**stream).status().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(BeginCapture(**stream).ok());
  const auto kernel = FindKernel("add_one");
  const uint64_t pointer = 0;
  const int count = 0;
  ASSERT_TRUE(kernel->Launch({}, {Bytes(pointer), Bytes(count)}, **stream).ok());
  const auto graph = Graph::EndCapture(**stream);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->node_count(), 1);
  EXPECT_TRUE((*graph)->Launch(**stream).ok());
}

TEST_F(DriverTest, WhatTheDriverLacksIsNamed) {
  const absl::Status status =
      EncodeTensorMap(
          *driver_,
          {.element_type = "f16", .dimensions = {64, 64}, .byte_strides = {128}, .box = {8, 8}})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(MessageOf(status), HasSubstr("cuTensorMapEncodeTiled is missing"));
  EXPECT_THAT(MessageOf(EncodeTensorMap(*driver_, {.element_type = "f13"}).status()),
              HasSubstr("\"f13\", expected one of u8"));
  EXPECT_EQ(driver_->SetSanitizer("all").code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(driver_->TakeReports(), "");
}

TEST(ResultCodeTest, FaultsAreAborted) {
  for (int result : {700, 710, 714, 715, 716, 717, 718, 719}) {
    EXPECT_TRUE(IsDeviceFault(result)) << result;
    EXPECT_EQ(StatusCodeOf(result), absl::StatusCode::kAborted) << result;
  }
  EXPECT_EQ(StatusCodeOf(702), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(StatusCodeOf(999), absl::StatusCode::kInternal);
  EXPECT_EQ(StatusCodeOf(123456), absl::StatusCode::kInternal);
  EXPECT_FALSE(IsDeviceFault(2));
}

// Last: the fake driver's fault lasts as long as the process.
TEST_F(DriverTest, YFaultsComeOutWhenItIsSynchronized) {
  const auto stream = Stream::Default(context_);
  ASSERT_TRUE(FindKernel("fault")->Launch({}, {}, *stream).ok());
  const absl::Status fault = stream->Synchronize();
  EXPECT_EQ(fault.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(MessageOf(fault),
            "cuStreamSynchronize failed: an illegal memory access was encountered "
            "(CUDA_ERROR_ILLEGAL_ADDRESS, 700)");
  EXPECT_EQ(context_->Synchronize().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace warpyard::driver
