// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// One of each thing that bindings are made of, for probe_test.py.

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "nanobind/nanobind.h"
#include "nanobind/ndarray.h"
#include "nanobind/stl/string.h"
#include "nanobind/stl/string_view.h"

namespace nb = nanobind;
using namespace nanobind::literals;

namespace {

enum class Colour { kRed = 1, kBlue = 2 };

class ProbeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Counter {
 public:
  explicit Counter(int start) : value_(start) {}
  int value() const { return value_; }
  int Add(int amount) { return value_ += amount; }

 private:
  int value_;
};

using FloatArray = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Raises the exception that `kind` names.
void Fail(std::string_view kind) {
  if (kind == "probe") throw ProbeError("a registered exception");
  if (kind == "value") throw nb::value_error("nanobind's own exception");
  if (kind == "standard") throw std::out_of_range("a standard exception");
  if (kind == "unknown") throw 7;
}

// Calls `function` and gives the text of the Python exception that it raises.
std::string CatchFrom(const nb::callable& function) {
  try {
    function();
  } catch (const nb::python_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

NB_MODULE(probe, m) {
  m.doc() = "A module that tests the nanobind_extension rule.";
  nb::enum_<Colour>(m, "Colour").value("RED", Colour::kRed).value("BLUE", Colour::kBlue);
  nb::class_<Counter>(m, "Counter", "Counts.")
      .def(nb::init<int>(), "start"_a = 0)
      .def("add", &Counter::Add, "amount"_a, "Adds, and gives the sum.")
      .def_prop_ro("value", &Counter::value);
  nb::exception<ProbeError>(m, "ProbeError");
  m.def("fail", &Fail, "kind"_a);
  m.def("catch_from", &CatchFrom, "function"_a);
  m.def("uncaught_exceptions", [] { return std::uncaught_exceptions(); });
  m.def(
      "other", [](Colour colour) { return colour == Colour::kRed ? Colour::kBlue : Colour::kRed; },
      "colour"_a);
  m.def(
      "double_in_place",
      [](FloatArray array) {
        for (size_t i = 0; i < array.size(); ++i) array(i) *= 2;
      },
      "array"_a.noconvert());
  m.def(
      "address", [](const FloatArray& array) { return reinterpret_cast<uintptr_t>(array.data()); },
      "array"_a);
}
