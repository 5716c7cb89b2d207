// A list of kernels with their rows: what a device finds the functions of a program's steps in.
#pragma once

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// `Kernel` has a member `row` and whatever its device needs. Rows stay in place.
template <typename Kernel>
class KernelList {
 public:
  KernelList() = default;
  KernelList(KernelList&&) = default;  // rows and names stay in place; copies would have others

  /// Adds a kernel. `name` joins the row's name with the words around it: "simd", "softmax", "avx2".
  void add(std::initializer_list<std::string_view> name, Kernel kernel) {
    std::string& joined = names_.emplace_back();
    for (const std::string_view word : name) (joined += joined.empty() || word.empty() ? "" : ".") += word;
    kernel.row.name = joined;
    kernels_.push_back(std::move(kernel));
  }

  /// Null when the row is not in this list. The result stays valid as long as the list.
  const Kernel* find(KernelId id) const {
    for (const Kernel& kernel : kernels_)
      if (&kernel.row == id.row) return &kernel;
    return nullptr;
  }
  auto begin() const { return kernels_.begin(); }
  auto end() const { return kernels_.end(); }

 private:
  std::deque<std::string> names_;
  std::deque<Kernel> kernels_;
};

}  // namespace webnn::runtime
