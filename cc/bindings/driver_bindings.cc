// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0
//
// Names begin with `Driver` where the package has a class of its own of the same
// purpose. Host memory comes as addresses: the package keeps it alive.

#include "cc/bindings/driver_bindings.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cc/base/environment.h"
#include "cc/bindings/status.h"
#include "cc/bindings/text.h"
#include "cc/driver/context.h"
#include "cc/driver/device.h"
#include "cc/driver/device_memory.h"
#include "cc/driver/driver.h"
#include "cc/driver/event.h"
#include "cc/driver/graph.h"
#include "cc/driver/module.h"
#include "cc/driver/stream.h"
#include "cc/driver/tensor_map.h"
#include "nanobind/nanobind.h"
#include "nanobind/stl/array.h"
#include "nanobind/stl/optional.h"
#include "nanobind/stl/pair.h"
#include "nanobind/stl/string.h"
#include "nanobind/stl/string_view.h"
#include "nanobind/stl/tuple.h"
#include "nanobind/stl/vector.h"

namespace warpyard::bindings {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;

// Owners as values that Python can hold.
struct PyDriver {
  const driver::Driver* value;
};
struct PyContext {
  std::shared_ptr<const driver::Context> value;
};
struct PyMemory {
  std::unique_ptr<driver::DeviceMemory> value;
};
struct PyStream {
  std::unique_ptr<driver::Stream> value;
};
struct PyEvent {
  std::unique_ptr<driver::Event> value;
};
struct PyModule {
  std::shared_ptr<const driver::Module> value;
};
struct PyKernel {
  std::unique_ptr<driver::Kernel> value;
};
struct PyGraph {
  std::unique_ptr<driver::Graph> value;
};

// Calls `function` while other Python threads run.
template <typename Function>
auto Unlocked(Function&& function) {
  nb::gil_scoped_release release;
  return function();
}

void BindDrivers(nb::module_& m) {
  nb::class_<driver::DeviceInfo>(m, "DeviceInfo", "What a driver tells of one GPU.")
      .def_ro("ordinal", &driver::DeviceInfo::ordinal)
      .def_prop_ro("name", [](const driver::DeviceInfo& d) { return Text(d.name); })
      .def_ro("compute_capability", &driver::DeviceInfo::compute_capability)
      .def_ro("uuid", &driver::DeviceInfo::uuid)
      .def_ro("pci_bus_id", &driver::DeviceInfo::pci_bus_id)
      .def_ro("memory_bytes", &driver::DeviceInfo::memory_bytes)
      .def_ro("sm_count", &driver::DeviceInfo::sm_count);

  nb::class_<PyDriver>(m, "Driver", "A CUDA driver that was opened. Stays until the process ends.")
      .def_static(
          "default",
          [](const std::string& emulator) {
            const Environment environment = Environment::FromProcess();
            return PyDriver{ValueOrRaise(
                Unlocked([&] { return driver::Driver::Default(environment, emulator); }))};
          },
          "emulator"_a)
      .def_static(
          "open",
          [](const std::string& path, const std::string& reason) {
            return PyDriver{
                ValueOrRaise(Unlocked([&] { return driver::Driver::Open(path, reason); }))};
          },
          "path"_a, "reason"_a)
      .def_static(
          "emulated",
          [](const std::string& path, const std::string& devices) {
            return PyDriver{
                ValueOrRaise(Unlocked([&] { return driver::Driver::Emulated(path, devices); }))};
          },
          "path"_a, "devices"_a)
      .def_prop_ro("path", [](const PyDriver& d) { return Text(d.value->path()); })
      .def_prop_ro("reason", [](const PyDriver& d) { return Text(d.value->reason()); })
      .def_prop_ro("is_emulated", [](const PyDriver& d) { return d.value->emulated(); })
      .def_prop_ro("cuda_version",
                   [](const PyDriver& d) { return d.value->cuda_version().ToString(); })
      .def_prop_ro("device_count", [](const PyDriver& d) { return d.value->device_count(); })
      .def(
          "device_info",
          [](const PyDriver& d, int ordinal) {
            return ValueOrRaise(driver::DescribeDevice(*d.value, ordinal));
          },
          "ordinal"_a)
      .def(
          "device_attribute",
          [](const PyDriver& d, int ordinal, int attribute) {
            return ValueOrRaise(driver::DeviceAttribute(*d.value, ordinal, attribute));
          },
          "ordinal"_a, "attribute"_a)
      .def(
          "can_access_peer",
          [](const PyDriver& d, int from, int to) {
            return ValueOrRaise(driver::CanAccessPeer(*d.value, from, to));
          },
          "from_ordinal"_a, "to_ordinal"_a)
      .def("take_reports", [](const PyDriver& d) { return Text(d.value->TakeReports()); })
      .def("take_profiles", [](const PyDriver& d) { return Text(d.value->TakeProfiles()); })
      .def(
          "set_sanitizer",
          [](const PyDriver& d, const std::string& checks) {
            RaiseIfError(d.value->SetSanitizer(checks));
          },
          "checks"_a)
      .def(
          "set_profile", [](const PyDriver& d, bool on) { RaiseIfError(d.value->SetProfile(on)); },
          "on"_a)
      .def(
          "encode_tensor_map",
          [](const PyDriver& d, std::string_view element_type, uint64_t address,
             std::vector<uint64_t> dimensions, std::vector<uint64_t> byte_strides,
             std::vector<uint32_t> box, std::vector<uint32_t> element_strides, int swizzle_bytes,
             bool nan_out_of_bounds) {
            const std::string map = ValueOrRaise(
                driver::EncodeTensorMap(*d.value, {.element_type = element_type,
                                                   .address = address,
                                                   .dimensions = std::move(dimensions),
                                                   .byte_strides = std::move(byte_strides),
                                                   .box = std::move(box),
                                                   .element_strides = std::move(element_strides),
                                                   .swizzle_bytes = swizzle_bytes,
                                                   .nan_out_of_bounds = nan_out_of_bounds}));
            return nb::bytes(map.data(), map.size());
          },
          "element_type"_a, "address"_a, "dimensions"_a, "byte_strides"_a, "box"_a,
          "element_strides"_a, "swizzle_bytes"_a, "nan_out_of_bounds"_a);

  nb::class_<PyContext>(m, "DriverContext", "The primary context of a device.")
      .def_static(
          "retain",
          [](const PyDriver& d, int ordinal) {
            return PyContext{
                ValueOrRaise(Unlocked([&] { return driver::Context::Retain(d.value, ordinal); }))};
          },
          "driver"_a, "ordinal"_a)
      .def("synchronize",
           [](const PyContext& c) {
             RaiseIfError(Unlocked([&] { return c.value->Synchronize(); }));
           })
      .def(
          "enable_peer_access",
          [](const PyContext& c, const PyContext& peer) {
            RaiseIfError(c.value->EnablePeerAccess(*peer.value));
          },
          "peer"_a)
      .def(
          "memory",
          [](const PyContext& c) {
            const driver::MemoryInfo info = ValueOrRaise(driver::AvailableMemory(*c.value));
            return std::make_pair(info.free_bytes, info.total_bytes);
          },
          "Bytes that are free, and all.");
}

void BindMemory(nb::module_& m) {
  nb::class_<PyMemory>(m, "DriverMemory", "Owns device memory.")
      .def_static(
          "allocate",
          [](const PyContext& context, uint64_t bytes) {
            return PyMemory{ValueOrRaise(
                Unlocked([&] { return driver::DeviceMemory::Allocate(context.value, bytes); }))};
          },
          "context"_a, "nbytes"_a)
      .def_prop_ro("address", [](const PyMemory& p) { return p.value->address(); })
      .def_prop_ro("nbytes", [](const PyMemory& p) { return p.value->bytes(); });
}

void BindStream(nb::module_& m) {
  nb::class_<PyStream>(m, "DriverStream")
      .def_static(
          "create",
          [](const PyContext& context, int priority) {
            return PyStream{ValueOrRaise(
                Unlocked([&] { return driver::Stream::Create(context.value, priority); }))};
          },
          "context"_a, "priority"_a)
      .def_static(
          "default",
          [](const PyContext& context) { return PyStream{driver::Stream::Default(context.value)}; },
          "context"_a)
      .def_prop_ro("handle",
                   [](const PyStream& s) { return reinterpret_cast<uintptr_t>(s.value->handle()); })
      .def(
          "synchronize",
          [](const PyStream& s) { RaiseIfError(Unlocked([&] { return s.value->Synchronize(); })); })
      .def("done", [](const PyStream& s) { return ValueOrRaise(s.value->Done()); })
      .def(
          "copy_from_host",
          [](const PyStream& s, uint64_t destination, uintptr_t source, uint64_t bytes) {
            RaiseIfError(Unlocked([&] {
              return s.value->CopyFromHost(destination, reinterpret_cast<const void*>(source),
                                           bytes);
            }));
          },
          "destination"_a, "source"_a, "nbytes"_a)
      .def(
          "copy_to_host",
          [](const PyStream& s, uintptr_t destination, uint64_t source, uint64_t bytes) {
            RaiseIfError(Unlocked([&] {
              absl::Status status =
                  s.value->CopyToHost(reinterpret_cast<void*>(destination), source, bytes);
              return status.ok() ? s.value->Synchronize() : status;
            }));
          },
          "destination"_a, "source"_a, "nbytes"_a, "Waits until it is done.")
      .def(
          "copy_on_device",
          [](const PyStream& s, uint64_t destination, uint64_t source, uint64_t bytes) {
            RaiseIfError(
                Unlocked([&] { return s.value->CopyOnDevice(destination, source, bytes); }));
          },
          "destination"_a, "source"_a, "nbytes"_a)
      .def(
          "copy_from_peer",
          [](const PyStream& s, uint64_t destination, uint64_t source, const PyContext& context,
             uint64_t bytes) {
            RaiseIfError(Unlocked(
                [&] { return s.value->CopyFromPeer(destination, source, *context.value, bytes); }));
          },
          "destination"_a, "source"_a, "source_context"_a, "nbytes"_a)
      .def(
          "fill",
          [](const PyStream& s, uint64_t destination, uint8_t value, uint64_t bytes) {
            RaiseIfError(Unlocked([&] { return s.value->Fill(destination, value, bytes); }));
          },
          "destination"_a, "value"_a, "nbytes"_a)
      .def("begin_capture", [](const PyStream& s) { RaiseIfError(driver::BeginCapture(*s.value)); })
      .def("end_capture", [](const PyStream& s) {
        return PyGraph{ValueOrRaise(Unlocked([&] { return driver::Graph::EndCapture(*s.value); }))};
      });

  nb::class_<PyEvent>(m, "DriverEvent")
      .def_static(
          "create",
          [](const PyContext& context) {
            return PyEvent{ValueOrRaise(driver::Event::Create(context.value))};
          },
          "context"_a)
      .def(
          "record",
          [](const PyEvent& e, const PyStream& stream) {
            RaiseIfError(e.value->Record(*stream.value));
          },
          "stream"_a)
      .def(
          "block_stream",
          [](const PyEvent& e, const PyStream& stream) {
            RaiseIfError(e.value->BlockStream(*stream.value));
          },
          "stream"_a)
      .def("synchronize",
           [](const PyEvent& e) { RaiseIfError(Unlocked([&] { return e.value->Synchronize(); })); })
      .def("done", [](const PyEvent& e) { return ValueOrRaise(e.value->Done()); })
      .def(
          "seconds_since",
          [](const PyEvent& e, const PyEvent& start) {
            return absl::ToDoubleSeconds(ValueOrRaise(e.value->ElapsedSince(*start.value)));
          },
          "start"_a);

  nb::class_<PyGraph>(m, "DriverGraph")
      .def_prop_ro("node_count", [](const PyGraph& g) { return g.value->node_count(); })
      .def(
          "launch",
          [](const PyGraph& g, const PyStream& stream) {
            RaiseIfError(Unlocked([&] { return g.value->Launch(*stream.value); }));
          },
          "stream"_a);
}

void BindModule(nb::module_& m) {
  nb::class_<PyModule>(m, "DriverModule")
      .def_static(
          "load",
          [](const PyContext& context, nb::bytes image) {
            const std::string_view bytes(image.c_str(), image.size());
            return PyModule{
                ValueOrRaise(Unlocked([&] { return driver::Module::Load(context.value, bytes); }))};
          },
          "context"_a, "image"_a)
      .def("kernel_names", [](const PyModule& p) { return ValueOrRaise(p.value->KernelNames()); })
      .def(
          "variable",
          [](const PyModule& p, const std::string& name) {
            const driver::Module::Variable found = ValueOrRaise(p.value->FindVariable(name));
            return std::make_pair(found.address, found.bytes);
          },
          "name"_a, "Address and bytes.");

  nb::class_<driver::KernelAttributes>(m, "KernelAttributes",
                                       "What a loaded kernel takes and may take. Memory in bytes.")
      .def_ro("max_threads_per_block", &driver::KernelAttributes::max_threads_per_block)
      .def_ro("registers", &driver::KernelAttributes::registers, "Per thread.")
      .def_ro("static_shared_bytes", &driver::KernelAttributes::static_shared_bytes, "Per block.")
      .def_ro("constant_bytes", &driver::KernelAttributes::constant_bytes)
      .def_ro("local_bytes", &driver::KernelAttributes::local_bytes, "Per thread.")
      .def_ro("max_dynamic_shared_bytes", &driver::KernelAttributes::max_dynamic_shared_bytes,
              "Per block, until more is asked for.");

  nb::class_<PyKernel>(m, "DriverKernel")
      .def_static(
          "find",
          [](const PyModule& module, const std::string& name) {
            return PyKernel{ValueOrRaise(driver::Kernel::Find(module.value, name))};
          },
          "module"_a, "name"_a)
      .def_prop_ro(
          "parameters",
          [](const PyKernel& k) -> std::optional<std::vector<std::pair<uint64_t, uint64_t>>> {
            if (!k.value->parameters().has_value()) return std::nullopt;
            std::vector<std::pair<uint64_t, uint64_t>> parameters;
            for (const driver::KernelParameter& parameter : *k.value->parameters()) {
              parameters.emplace_back(parameter.offset, parameter.size);
            }
            return parameters;
          },
          "Offset and size of each, in bytes; None where the driver does not tell.")
      .def("attributes", [](const PyKernel& k) { return ValueOrRaise(k.value->Attributes()); })
      .def(
          "max_active_blocks_per_sm",
          [](const PyKernel& k, int block_threads, uint64_t dynamic_shared_bytes) {
            return ValueOrRaise(k.value->MaxActiveBlocksPerSm(block_threads, dynamic_shared_bytes));
          },
          "block_threads"_a, "dynamic_shared_bytes"_a)
      .def(
          "launch",
          [](const PyKernel& k, driver::Extent grid, driver::Extent block,
             std::vector<nb::bytes> arguments, uint32_t dynamic_shared_bytes,
             std::optional<driver::Extent> cluster, bool cooperative, const PyStream& stream) {
            std::vector<std::string_view> views;
            views.reserve(arguments.size());
            for (const nb::bytes& argument : arguments) {
              views.emplace_back(argument.c_str(), argument.size());
            }
            const driver::LaunchConfig config = {.grid = grid,
                                                 .block = block,
                                                 .cluster = cluster,
                                                 .dynamic_shared_bytes = dynamic_shared_bytes,
                                                 .cooperative = cooperative};
            RaiseIfError(Unlocked([&] { return k.value->Launch(config, views, *stream.value); }));
          },
          "grid"_a, "block"_a, "arguments"_a, "dynamic_shared_bytes"_a, "cluster"_a.none(),
          "cooperative"_a, "stream"_a);
}

}  // namespace

void BindDriver(nb::module_& m) {
  BindDrivers(m);
  BindMemory(m);
  // Streams make graphs, which are declared after them.
  BindStream(m);
  BindModule(m);
}

}  // namespace warpyard::bindings
