// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/bindings/toolkit_bindings.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cc/base/environment.h"
#include "cc/bindings/status.h"
#include "cc/bindings/text.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compiler.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/target/compute_capability.h"
#include "nanobind/nanobind.h"
#include "nanobind/stl/string.h"
#include "nanobind/stl/vector.h"

namespace warpyard::bindings {

namespace nb = nanobind;
using nb::literals::operator""_a;

void BindToolkit(nb::module_& m) {
  nb::class_<ptx::ToolPaths>(m, "ToolPaths",
                             "Where the parts of the CUDA toolkit are; empty where they are not.")
      .def_ro("nvrtc", &ptx::ToolPaths::nvrtc)
      .def_ro("nvvm", &ptx::ToolPaths::nvvm)
      .def_ro("nvjitlink", &ptx::ToolPaths::nvjitlink)
      .def_ro("ptxas", &ptx::ToolPaths::ptxas)
      .def_ro("nvlink", &ptx::ToolPaths::nvlink)
      .def_ro("nvdisasm", &ptx::ToolPaths::nvdisasm)
      .def_ro("cuobjdump", &ptx::ToolPaths::cuobjdump)
      .def_ro("cuda_include", &ptx::ToolPaths::cuda_include)
      .def_ro("cccl_include", &ptx::ToolPaths::cccl_include)
      .def_ro("libdevice", &ptx::ToolPaths::libdevice)
      .def_ro("searched", &ptx::ToolPaths::searched);
  m.def(
      "locate_cuda",
      [](const std::vector<std::string>& cuda_roots) {
        return ptx::LocateCuda(Environment::FromProcess(), cuda_roots);
      },
      "cuda_roots"_a);
  m.def(
      "compile_to_ptx",
      [](ptx::Compiler& compiler, nb::bytes source, std::string name,
         const ComputeCapability& target, const ptx::CompileOptions& options) {
        ptx::CompileRequest request;
        request.inputs.push_back({.kind = ptx::InputKind::kCudaCpp,
                                  .name = std::move(name),
                                  .bytes = std::string(source.c_str(), source.size())});
        request.target = target;
        request.outputs.push_back(ptx::OutputKind::kPtx);
        request.options = options;
        absl::StatusOr<ptx::CompileResult> result = absl::UnknownError("");
        {
          nb::gil_scoped_release release;
          result = compiler.Compile(request);
        }
        return Text(ValueOrRaise(std::move(result)).ptx);
      },
      "compiler"_a, "source"_a, "name"_a, "target"_a, "options"_a,
      "CUDA C++ to PTX alone, which takes a fraction of the time that machine code does.");
}

}  // namespace warpyard::bindings
