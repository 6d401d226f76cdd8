// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/bindings/status.h"

#include "absl/status/status.h"
#include "cc/bindings/text.h"
#include "cc/ptx/compile_log_status.h"
#include "nanobind/nanobind.h"

namespace warpyard::bindings {

namespace nb = nanobind;

void Raise(const absl::Status& status) {
  // Imported here and not when the module is loaded: the package imports this
  // module first, and the stub generator loads it without the package.
  const nb::object error =
      nb::module_::import_("warpyard.errors")
          .attr("from_status")(static_cast<int>(status.code()), Text(status.message()),
                               Text(ptx::LogOf(status)));
  PyErr_SetObject(error.type().ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace warpyard::bindings
