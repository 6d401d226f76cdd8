// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/bindings/target_bindings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/base/version.h"
#include "cc/bindings/status.h"
#include "cc/target/compute_capability.h"
#include "cc/target/device_spec.h"
#include "cc/target/device_spec.pb.h"
#include "cc/target/generation.h"
#include "cc/target/occupancy.h"
#include "cc/target/requirement.h"
#include "cc/target/resolve_target.h"
#include "cc/target/spec_database.h"
#include "cc/target/versions.h"
#include "nanobind/nanobind.h"
#include "nanobind/operators.h"
#include "nanobind/stl/optional.h"
#include "nanobind/stl/string.h"
#include "nanobind/stl/string_view.h"
#include "nanobind/stl/vector.h"

namespace warpyard::bindings {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;

std::string_view HostLinkName(target::HostLink link) {
  switch (link) {
    case target::PCIE:
      return "PCIe";
    case target::NVLINK_C2C:
      return "NVLink-C2C";
    case target::INTEGRATED:
      return "integrated";
    default:
      return "unknown";
  }
}

std::string_view SourceKindName(target::Source::Kind kind) {
  switch (kind) {
    case target::Source::VENDOR_DOCUMENT:
      return "vendor document";
    case target::Source::VENDOR_SOFTWARE:
      return "vendor software";
    case target::Source::DEVICE_QUERY:
      return "device query";
    default:
      return "unknown";
  }
}

template <typename Message>
std::vector<std::string> Strings(const Message& repeated) {
  return std::vector<std::string>(repeated.begin(), repeated.end());
}

void BindComputeCapability(nb::module_& m) {
  nb::class_<ComputeCapability> cc(
      m, "ComputeCapability",
      "The compute capability of a device (\"9.0\"), or the target that code is compiled for\n"
      "(\"9.0a\"). Immutable, ordered and hashable.\n\n"
      "Reads \"9.0\", \"9.0a\", \"10.3f\", \"sm_90a\" and \"compute_100f\"; anything else raises\n"
      "InvalidArgumentError with the reason.");
  cc.def(
        "__init__",
        [](ComputeCapability* self, std::string_view text) {
          new (self) ComputeCapability(ValueOrRaise(ComputeCapability::Parse(text)));
        },
        "text"_a)
      .def_prop_ro("major", &ComputeCapability::major, "9 of 9.0a.")
      .def_prop_ro("minor", &ComputeCapability::minor, "0 of 9.0a.")
      .def_prop_ro(
          "suffix",
          [](const ComputeCapability& self) -> std::string {
            switch (self.kind()) {
              case ComputeCapability::Kind::kArch:
                return "a";
              case ComputeCapability::Kind::kFamily:
                return "f";
              case ComputeCapability::Kind::kPlain:
                break;
            }
            return "";
          },
          "\"a\" (every feature of one generation), \"f\" (features of a family) or \"\".")
      .def_prop_ro("plain", &ComputeCapability::Plain, "The same number without a suffix.")
      .def_prop_ro("sm_name", &ComputeCapability::SmName, "\"sm_90a\".")
      .def_prop_ro("compute_name", &ComputeCapability::ComputeName, "\"compute_90a\".")
      .def(
          "runs_on",
          [](const ComputeCapability& self, const ComputeCapability& device, bool ptx) {
            return CanRun(self, device, ptx ? CodeKind::kPtx : CodeKind::kCubin);
          },
          "device"_a, nb::kw_only(), "ptx"_a = false,
          "Whether a CUBIN (or, with `ptx`, PTX) compiled for this target runs on a device.")
      .def("__str__", &ComputeCapability::ToString)
      .def("__repr__",
           [](const ComputeCapability& self) {
             return absl::StrCat("ComputeCapability('", self.ToString(), "')");
           })
      .def("__hash__",
           [](const ComputeCapability& self) {
             return self.major() * 100 + self.minor() * 10 + static_cast<int>(self.kind());
           })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def(nb::self != nb::self, nb::sig("def __ne__(self, arg: object, /) -> bool"))
      .def(nb::self < nb::self)
      .def(nb::self <= nb::self)
      .def(nb::self > nb::self)
      .def(nb::self >= nb::self);
}

void BindSpecs(nb::module_& m) {
  nb::class_<target::Source>(m, "Source", "Where figures come from.")
      .def_prop_ro(
          "kind", [](const target::Source& s) { return SourceKindName(s.kind()); },
          "\"vendor document\", \"vendor software\" or \"device query\".")
      .def_prop_ro(
          "document", [](const target::Source& s) { return s.document(); }, "Title.")
      .def_prop_ro(
          "section", [](const target::Source& s) { return s.section(); },
          "Section, table or symbol.")
      .def_prop_ro(
          "fields", [](const target::Source& s) { return Strings(s.fields()); },
          "Names of the figures that it covers.");

  const auto ref = nb::rv_policy::reference;
  nb::class_<Generation>(m, "Generation",
                         "What all GPUs of one compute capability have in common. Memory is in\n"
                         "bytes, registers are 32 bits wide.")
      .def_ro("compute_capability", &Generation::compute_capability, "Plain: 9.0.")
      .def_ro("architecture", &Generation::architecture, "\"Hopper\".")
      .def_ro("native_target", &Generation::native_target,
              "The target that uses all of the hardware: 9.0a.")
      .def_ro("warp_size", &Generation::warp_size)
      .def_ro("max_threads_per_block", &Generation::max_threads_per_block)
      .def_ro("max_threads_per_sm", &Generation::max_threads_per_sm)
      .def_ro("max_warps_per_sm", &Generation::max_warps_per_sm)
      .def_ro("max_blocks_per_sm", &Generation::max_blocks_per_sm)
      .def_ro("named_barriers_per_sm", &Generation::named_barriers_per_sm)
      .def_ro("sub_partitions_per_sm", &Generation::sub_partitions_per_sm)
      .def_ro("registers_per_sm", &Generation::registers_per_sm)
      .def_ro("max_registers_per_block", &Generation::max_registers_per_block)
      .def_ro("max_registers_per_thread", &Generation::max_registers_per_thread)
      .def_ro("register_allocation_unit", &Generation::register_allocation_unit, "Per warp.")
      .def_ro("shared_memory_per_sm", &Generation::shared_memory_per_sm, "Bytes.")
      .def_ro("shared_memory_per_block", &Generation::shared_memory_per_block,
              "Bytes without opting in; static shared memory never gets more.")
      .def_ro("shared_memory_per_block_optin", &Generation::shared_memory_per_block_optin,
              "Bytes of static and dynamic shared memory after opting in.")
      .def_ro("reserved_shared_memory_per_block", &Generation::reserved_shared_memory_per_block,
              "Bytes that the system takes for each block.")
      .def_ro("shared_memory_allocation_unit", &Generation::shared_memory_allocation_unit)
      .def_ro("shared_memory_carveouts_kib", &Generation::shared_memory_carveouts_kib)
      .def_ro("constant_memory", &Generation::constant_memory, "Bytes.")
      .def_ro("tensor_memory_columns", &Generation::tensor_memory_columns,
              "Columns that one block can have; 0 where there is no tensor memory.")
      .def_ro("max_cluster_size_portable", &Generation::max_cluster_size_portable, "Blocks.")
      .def_ro("max_cluster_size_nonportable", &Generation::max_cluster_size_nonportable,
              "Blocks; None where NVIDIA does not publish it.")
      .def_ro("sources", &Generation::sources)
      .def("__repr__", [](const Generation& self) {
        return absl::StrCat("<Generation ", self.compute_capability.ToString(), " ",
                            self.architecture, ">");
      });

  nb::class_<DeviceSpec>(m, "DeviceSpec",
                         "One GPU product. A figure that NVIDIA does not publish is None.")
      .def_ro("name", &DeviceSpec::name, "\"h100\", as in --target h100.")
      .def_ro("aliases", &DeviceSpec::aliases, "Other names for the same product.")
      .def_ro("product_name", &DeviceSpec::product_name, "\"NVIDIA H100 SXM5 80GB\".")
      .def_prop_ro(
          "generation", [](const DeviceSpec& d) { return d.generation; }, ref,
          "What it shares with all of its compute capability.")
      .def_prop_ro(
          "compute_capability", [](const DeviceSpec& d) { return d.compute_capability(); },
          "Plain: 9.0.")
      .def_prop_ro(
          "native_target", [](const DeviceSpec& d) { return d.native_target(); },
          "What to compile for to use all of it: 9.0a.")
      .def_ro("sm_count", &DeviceSpec::sm_count)
      .def_ro("base_clock_mhz", &DeviceSpec::base_clock_mhz)
      .def_ro("boost_clock_mhz", &DeviceSpec::boost_clock_mhz)
      .def_ro("memory_clock_mhz", &DeviceSpec::memory_clock_mhz)
      .def_ro("memory_bytes", &DeviceSpec::memory_bytes)
      .def_ro("memory_type", &DeviceSpec::memory_type, "\"HBM3\".")
      .def_ro("memory_bus_width_bits", &DeviceSpec::memory_bus_width_bits)
      .def_ro("memory_bandwidth_bytes_per_s", &DeviceSpec::memory_bandwidth_bytes_per_s)
      .def_ro("l2_cache_bytes", &DeviceSpec::l2_cache_bytes)
      .def_ro("nvlink_generation", &DeviceSpec::nvlink_generation, "0 where there is none.")
      .def_ro("nvlink_bandwidth_bytes_per_s", &DeviceSpec::nvlink_bandwidth_bytes_per_s,
              "All links, both directions.")
      .def_prop_ro(
          "host_link", [](const DeviceSpec& d) { return HostLinkName(d.host_link); },
          "\"PCIe\", \"NVLink-C2C\" or \"integrated\".")
      .def_ro("pcie_generation", &DeviceSpec::pcie_generation, "0 where the link is not PCIe.")
      .def_ro("pcie_lanes", &DeviceSpec::pcie_lanes)
      .def_ro("sources", &DeviceSpec::sources)
      .def("__repr__", [](const DeviceSpec& self) {
        return absl::StrCat("<DeviceSpec ", self.name, ": ", self.product_name, ">");
      });

  m.def(
      "targets",
      [] {
        nb::list specs;
        for (const DeviceSpec& spec : SpecDatabase::Embedded().All()) {
          specs.append(nb::cast(&spec, nb::rv_policy::reference));
        }
        return specs;
      },
      nb::sig("def targets() -> list[DeviceSpec]"),
      "All GPUs that Warpyard knows, by compute capability, then by name.");
  m.def(
      "generations",
      [] {
        nb::list generations;
        for (const Generation& generation : SpecDatabase::Embedded().AllGenerations()) {
          generations.append(nb::cast(&generation, nb::rv_policy::reference));
        }
        return generations;
      },
      nb::sig("def generations() -> list[Generation]"),
      "All compute capabilities that Warpyard knows, rising.");
  m.def(
      "find_generation",
      [ref](const ComputeCapability& target) {
        return nb::cast(SpecDatabase::Embedded().FindGeneration(target), ref);
      },
      nb::sig("def find_generation(target: ComputeCapability) -> Generation | None"), "target"_a,
      "The generation of this number (a suffix is ignored), or None.");
}

void BindResolve(nb::module_& m) {
  nb::class_<ResolvedTarget>(m, "ResolvedTarget", "What the name of a target means.")
      .def_ro("code", &ResolvedTarget::code, "What to compile for.")
      .def_prop_ro(
          "device", [](const ResolvedTarget& r) { return r.device; }, nb::rv_policy::reference,
          nb::sig("def device(self) -> DeviceSpec | None"), "The GPU, where one was named.")
      .def_prop_ro(
          "generation", [](const ResolvedTarget& r) { return r.generation; },
          nb::rv_policy::reference, nb::sig("def generation(self) -> Generation | None"),
          "What bounds a kernel there; None for targets older than the database.");
  m.def(
      "resolve_target", [](std::string_view name) { return ValueOrRaise(ResolveTarget(name)); },
      "name"_a,
      "Takes a GPU (\"h100\") or a compute capability (\"9.0a\", \"sm_90a\").\n\n"
      "Raises NotFoundError, naming the nearest and all known GPUs, or InvalidArgumentError.");
  m.def(
      "check_toolkit_compiles_for",
      [](std::string_view toolkit, const ComputeCapability& target) {
        RaiseIfError(VersionTables::Embedded().CheckToolkitCompilesFor(
            ValueOrRaise(Version::Parse(toolkit)), target));
      },
      "toolkit"_a, "target"_a,
      "Returns if the CUDA toolkit (\"13.5\") compiles for the target; otherwise raises\n"
      "FailedPreconditionError, saying which toolkits do.");
  m.def(
      "toolkits_for",
      [](const ComputeCapability& target) {
        const ToolkitRange range = ValueOrRaise(VersionTables::Embedded().ToolkitsFor(target));
        return nb::make_tuple(range.first.ToString(),
                              range.last ? nb::cast(range.last->ToString()) : nb::none());
      },
      nb::sig("def toolkits_for(target: ComputeCapability) -> tuple[str, str | None]"), "target"_a,
      "The first and the last CUDA toolkit that compile for a target; None: still does.");
}

void BindRequirement(nb::module_& m) {
  nb::class_<Requirement>(m, "SmRequirement",
                          "What a kernel's source demands of its target: \"sm in {9.0a}\".")
      .def(
          "__init__",
          [](Requirement* self, std::string_view text) {
            new (self) Requirement(ValueOrRaise(Requirement::ParseForTargets(text)));
          },
          "text"_a)
      .def("met_by", &Requirement::MetByTarget, "target"_a,
           "Whether code that declares this can be compiled for the target.")
      .def("__str__", &Requirement::ToString)
      .def("__repr__", [](const Requirement& self) {
        return absl::StrCat("SmRequirement('", self.ToString(), "')");
      });
  m.def(
      "find_requirement",
      [](nb::bytes source) {
        return ValueOrRaise(
            Requirement::FindInSource(std::string_view(source.c_str(), source.size())));
      },
      "source"_a,
      "The requirement that lines `// warpyard-requires: ...` of a source declare, or None.");
}

void BindOccupancy(nb::module_& m) {
  nb::class_<Occupancy>(m, "Occupancy", "How many blocks of a kernel an SM holds at a time.")
      .def_ro("active_blocks", &Occupancy::active_blocks, "Blocks on one SM.")
      .def_ro("active_warps", &Occupancy::active_warps, "Warps on one SM.")
      .def_ro("ratio", &Occupancy::ratio, "Active warps over the most that fit: 0 to 1.")
      .def_prop_ro(
          "limits",
          [](const Occupancy& self) {
            std::vector<std::string_view> names;
            for (const OccupancyLimit limit : self.limits) {
              names.push_back(OccupancyLimitName(limit));
            }
            return names;
          },
          "What allows no more blocks: \"warps\", \"registers\", \"shared memory\", \"blocks\",\n"
          "\"barriers\".")
      .def_ro("allocated_registers", &Occupancy::allocated_registers, "Of one block.")
      .def_ro("allocated_shared_memory", &Occupancy::allocated_shared_memory,
              "Bytes of one block, the system's share included.")
      .def("__repr__", [](const Occupancy& self) {
        return absl::StrCat("<Occupancy ", self.active_blocks, " blocks, ", self.active_warps,
                            " warps>");
      });
  m.def(
      "compute_occupancy",
      [](const Generation& generation, int threads_per_block, int registers_per_thread,
         int64_t static_shared_memory, int64_t dynamic_shared_memory, int named_barriers) {
        return ValueOrRaise(
            ComputeOccupancy(generation, {.threads_per_block = threads_per_block,
                                          .registers_per_thread = registers_per_thread,
                                          .static_shared_memory = static_shared_memory,
                                          .dynamic_shared_memory = dynamic_shared_memory,
                                          .named_barriers = named_barriers}));
      },
      "generation"_a, "threads_per_block"_a, "registers_per_thread"_a = 0,
      "static_shared_memory"_a = 0, "dynamic_shared_memory"_a = 0, "named_barriers"_a = 1,
      "The rule of NVIDIA's occupancy calculator. Memory is in bytes per block.");
}

}  // namespace

void BindTarget(nb::module_& m) {
  BindComputeCapability(m);
  BindSpecs(m);
  BindResolve(m);
  BindRequirement(m);
  BindOccupancy(m);
}

}  // namespace warpyard::bindings
