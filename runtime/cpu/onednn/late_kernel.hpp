// A kernel for what graphs rarely meet.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/kernel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::onednn {

/// A kernel with its own scratch memory, prepared when it first runs. That counts as what was prepared before.
class LateKernel {
 public:
  using Prepare = std::function<Kernel(const KernelSpec& spec, Constants constants)>;

  /// The constants' bytes stay valid as long as this object.
  LateKernel(Prepare prepare, KernelSpec spec, Constants constants)
      : prepare_(std::move(prepare)),
        spec_(std::move(spec)),
        constants_(constants.begin(), constants.end()),
        account_(current_account()) {}

  void run(KernelArguments arguments) {
    std::call_once(prepared_, [this] {
      const AccountScope scope(account_);
      kernel_ = prepare_(spec_, constants_);
      scratch_ = AlignedBytes(kernel_.scratch_bytes);
    });
    arguments.scratch = scratch_.data();
    kernel_.run(arguments);
  }

 private:
  Prepare prepare_;
  KernelSpec spec_;
  std::vector<std::span<const std::byte>> constants_;
  std::shared_ptr<MemoryAccount> account_;
  std::once_flag prepared_;
  Kernel kernel_;
  AlignedBytes scratch_{0};
};

}  // namespace webnn::runtime::onednn
