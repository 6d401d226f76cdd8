// Copyright 2026 The Warpyard Authors. SPDX-License-Identifier: Apache-2.0

#include "cc/emulator/driver/module.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cc/emulator/driver/handles.h"
#include "cc/emulator/driver/image.h"
#include "cc/emulator/driver/memory.h"
#include "cc/emulator/driver/program_loader.h"

namespace warpyard::emulator::driver {
namespace {

// The wrapper that nvcc puts around a fatbin in a host program: magic, version,
// and a pointer.
struct FatbinWrapper {
  uint32_t magic;
  uint32_t version;
  const void* data;
  const void* file_name;
};
constexpr uint32_t kWrapperMagic = 0x466243b1;

void ForgetModules(Context& context) {
  Handles<Module>::Get().RemoveIf(
      [&](const Module& module) { return module.context().get() == &context; });
  for (const std::shared_ptr<Library>& library : Handles<Library>::Get().All()) {
    library->Forget(context);
  }
}
const bool registered = [] {
  AtContextDestruction(&ForgetModules);
  return true;
}();

}  // namespace

CUresult ImageBytes(const void* image, std::string_view* bytes) {
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  uint32_t magic;
  std::memcpy(&magic, image, 1);  // a text may be a single byte long
  if ((magic & 0xff) == (kWrapperMagic & 0xff) &&
      std::memcmp(image, &kWrapperMagic, sizeof(kWrapperMagic)) == 0) {
    FatbinWrapper wrapper;
    std::memcpy(&wrapper, image, sizeof(wrapper));
    if (wrapper.data == nullptr) return CUDA_ERROR_INVALID_IMAGE;
    image = wrapper.data;
  }
  const absl::StatusOr<size_t> size = ImageSize(image);
  if (!size.ok()) {
    Report(size.status().message());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *bytes = std::string_view(static_cast<const char*>(image), *size);
  return CUDA_SUCCESS;
}

CUresult LoadProgram(std::string_view image, const Device& device, JitLogs& logs,
                     std::shared_ptr<const Program>* program) {
  const ComputeCapability& cc = device.spec().compute_capability();
  const absl::StatusOr<std::vector<std::string>> modules = FindPtx(image, cc);
  if (!modules.ok()) {
    Report(modules.status().message());
    logs.Error(modules.status().message());
    return modules.status().code() == absl::StatusCode::kFailedPrecondition
               ? CUDA_ERROR_NO_BINARY_FOR_GPU
               : CUDA_ERROR_INVALID_IMAGE;
  }
  absl::StatusOr<std::shared_ptr<const Program>> loaded = CompilePtx(*modules, cc);
  if (loaded.ok()) {
    *program = *std::move(loaded);
    return CUDA_SUCCESS;
  }
  const std::string message = absl::StrCat("PTX: ", loaded.status().message());
  Report(message);
  logs.Error(message);
  switch (loaded.status().code()) {
    case absl::StatusCode::kFailedPrecondition:
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case absl::StatusCode::kUnimplemented:
      return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    default:
      return CUDA_ERROR_INVALID_PTX;
  }
}

CUresult Module::Make(std::shared_ptr<Context> context, std::shared_ptr<const Program> program,
                      std::shared_ptr<Module>* result) {
  std::shared_ptr<Module> module(new Module);
  Device& device = context->device();
  LoadedModule::Memory memory;
  // Variables are the module's: they go with it, not with a table's record.
  struct Block {
    uint64_t size;
    uint64_t charged;
  };
  auto blocks = std::make_shared<absl::flat_hash_map<void*, Block>>();
  memory.allocate = [&device, blocks](uint64_t bytes) -> absl::StatusOr<void*> {
    const uint64_t size = std::max<uint64_t>(bytes, 1);
    const uint64_t charged = (size + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
    if (!device.budget.Take(charged)) {
      return absl::ResourceExhaustedError("no device memory for the module's variables");
    }
    void* const pages = Driver::Get().pages().Allocate(size);
    if (pages == nullptr) {
      device.budget.Give(charged);
      return absl::ResourceExhaustedError("no memory for the module's variables");
    }
    std::memset(pages, 0, size);
    (*blocks)[pages] = {size, charged};
    return pages;
  };
  memory.release = [&device, blocks](void* pages) {
    const auto found = blocks->find(pages);
    if (found == blocks->end()) return;
    Driver::Get().pages().Free(pages, found->second.size);
    device.budget.Give(found->second.charged);
    blocks->erase(found);
  };
  absl::StatusOr<std::unique_ptr<LoadedModule>> loaded =
      LoadedModule::Load(std::move(program), device.ordinal(), MemoryMap::Process(), memory);
  if (!loaded.ok()) {
    Report(loaded.status().message());
    return loaded.status().code() == absl::StatusCode::kResourceExhausted ? CUDA_ERROR_OUT_OF_MEMORY
                                                                          : CUDA_ERROR_INVALID_PTX;
  }
  module->context_ = std::move(context);
  module->loaded_ = *std::move(loaded);
  for (const ModuleSymbol& symbol : module->loaded_->program().symbols) {
    const auto global = module->loaded_->FindGlobal(symbol.name);
    if (!global.has_value() || global->size == 0) continue;
    auto record = std::make_shared<MemoryRecord>();
    record->base = global->address;
    record->size = global->size;
    record->kind = MemoryRecord::Kind::kVariable;
    record->device = &device;
    record->context = module->context_;
    if (MemoryTable::Get().Add(record) == CUDA_SUCCESS) {
      module->variables_.push_back(record->base);
    }
  }
  Handles<Module>::Get().Add<CUmodule>(module);
  *result = std::move(module);
  return CUDA_SUCCESS;
}

Module::~Module() {
  for (const uint64_t base : variables_) MemoryTable::Get().Remove(base);
  for (const auto& [name, function] : functions_) {
    Handles<KernelFunction>::Get().Remove(function.get());
  }
}

std::shared_ptr<KernelFunction> Module::FindFunction(std::string_view name,
                                                     std::shared_ptr<FunctionSettings> settings) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = functions_.find(name); found != functions_.end()) return found->second;
  const Function* const function = loaded_->FindKernel(name);
  if (function == nullptr) return nullptr;
  auto made = std::make_shared<KernelFunction>();
  made->module = this;
  made->function = function;
  made->name = std::string(name);
  made->settings = settings != nullptr ? std::move(settings) : std::make_shared<FunctionSettings>();
  functions_.emplace(made->name, made);
  Handles<KernelFunction>::Get().Add<CUfunction>(made);
  return made;
}

std::vector<std::string_view> Module::KernelNames(const Program& program) {
  std::vector<std::string_view> names;
  for (const Function& function : program.functions) {
    if (function.is_entry && !function.is_declaration) names.push_back(function.name);
  }
  return names;
}

std::shared_ptr<Library> Library::Make(std::shared_ptr<const Program> program) {
  auto library = std::make_shared<Library>();
  library->program_ = std::move(program);
  for (const Function& function : library->program_->functions) {
    if (!function.is_entry || function.is_declaration) continue;
    auto kernel = std::make_shared<Kernel>();
    kernel->library = library;
    kernel->name = std::string(function.name);
    kernel->function = &function;
    kernel->settings = std::make_shared<FunctionSettings>();
    Handles<Kernel>::Get().Add<CUkernel>(kernel);
    library->kernels_.push_back(std::move(kernel));
  }
  Handles<Library>::Get().Add<CUlibrary>(library);
  return library;
}

Library::~Library() {
  for (const std::shared_ptr<Kernel>& kernel : kernels_) {
    Handles<Kernel>::Get().Remove(kernel.get());
  }
  for (const auto& [id, module] : modules_) Handles<Module>::Get().Remove(module.get());
}

CUresult Library::ModuleIn(const std::shared_ptr<Context>& context,
                           std::shared_ptr<Module>* module) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Module>& found = modules_[context->id()];
  if (found == nullptr) {
    if (const CUresult made = Module::Make(context, program_, &found); made != CUDA_SUCCESS) {
      modules_.erase(context->id());
      return made;
    }
  }
  *module = found;
  return CUDA_SUCCESS;
}

std::shared_ptr<Kernel> Library::FindKernel(std::string_view name) const {
  for (const std::shared_ptr<Kernel>& kernel : kernels_) {
    if (kernel->name == name) return kernel;
  }
  return nullptr;
}

void Library::Forget(const Context& context) {
  std::shared_ptr<Module> forgotten;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = modules_.find(context.id()); found != modules_.end()) {
    forgotten = std::move(found->second);
    modules_.erase(found);
  }
}

JitLogs::JitLogs(unsigned count, const CUjit_option* options, void** values) {
  if (options == nullptr || values == nullptr) return;
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case CU_JIT_ERROR_LOG_BUFFER:
        error_ = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        error_size_ = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
        error_size_out_ = &values[i];
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        info_size_out_ = &values[i];
        break;
      default:
        break;
    }
  }
}

void JitLogs::Error(std::string_view text) {
  if (error_ == nullptr || error_size_ == 0) return;
  error_used_ = std::min(text.size(), error_size_ - 1);
  std::memcpy(error_, text.data(), error_used_);
  error_[error_used_] = '\0';
}

JitLogs::~JitLogs() {
  // Sizes are given and returned in the place of a pointer.
  if (error_size_out_ != nullptr) *error_size_out_ = reinterpret_cast<void*>(error_used_);
  if (info_size_out_ != nullptr) *info_size_out_ = nullptr;
}

CUresult FindFunction(CUfunction handle, std::shared_ptr<KernelFunction>* function,
                      std::shared_ptr<Module>* module) {
  *function = Handles<KernelFunction>::Get().Find(handle);
  if (*function != nullptr) {
    *module = (*function)->module->weak_from_this().lock();
    return *module != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  }
  const std::shared_ptr<Kernel> kernel = Handles<Kernel>::Get().Find(handle);
  const std::shared_ptr<Library> library = kernel == nullptr ? nullptr : kernel->library.lock();
  if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  WARPYARD_CU_CURRENT(context);
  WARPYARD_CU_TRY(library->ModuleIn(context->shared_from_this(), module));
  *function = (*module)->FindFunction(kernel->name, kernel->settings);
  return *function != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // namespace warpyard::emulator::driver
