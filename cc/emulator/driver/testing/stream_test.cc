// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Streams, events and graphs of the emulated driver: what runs when.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "cc/emulator/driver/testing/driver_under_test.h"

namespace warpyard::emulator::driver {
namespace {

// Host memory that kernels see, and that holds work back until it is set.
class Gate {
 public:
  Gate() {
    void* host = nullptr;
    EXPECT_CU(CU(cuMemHostAlloc)(&host, 4, 0));
    word_ = static_cast<uint32_t*>(host);
    *word_ = 0;
  }
  CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(word_); }
  void Open() { std::atomic_ref<uint32_t>(*word_).store(1); }

 private:
  uint32_t* word_;
};

class StreamTest : public DriverTest {
 protected:
  CUstream Stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
    CUstream stream = nullptr;
    EXPECT_CU(CU(cuStreamCreate)(&stream, flags));
    return stream;
  }
  // Work that ends when the gate opens.
  void Hold(CUstream stream, const Gate& gate) {
    EXPECT_CU(CU(cuStreamWaitValue32_v2)(stream, gate.address(), 1, CU_STREAM_WAIT_VALUE_EQ));
  }
};

TEST_F(StreamTest, WorkIsAsynchronous) {
  Gate gate;
  const CUstream stream = Stream();
  Hold(stream, gate);
  CUdeviceptr x = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32Async)(x, 5, 1, stream));
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, stream, {&x}));
  EXPECT_EQ(CU(cuStreamQuery)(stream), CUDA_ERROR_NOT_READY);
  gate.Open();
  EXPECT_CU(CU(cuStreamSynchronize)(stream));
  EXPECT_CU(CU(cuStreamQuery)(stream));
  EXPECT_EQ(Word(x), 6);
}

TEST_F(StreamTest, AKernelWaitsForTheHost) {
  Gate gate;
  const CUstream stream = Stream();
  CUdeviceptr address = gate.address();
  ASSERT_CU(Launch(Kernel("forever"), 1, 32, stream, {&address}));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(CU(cuStreamQuery)(stream), CUDA_ERROR_NOT_READY);
  gate.Open();
  EXPECT_CU(CU(cuStreamSynchronize)(stream));
}

TEST_F(StreamTest, EventsOrderStreams) {
  Gate gate;
  const CUstream first = Stream();
  const CUstream second = Stream();
  CUevent event;
  ASSERT_CU(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
  EXPECT_CU(CU(cuEventQuery)(event));  // never recorded
  CUdeviceptr x = Allocate(4);
  Hold(first, gate);
  ASSERT_CU(CU(cuMemsetD32Async)(x, 10, 1, first));
  ASSERT_CU(CU(cuEventRecord)(event, first));
  ASSERT_CU(CU(cuStreamWaitEvent)(second, event, 0));
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, second, {&x}));
  EXPECT_EQ(CU(cuEventQuery)(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(CU(cuStreamQuery)(second), CUDA_ERROR_NOT_READY);
  gate.Open();
  EXPECT_CU(CU(cuEventSynchronize)(event));
  EXPECT_CU(CU(cuStreamSynchronize)(second));
  EXPECT_EQ(Word(x), 11);
  EXPECT_CU(CU(cuEventDestroy_v2)(event));
  EXPECT_EQ(CU(cuEventDestroy_v2)(event), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(StreamTest, TheLegacyStreamTakesTurns) {
  Gate gate;
  const CUstream blocking = Stream(CU_STREAM_DEFAULT);
  const CUstream apart = Stream();
  CUdeviceptr x = Allocate(4);
  Hold(blocking, gate);
  ASSERT_CU(CU(cuMemsetD32Async)(x, 1, 1, blocking));
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, nullptr, {&x}));
  ASSERT_CU(CU(cuMemsetD32Async)(Allocate(4), 1, 1, apart));
  EXPECT_CU(CU(cuStreamSynchronize)(apart));  // does not wait for the others
  EXPECT_EQ(CU(cuStreamQuery)(nullptr), CUDA_ERROR_NOT_READY);
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, blocking, {&x}));
  gate.Open();
  EXPECT_EQ(Word(x), 3);
}

TEST_F(StreamTest, AThreadsOwnStream) {
  CUstream stream = CU_STREAM_PER_THREAD;
  CUdeviceptr x = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32Async)(x, 3, 1, stream));
  ASSERT_CU(Launch(Kernel("add_one"), 1, 1, stream, {&x}));
  ASSERT_CU(CU(cuStreamSynchronize_ptsz)(nullptr));
  uint32_t word = 0;
  ASSERT_CU(CU(cuMemcpyDtoH_v2_ptds)(&word, x, 4));
  EXPECT_EQ(word, 4);
}

void AddTo(void* data) { ++*static_cast<int*>(data); }

TEST_F(StreamTest, HostFunctionsRunInOrder) {
  const CUstream stream = Stream();
  int calls = 0;
  for (int i = 0; i < 100; ++i) ASSERT_CU(CU(cuLaunchHostFunc)(stream, &AddTo, &calls));
  ASSERT_CU(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(calls, 100);
}

TEST_F(StreamTest, EventsMeasureTime) {
  const CUstream stream = Stream();
  CUevent start, end;
  ASSERT_CU(CU(cuEventCreate)(&start, 0));
  ASSERT_CU(CU(cuEventCreate)(&end, 0));
  float milliseconds = -1;
  EXPECT_EQ(CU(cuEventElapsedTime_v2)(&milliseconds, start, end), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_CU(CU(cuEventRecord)(start, stream));
  ASSERT_CU(CU(cuLaunchHostFunc)(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr));
  ASSERT_CU(CU(cuEventRecord)(end, stream));
  EXPECT_EQ(CU(cuEventElapsedTime_v2)(&milliseconds, start, end), CUDA_ERROR_NOT_READY);
  ASSERT_CU(CU(cuEventSynchronize)(end));
  ASSERT_CU(CU(cuEventElapsedTime_v2)(&milliseconds, start, end));
  EXPECT_GE(milliseconds, 20);
}

TEST_F(StreamTest, PageableMemoryMayChangeAfterTheCall) {
  Gate gate;
  const CUstream stream = Stream();
  Hold(stream, gate);
  CUdeviceptr x = Allocate(4);
  uint32_t word = 17;
  ASSERT_CU(CU(cuMemcpyHtoDAsync_v2)(x, &word, 4, stream));
  word = 0;
  gate.Open();
  ASSERT_CU(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(Word(x), 17);
}

TEST_F(StreamTest, ACapturedGraph) {
  const CUstream origin = Stream();
  const CUstream side = Stream();
  CUdeviceptr x = Allocate(4), y = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32_v2)(x, 0, 1));
  ASSERT_CU(CU(cuMemsetD32_v2)(y, 0, 1));
  CUevent fork, join;
  ASSERT_CU(CU(cuEventCreate)(&fork, CU_EVENT_DISABLE_TIMING));
  ASSERT_CU(CU(cuEventCreate)(&join, CU_EVENT_DISABLE_TIMING));
  const CUfunction add_one = Kernel("add_one");
  ASSERT_CU(CU(cuStreamBeginCapture_v2)(origin, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_CU(Launch(add_one, 1, 1, origin, {&x}));
  ASSERT_CU(CU(cuEventRecord)(fork, origin));
  ASSERT_CU(CU(cuStreamWaitEvent)(side, fork, 0));
  ASSERT_CU(Launch(add_one, 1, 1, side, {&y}));
  ASSERT_CU(CU(cuEventRecord)(join, side));
  CUstreamCaptureStatus status;
  ASSERT_CU(CU(cuStreamIsCapturing)(side, &status));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_CU(CU(cuStreamWaitEvent)(origin, join, 0));
  ASSERT_CU(Launch(add_one, 1, 1, origin, {&x}));
  CUgraph graph;
  ASSERT_CU(CU(cuStreamEndCapture)(origin, &graph));
  EXPECT_EQ(Word(x), 0);  // nothing has run
  size_t nodes = 0, edges = 0;
  ASSERT_CU(CU(cuGraphGetNodes)(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 3);
  ASSERT_CU(CU(cuGraphGetEdges_v2)(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 3);
  CUgraphExec executable;
  ASSERT_CU(CU(cuGraphInstantiateWithFlags)(&executable, graph, 0));
  ASSERT_CU(CU(cuGraphDestroy)(graph));
  for (int i = 0; i < 5; ++i) ASSERT_CU(CU(cuGraphLaunch)(executable, origin));
  ASSERT_CU(CU(cuStreamSynchronize)(origin));
  EXPECT_EQ(Word(x), 10);
  EXPECT_EQ(Word(y), 5);
  EXPECT_CU(CU(cuGraphExecDestroy)(executable));
  EXPECT_EQ(CU(cuGraphLaunch)(executable, origin), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(StreamTest, CapturesThatFail) {
  const CUstream origin = Stream();
  const CUstream side = Stream();
  CUevent event;
  ASSERT_CU(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING));
  CUdeviceptr x = Allocate(4);
  const CUfunction add_one = Kernel("add_one");
  CUgraph graph;
  EXPECT_EQ(CU(cuStreamEndCapture)(origin, &graph), CUDA_ERROR_ILLEGAL_STATE);
  EXPECT_EQ(CU(cuStreamBeginCapture_v2)(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  // Work that does not come back.
  ASSERT_CU(CU(cuStreamBeginCapture_v2)(origin, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_CU(CU(cuEventRecord)(event, origin));
  ASSERT_CU(CU(cuStreamWaitEvent)(side, event, 0));
  ASSERT_CU(Launch(add_one, 1, 1, side, {&x}));
  EXPECT_EQ(CU(cuStreamEndCapture)(side, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  EXPECT_EQ(CU(cuStreamEndCapture)(origin, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  ASSERT_CU(CU(cuStreamBeginCapture_v2)(origin, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_CU(CU(cuEventRecord)(event, origin));
  ASSERT_CU(CU(cuStreamWaitEvent)(side, event, 0));
  ASSERT_CU(Launch(add_one, 1, 1, side, {&x}));
  EXPECT_EQ(CU(cuStreamEndCapture)(origin, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  // A call that would wait.
  ASSERT_CU(CU(cuStreamBeginCapture_v2)(origin, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUdeviceptr y;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&y, 4), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(Launch(add_one, 1, 1, origin, {&x}), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(CU(cuStreamEndCapture)(origin, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_CU(Launch(add_one, 1, 1, origin, {&x}));
}

TEST_F(StreamTest, AGraphByHandAndItsUpdates) {
  CUdeviceptr x = Allocate(4), y = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32_v2)(y, 100, 1));
  CUgraph graph;
  ASSERT_CU(CU(cuGraphCreate)(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS set = {x, 0, 5, 4, 1, 1};
  CUgraphNode first, second, third;
  ASSERT_CU(CU(cuGraphAddMemsetNode)(&first, graph, nullptr, 0, &set, context_));
  CUDA_KERNEL_NODE_PARAMS_v2 kernel{};
  kernel.func = Kernel("add_one");
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  void* arguments[] = {&x};
  kernel.kernelParams = arguments;
  ASSERT_CU(CU(cuGraphAddKernelNode_v2)(&second, graph, &first, 1, &kernel));
  ASSERT_CU(CU(cuGraphAddEmptyNode)(&third, graph, &second, 1));
  CUgraphExec executable;
  ASSERT_CU(CU(cuGraphInstantiateWithFlags)(&executable, graph, 0));
  ASSERT_CU(CU(cuGraphLaunch)(executable, nullptr));
  EXPECT_EQ(Word(x), 6);
  void* others[] = {&y};
  kernel.kernelParams = others;
  ASSERT_CU(CU(cuGraphExecKernelNodeSetParams_v2)(executable, second, &kernel));
  ASSERT_CU(CU(cuGraphLaunch)(executable, nullptr));
  EXPECT_EQ(Word(x), 5);
  EXPECT_EQ(Word(y), 101);
  // The graph itself was not changed, so that an update brings the old node back.
  CUgraphExecUpdateResultInfo info;
  ASSERT_CU(CU(cuGraphExecUpdate_v2)(executable, graph, &info));
  ASSERT_CU(CU(cuGraphLaunch)(executable, nullptr));
  EXPECT_EQ(Word(x), 6);
  EXPECT_EQ(Word(y), 101);
  ASSERT_CU(CU(cuGraphDestroyNode)(third));
  EXPECT_EQ(CU(cuGraphExecUpdate_v2)(executable, graph, &info),
            CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  // A cycle cannot be instantiated.
  ASSERT_CU(CU(cuGraphAddDependencies_v2)(graph, &second, &first, nullptr, 1));
  CUgraphExec broken;
  EXPECT_EQ(CU(cuGraphInstantiateWithFlags)(&broken, graph, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_CU(CU(cuGraphDestroy)(graph));
  EXPECT_CU(CU(cuGraphExecDestroy)(executable));
}

TEST_F(StreamTest, AConditionalNode) {
  CUgraph graph;
  ASSERT_CU(CU(cuGraphCreate)(&graph, 0));
  CUdeviceptr x = Allocate(4);
  ASSERT_CU(CU(cuMemsetD32_v2)(x, 0, 1));
  for (const unsigned value : {0u, 1u}) {
    CUgraphConditionalHandle handle;
    ASSERT_CU(CU(cuGraphConditionalHandleCreate)(&handle, graph, context_, value,
                                                 CU_GRAPH_COND_ASSIGN_DEFAULT));
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional.handle = handle;
    params.conditional.type = CU_GRAPH_COND_TYPE_IF;
    params.conditional.size = 1;
    params.conditional.ctx = context_;
    CUgraphNode node;
    ASSERT_CU(CU(cuGraphAddNode_v2)(&node, graph, nullptr, nullptr, 0, &params));
    const CUDA_MEMSET_NODE_PARAMS set = {x, 0, 40 + value, 4, 1, 1};
    CUgraphNode inner;
    ASSERT_CU(CU(cuGraphAddMemsetNode)(&inner, params.conditional.phGraph_out[0], nullptr, 0, &set,
                                       context_));
  }
  CUgraphExec executable;
  ASSERT_CU(CU(cuGraphInstantiateWithFlags)(&executable, graph, 0));
  ASSERT_CU(CU(cuGraphLaunch)(executable, nullptr));
  EXPECT_EQ(Word(x), 41);
  EXPECT_CU(CU(cuGraphExecDestroy)(executable));
  EXPECT_CU(CU(cuGraphDestroy)(graph));
}

TEST_F(StreamTest, ManyThreadsAtOnce) {
  constexpr int kThreads = 8;
  constexpr int kLaunches = 50;
  const CUfunction add_one = Kernel("add_one");
  std::vector<uint32_t> results(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      ASSERT_CU(CU(cuCtxSetCurrent)(context_));
      CUstream stream;
      ASSERT_CU(CU(cuStreamCreate)(&stream, t % 2 == 0 ? 0 : CU_STREAM_NON_BLOCKING));
      CUdeviceptr x;
      ASSERT_CU(CU(cuMemAllocAsync)(&x, 4, stream));
      ASSERT_CU(CU(cuMemsetD32Async)(x, 0, 1, stream));
      for (int i = 0; i < kLaunches; ++i) ASSERT_CU(Launch(add_one, 1, 1, stream, {&x}));
      ASSERT_CU(CU(cuMemcpyDtoHAsync_v2)(&results[t], x, 4, stream));
      ASSERT_CU(CU(cuMemFreeAsync)(x, stream));
      ASSERT_CU(CU(cuStreamSynchronize)(stream));
      ASSERT_CU(CU(cuStreamDestroy_v2)(stream));
      EXPECT_EQ(CU(cuStreamSynchronize)(stream), CUDA_ERROR_INVALID_HANDLE);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const uint32_t result : results) EXPECT_EQ(result, kLaunches);
}

}  // namespace
}  // namespace warpyard::emulator::driver
