// Recorded work: dispatches checked while they are recorded, to be submitted as one task as often as wanted.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/bindings.hpp"

namespace webnn::runtime {

class Recording {
 public:
  void initialize(ExecutableId executable) { initialized_.push_back(executable); }
  bool is_initialized(ExecutableId executable) const;
  void add(std::shared_ptr<Bindings> bindings);
  std::size_t size() const { return commands_.size(); }

  /// Everything that it uses, each once.
  std::span<Resource* const> uses() const { return uses_; }
  /// Throws Error (usage) when something of it is destroyed.
  void check_alive() const;
  /// The dispatches in order; a failing one fails its outputs and what depends on them, not the others.
  void run();
  void fail(const std::exception_ptr& failure);

 private:
  std::vector<ExecutableId> initialized_;
  std::vector<std::shared_ptr<Bindings>> commands_;
  std::vector<Resource*> uses_;
};

}  // namespace webnn::runtime
