// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Objects for tests of linkers, compiled by NVRTC.

#ifndef WARPYARD_CC_PTX_TESTING_RELOCATABLE_H_
#define WARPYARD_CC_PTX_TESTING_RELOCATABLE_H_

#include <string_view>

#include "cc/ptx/compilation.h"

namespace warpyard::ptx {

// `source`, CUDA C++, in every form of a relocatable compilation. `finished`
// has the CUBIN of an ordinary compilation, or nothing where the source needs
// another one to be whole.
struct Objects {
  Input ptx;
  Input cubin;
  Input lto_ir;
  Input finished;
};

// Names are `name` with ".ptx", ".cubin", ".lto" and ".finished.cubin". Ends the
// program when the source does not compile.
Objects CompileObjects(std::string_view name, std::string_view source, std::string_view target);

}  // namespace warpyard::ptx

#endif  // WARPYARD_CC_PTX_TESTING_RELOCATABLE_H_
