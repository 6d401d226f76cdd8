// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/bindings/status.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "nanobind/nanobind.h"

namespace warpyard::bindings {
namespace {

namespace nb = nanobind;

// Compilers quote sources, which may hold any bytes: those that are not UTF-8
// become U+FFFD.
nb::object Text(std::string_view bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                        "replace"));
}

}  // namespace

void Raise(const absl::Status& status) {
  const std::optional<absl::Cord> log = status.GetPayload(kLogPayload);
  // Imported here and not when the module is loaded: the package imports this
  // module first, and the stub generator loads it without the package.
  const nb::object error = nb::module_::import_("warpyard.errors")
                               .attr("from_status")(static_cast<int>(status.code()),
                                                    Text(status.message()),
                                                    Text(log ? std::string(*log) : ""));
  PyErr_SetObject(error.type().ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace warpyard::bindings
