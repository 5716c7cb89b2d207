// Recorded work: dispatches that are checked when they are recorded and then submitted as one task, any number of
// times.
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

  /// All resources that it uses, each once.
  std::span<Resource* const> uses() const { return uses_; }
  /// Throws Error (usage) when one of its resources has been destroyed.
  void check_alive() const;
  /// Runs the dispatches in order. A dispatch that fails fails its outputs and what depends on them, but not the
  /// others.
  void run();

 private:
  std::vector<ExecutableId> initialized_;
  std::vector<std::shared_ptr<Bindings>> commands_;
  std::vector<Resource*> uses_;
};

}  // namespace webnn::runtime
