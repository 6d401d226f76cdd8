// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Memory of the emulated driver: what there is, and what clients get wrong.

#include <cstdint>
#include <numeric>
#include <vector>

#include "cc/emulator/driver/testing/driver_under_test.h"

namespace warpyard::emulator::driver {
namespace {

using MemoryTest = DriverTest;

TEST_F(MemoryTest, IsCountedAgainstThePosedSize) {
  size_t before, free, total;
  ASSERT_CU(CU(cuMemGetInfo_v2)(&before, &total));
  EXPECT_EQ(total, size_t{80} << 30);
  const CUdeviceptr large = Allocate(size_t{60} << 30);
  ASSERT_CU(CU(cuMemGetInfo_v2)(&free, &total));
  EXPECT_EQ(before - free, size_t{60} << 30);
  CUdeviceptr more = 1;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&more, size_t{30} << 30), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(more, 0);
  EXPECT_EQ(CU(cuMemAlloc_v2)(&more, ~size_t{0}), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(CU(cuMemAlloc_v2)(&more, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_CU(CU(cuMemsetD8_v2)(large + (size_t{60} << 30) - 1, 1, 1));
  EXPECT_CU(CU(cuMemFree_v2)(large));
  ASSERT_CU(CU(cuMemGetInfo_v2)(&free, &total));
  EXPECT_EQ(free, before);
}

TEST_F(MemoryTest, FreeingWrongly) {
  const CUdeviceptr x = Allocate(1000);
  EXPECT_EQ(CU(cuMemFree_v2)(x + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemFree_v2)(x));
  EXPECT_EQ(CU(cuMemFree_v2)(x), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemFree_v2)(0x1234), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemFree_v2)(0));
  int local = 0;
  EXPECT_EQ(CU(cuMemFreeHost)(&local), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemsetD8_v2)(x, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(MemoryTest, CopiesStayInside) {
  const CUdeviceptr x = Allocate(100);
  std::vector<char> host(200);
  EXPECT_EQ(CU(cuMemcpyHtoD_v2)(x, host.data(), 101), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyDtoH_v2)(host.data(), x + 50, 51), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemcpyHtoD_v2)(0, host.data(), 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemcpyHtoD_v2)(x, host.data(), 100));
  EXPECT_CU(CU(cuMemcpyHtoD_v2)(x, host.data(), 0));
  EXPECT_EQ(CU(cuMemsetD32_v2)(x + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(MemoryTest, ThreeDimensions) {
  // A box of 4 x 3 x 2 bytes out of the middle of 8 x 5 x 3.
  std::vector<uint8_t> source(8 * 5 * 3), target(8 * 5 * 3, 0xff);
  std::iota(source.begin(), source.end(), uint8_t{0});
  const CUdeviceptr device = Allocate(source.size());
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = source.data();
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = device;
  copy.srcXInBytes = 2, copy.srcY = 1, copy.srcZ = 1;
  copy.srcPitch = copy.dstPitch = 8;
  copy.srcHeight = copy.dstHeight = 5;
  copy.WidthInBytes = 4, copy.Height = 3, copy.Depth = 2;
  ASSERT_CU(CU(cuMemsetD8_v2)(device, 0xff, source.size()));
  ASSERT_CU(CU(cuMemcpy3D_v2)(&copy));
  ASSERT_CU(CU(cuMemcpyDtoH_v2)(target.data(), device, target.size()));
  for (unsigned z = 0; z < 3; ++z) {
    for (unsigned y = 0; y < 5; ++y) {
      for (unsigned x = 0; x < 8; ++x) {
        const bool inside = x < 4 && y < 3 && z < 2;
        const unsigned expected = inside ? (x + 2) + 8 * (y + 1) + 40 * (z + 1) : 0xff;
        EXPECT_EQ(target[x + 8 * y + 40 * z], expected) << x << ' ' << y << ' ' << z;
      }
    }
  }
  copy.srcPitch = 3;  // less than a row
  EXPECT_EQ(CU(cuMemcpy3D_v2)(&copy), CUDA_ERROR_INVALID_VALUE);
  copy.srcPitch = 8;
  copy.Depth = 100;
  EXPECT_EQ(CU(cuMemcpy3D_v2)(&copy), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(MemoryTest, PitchedAndSet) {
  CUdeviceptr x;
  size_t pitch;
  ASSERT_CU(CU(cuMemAllocPitch_v2)(&x, &pitch, 100, 3, 4));
  EXPECT_EQ(pitch % 512, 0);
  ASSERT_CU(CU(cuMemsetD8_v2)(x, 0, 3 * pitch));
  ASSERT_CU(CU(cuMemsetD2D16_v2)(x, pitch, 0x1234, 50, 3));
  std::vector<uint16_t> host(3 * pitch / 2);
  ASSERT_CU(CU(cuMemcpyDtoH_v2)(host.data(), x, 3 * pitch));
  for (size_t i = 0; i < host.size(); ++i) {
    ASSERT_EQ(host[i], i % (pitch / 2) < 50 ? 0x1234 : 0) << i;
  }
}

TEST_F(MemoryTest, Pointers) {
  const CUdeviceptr x = Allocate(64);
  unsigned type = 0;
  EXPECT_CU(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + 60));
  EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
  CUcontext context;
  EXPECT_CU(CU(cuPointerGetAttribute)(&context, CU_POINTER_ATTRIBUTE_CONTEXT, x));
  EXPECT_EQ(context, context_);
  EXPECT_EQ(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + (1 << 20)),
            CUDA_ERROR_INVALID_VALUE);
  std::vector<uint32_t> host(16, 3);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(host.data());
  EXPECT_CU(CU(cuMemHostRegister_v2)(host.data(), 64, 0));
  EXPECT_EQ(CU(cuMemHostRegister_v2)(host.data(), 64, 0),
            CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_CU(CU(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  EXPECT_EQ(type, CU_MEMORYTYPE_HOST);
  CUdeviceptr seen = address;
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&seen}));
  ASSERT_CU(CU(cuCtxSynchronize)());
  EXPECT_EQ(host[0], 4);
  EXPECT_CU(CU(cuMemHostUnregister)(host.data()));
  EXPECT_EQ(CU(cuMemHostUnregister)(host.data()), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(CU(cuMemHostRegister_v2)(reinterpret_cast<void*>(uintptr_t{4096}), 64, 0),
            CUDA_ERROR_INVALID_VALUE);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
  void* data[] = {&type};
  EXPECT_CU(CU(cuPointerGetAttributes)(1, attributes, data, address));
  EXPECT_EQ(type, 0);  // no longer known
}

TEST_F(MemoryTest, ManagedMemoryIsTheHostsToo) {
  CUdeviceptr x;
  ASSERT_CU(CU(cuMemAllocManaged)(&x, 4, CU_MEM_ATTACH_GLOBAL));
  auto* const word = reinterpret_cast<volatile uint32_t*>(x);
  *word = 8;
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&x}));
  ASSERT_CU(CU(cuCtxSynchronize)());
  EXPECT_EQ(*word, 9);
  EXPECT_CU(CU(cuMemFree_v2)(x));
}

TEST_F(MemoryTest, Pools) {
  CUmemoryPool pool;
  ASSERT_CU(CU(cuDeviceGetDefaultMemPool)(&pool, device_));
  CUstream stream;
  ASSERT_CU(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr x;
  ASSERT_CU(CU(cuMemAllocAsync)(&x, 1000, stream));
  cuuint64_t used = 0;
  ASSERT_CU(CU(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 1000);
  CUmemoryPool owner;
  ASSERT_CU(CU(cuPointerGetAttribute)(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, x));
  EXPECT_EQ(owner, pool);
  ASSERT_CU(CU(cuMemFreeAsync)(x, stream));
  EXPECT_EQ(CU(cuMemFreeAsync)(x, stream), CUDA_ERROR_INVALID_VALUE);
  ASSERT_CU(CU(cuStreamSynchronize)(stream));
  ASSERT_CU(CU(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 0);
  EXPECT_EQ(CU(cuMemPoolDestroy)(pool), CUDA_ERROR_INVALID_VALUE);
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  properties.maxSize = 4096;
  ASSERT_CU(CU(cuMemPoolCreate)(&pool, &properties));
  ASSERT_CU(CU(cuMemAllocFromPoolAsync)(&x, 4096, pool, stream));
  CUdeviceptr more;
  EXPECT_EQ(CU(cuMemAllocFromPoolAsync)(&more, 1, pool, stream), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_CU(CU(cuMemFreeAsync)(x, stream));
  EXPECT_CU(CU(cuMemPoolDestroy)(pool));
  EXPECT_EQ(CU(cuMemPoolDestroy)(pool), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuStreamSynchronize)(stream));
}

TEST_F(MemoryTest, AddressesAndMemoryApart) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  size_t unit;
  ASSERT_CU(
      CU(cuMemGetAllocationGranularity)(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range;
  ASSERT_CU(CU(cuMemAddressReserve)(&range, 4 * unit, 0, 0, 0));
  CUmemGenericAllocationHandle first, second;
  ASSERT_CU(CU(cuMemCreate)(&first, unit, &properties, 0));
  ASSERT_CU(CU(cuMemCreate)(&second, unit, &properties, 0));
  EXPECT_EQ(CU(cuMemCreate)(&second, unit + 1, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_CU(CU(cuMemMap)(range, unit, 0, first, 0));
  ASSERT_CU(CU(cuMemMap)(range + unit, unit, 0, second, 0));
  EXPECT_EQ(CU(cuMemMap)(range, unit, 0, second, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemMap)(range + 4 * unit, unit, 0, second, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemsetD8_v2)(range, 1, 1), CUDA_ERROR_INVALID_VALUE);  // no access yet
  const CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  EXPECT_EQ(CU(cuMemSetAccess)(range, 4 * unit, &access, 1), CUDA_ERROR_INVALID_VALUE);
  ASSERT_CU(CU(cuMemSetAccess)(range, 2 * unit, &access, 1));
  // Across the seam of two mappings.
  ASSERT_CU(CU(cuMemsetD32_v2)(range + unit - 4, 41, 2));
  CUdeviceptr word = range + unit;
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&word}));
  EXPECT_EQ(Word(range + unit - 4), 41);
  EXPECT_EQ(Word(word), 42);
  // The same memory at another address.
  ASSERT_CU(CU(cuMemMap)(range + 2 * unit, unit, 0, second, 0));
  ASSERT_CU(CU(cuMemSetAccess)(range + 2 * unit, unit, &access, 1));
  EXPECT_EQ(Word(range + 2 * unit), 42);
  EXPECT_CU(CU(cuMemRelease)(first));
  EXPECT_EQ(CU(cuMemRelease)(first), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Word(range + unit - 4), 41);  // the mapping keeps it
  EXPECT_EQ(CU(cuMemAddressFree)(range, 4 * unit), CUDA_ERROR_INVALID_VALUE);
  ASSERT_CU(CU(cuMemUnmap)(range, 3 * unit));
  EXPECT_EQ(CU(cuMemsetD8_v2)(range, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuMemRelease)(second));
  EXPECT_CU(CU(cuMemAddressFree)(range, 4 * unit));
  size_t free, total;
  ASSERT_CU(CU(cuMemGetInfo_v2)(&free, &total));
  EXPECT_GT(free + 2 * unit, total);  // both are given back
}

}  // namespace
}  // namespace warpyard::emulator::driver
