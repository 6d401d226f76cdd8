// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/bindings/compile_bindings.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cc/base/environment.h"
#include "cc/base/file.h"
#include "cc/base/version.h"
#include "cc/bindings/status.h"
#include "cc/bindings/text.h"
#include "cc/ptx/compilation.h"
#include "cc/ptx/compile_cache.h"
#include "cc/ptx/compiler.h"
#include "cc/ptx/cuda_locator.h"
#include "cc/ptx/dump.h"
#include "cc/ptx/make_provider.h"
#include "cc/target/compute_capability.h"
#include "nanobind/nanobind.h"
#include "nanobind/stl/optional.h"
#include "nanobind/stl/pair.h"
#include "nanobind/stl/string.h"
#include "nanobind/stl/string_view.h"
#include "nanobind/stl/unique_ptr.h"
#include "nanobind/stl/vector.h"

namespace warpyard::bindings {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using ptx::CompileOptions;
using ptx::Compiler;
using ptx::CompileResult;
using ptx::KernelResources;

nb::bytes Bytes(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

// "softmax<float>(float const*, float*)" of its mangled name; other names as
// they are.
std::string Demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && demangled != nullptr ? std::string(demangled.get()) : name;
}

absl::StatusOr<std::unique_ptr<Compiler>> MakeCompiler(const std::vector<std::string>& cuda_roots,
                                                       const std::string& provider, bool cache) {
  const Environment environment = Environment::FromProcess();
  absl::StatusOr<ptx::CacheConfig> cache_config = ptx::CacheConfig::FromEnvironment(environment);
  if (!cache_config.ok()) return cache_config.status();
  if (!cache) {
    cache_config->memory = false;
    cache_config->disk = false;
  }
  absl::StatusOr<ptx::DumpConfig> dump = ptx::DumpConfig::FromEnvironment(environment);
  if (!dump.ok()) return dump.status();
  return Compiler::Create({.tools = ptx::LocateCuda(environment, cuda_roots),
                           .cache = *std::move(cache_config),
                           .dump = *std::move(dump),
                           .provider = provider});
}

CompileResult Compile(Compiler& compiler, nb::bytes source, std::string name,
                      std::string_view language, const ComputeCapability& target,
                      const CompileOptions& options) {
  const bool is_ptx = language == "ptx";
  if (!is_ptx && language != "cuda") {
    Raise(absl::InvalidArgumentError(
        absl::StrCat("language: found \"", language, "\", expected cuda or ptx")));
  }
  ptx::CompileRequest request;
  request.inputs.push_back({.kind = is_ptx ? ptx::InputKind::kPtx : ptx::InputKind::kCudaCpp,
                            .name = std::move(name),
                            .bytes = std::string(source.c_str(), source.size())});
  request.target = target;
  // PTX that came in is not handed out again.
  if (!is_ptx) request.outputs.push_back(ptx::OutputKind::kPtx);
  request.outputs.push_back(ptx::OutputKind::kCubin);
  request.options = options;
  absl::StatusOr<CompileResult> result = absl::UnknownError("");
  {
    nb::gil_scoped_release release;
    result = compiler.Compile(request);
  }
  return ValueOrRaise(std::move(result));
}

void BindOptions(nb::module_& m) {
  nb::class_<CompileOptions>(m, "CompileOptions", "Options that change the code.")
      .def(
          "__init__",
          [](CompileOptions* self, int optimization_level, bool fast_math, bool line_info,
             bool device_debug, bool relocatable, std::optional<int> max_registers,
             std::string language_standard, std::vector<std::string> defines,
             std::vector<std::string> include_dirs, std::vector<std::string> extra) {
            new (self) CompileOptions{.optimization_level = optimization_level,
                                      .fast_math = fast_math,
                                      .line_info = line_info,
                                      .device_debug = device_debug,
                                      .relocatable = relocatable,
                                      .max_registers = max_registers,
                                      .language_standard = std::move(language_standard),
                                      .defines = std::move(defines),
                                      .include_dirs = std::move(include_dirs),
                                      .extra = std::move(extra)};
          },
          nb::kw_only(), "optimization_level"_a = 3, "fast_math"_a = false, "line_info"_a = false,
          "device_debug"_a = false, "relocatable"_a = false, "max_registers"_a = nb::none(),
          "language_standard"_a = "c++17", "defines"_a = std::vector<std::string>(),
          "include_dirs"_a = std::vector<std::string>(), "extra"_a = std::vector<std::string>())
      .def_rw("optimization_level", &CompileOptions::optimization_level, "0 to 3.")
      .def_rw("fast_math", &CompileOptions::fast_math)
      .def_rw("line_info", &CompileOptions::line_info)
      .def_rw("device_debug", &CompileOptions::device_debug)
      .def_rw("relocatable", &CompileOptions::relocatable)
      .def_rw("max_registers", &CompileOptions::max_registers,
              "Per thread; None: as the compiler likes.")
      .def_rw("language_standard", &CompileOptions::language_standard, "\"c++17\".")
      .def_rw("defines", &CompileOptions::defines, "NAME or NAME=VALUE.")
      .def_rw("include_dirs", &CompileOptions::include_dirs, "Searched in this order.")
      .def_rw("extra", &CompileOptions::extra, "Handed to the compiler as they are.")
      .def(
          "with_include_dirs",
          [](const CompileOptions& self, std::vector<std::string> include_dirs) {
            CompileOptions changed = self;
            changed.include_dirs = std::move(include_dirs);
            return changed;
          },
          "include_dirs"_a, "The same options with other folders.");
}

void BindResult(nb::module_& m) {
  nb::class_<KernelResources>(m, "KernelResources",
                              "What one kernel takes from the machine. Memory is in bytes.")
      .def_prop_ro(
          "name", [](const KernelResources& k) { return Text(k.name); }, "As in the symbol table.")
      .def_prop_ro(
          "display_name", [](const KernelResources& k) { return Text(Demangle(k.name)); },
          "Demangled.")
      .def_ro("registers", &KernelResources::registers, "32-bit registers per thread.")
      .def_ro("static_shared_bytes", &KernelResources::static_shared_bytes, "Per block.")
      .def_ro("constant_bytes", &KernelResources::constant_bytes, "Of all banks.")
      .def_ro("local_bytes", &KernelResources::local_bytes, "Per thread: the stack.")
      .def_ro("spill_store_bytes", &KernelResources::spill_store_bytes, "Per thread.")
      .def_ro("spill_load_bytes", &KernelResources::spill_load_bytes, "Per thread.")
      .def_ro("max_threads_per_block", &KernelResources::max_threads_per_block,
              "Of __launch_bounds__; 0 where there are none.")
      .def_ro("barriers", &KernelResources::barriers, "Named barriers.")
      .def("__repr__", [](const KernelResources& k) {
        return Text(
            absl::StrCat("<KernelResources ", Demangle(k.name), ": ", k.registers, " registers>"));
      });

  nb::class_<CompileResult>(m, "CompileResult", "What a compilation made.")
      .def_prop_ro(
          "cubin", [](const CompileResult& r) { return Bytes(r.cubin); },
          "Machine code, an ELF file.")
      .def_prop_ro(
          "cubin_size", [](const CompileResult& r) { return r.cubin.size(); }, "Bytes.")
      .def_prop_ro(
          "ptx", [](const CompileResult& r) { return Text(r.ptx); },
          "PTX of CUDA C++; empty when PTX was compiled.")
      .def_ro("kernels", &CompileResult::kernels, "Sorted by name.")
      .def_prop_ro("warnings", [](const CompileResult& r) { return Texts(r.warnings); })
      .def_prop_ro(
          "log", [](const CompileResult& r) { return Text(r.log); }, "The compilers' own words.")
      .def_ro("provider", &CompileResult::provider, "Which compiler did it, and why it was taken.")
      .def_ro("tool_version", &CompileResult::tool_version)
      .def_prop_ro(
          "duration", [](const CompileResult& r) { return absl::ToDoubleSeconds(r.duration); },
          "Seconds that the compilation took, also when it came from the cache.")
      .def_ro("from_cache", &CompileResult::from_cache)
      .def("__repr__", [](const CompileResult& r) {
        return absl::StrCat("<CompileResult: ", r.kernels.size(), " kernels, CUBIN of ",
                            r.cubin.size(), " bytes>");
      });
}

void BindCompiler(nb::module_& m) {
  nb::class_<Compiler>(m, "Compiler", "Compilers and their cache. Thread-safe.")
      .def(nb::new_(
               [](const std::vector<std::string>& cuda_roots, const std::string& provider,
                  bool cache) { return ValueOrRaise(MakeCompiler(cuda_roots, provider, cache)); }),
           "cuda_roots"_a, "provider"_a = "auto", "cache"_a = true,
           "`cuda_roots` are folders of CUDA toolkits, unless WARPYARD_CUDA_ROOT names one.")
      .def("compile", &Compile, "source"_a, "name"_a, "language"_a, "target"_a, "options"_a,
           "Compiles one source, \"cuda\" or \"ptx\". Other threads run meanwhile.")
      .def(
          "toolkit_version",
          [](Compiler& self) {
            absl::StatusOr<Version> version = absl::UnknownError("");
            {
              nb::gil_scoped_release release;
              version = self.ToolkitVersion();
            }
            return ValueOrRaise(std::move(version)).ToString();
          },
          "Of the CUDA toolkit that compiles: \"13.5\".")
      .def(
          "take_notices", [](Compiler& self) { return Texts(self.TakeNotices()); },
          "Troubles that failed no compilation, such as a cache folder that is read-only. Each\n"
          "is told once.");
  m.def("provider_names", &ptx::ProviderNames, "Names of the compilers that can be asked for.");
}

void BindFiles(nb::module_& m) {
  // One call for all of them: Python handles an interrupt before or after it.
  m.def(
      "write_files_atomically",
      [](const std::vector<std::pair<std::string, nb::bytes>>& files) {
        for (const auto& [path, bytes] : files) {
          RaiseIfError(WriteFileAtomically(path, std::string_view(bytes.c_str(), bytes.size())));
        }
      },
      "files"_a,
      "Writes files (path, bytes), each whole or not at all. Ends at the first that fails.");
  m.def(
      "make_folders", [](const std::string& path) { RaiseIfError(MakeFolders(path)); }, "path"_a,
      "Makes the folder and those above it.");
}

}  // namespace

void BindCompile(nb::module_& m) {
  BindOptions(m);
  BindResult(m);
  BindCompiler(m);
  BindFiles(m);
}

}  // namespace warpyard::bindings
