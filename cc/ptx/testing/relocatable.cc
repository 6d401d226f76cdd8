// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/ptx/testing/relocatable.h"

#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/nvrtc_provider.h"
#include "cc/ptx/provider.h"
#include "cc/ptx/testing/cuda_for_test.h"
#include "cc/ptx/testing/requests.h"

namespace warpyard::ptx {

Objects CompileObjects(std::string_view name, std::string_view source, std::string_view target) {
  const std::unique_ptr<Provider> nvrtc = MakeNvrtcProvider(CudaForTest());
  CompileOptions options;
  options.relocatable = true;
  const Input input = CudaInput(absl::StrCat(name, ".cu"), source);
  const CompileResult relocatable =
      nvrtc
          ->Compile(Request({input}, target,
                            {OutputKind::kPtx, OutputKind::kCubin, OutputKind::kLtoIr}, options))
          .value();
  absl::StatusOr<CompileResult> finished =
      nvrtc->Compile(Request({input}, target, {OutputKind::kCubin}));
  return {.ptx = PtxInput(absl::StrCat(name, ".ptx"), relocatable.ptx),
          .cubin = CubinInput(absl::StrCat(name, ".cubin"), relocatable.cubin),
          .lto_ir = LtoInput(absl::StrCat(name, ".lto"), relocatable.lto_ir),
          .finished = CubinInput(absl::StrCat(name, ".finished.cubin"),
                                 finished.ok() ? finished->cubin : "")};
}

}  // namespace warpyard::ptx
