// A graph with the tensors of a dispatch, checked and resolved once and then run as often as wanted; and what a context
// remembers of dispatches, so that the same one need not be checked again.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/executable.hpp"
#include "runtime/resource.hpp"
#include "runtime/tensors/tensor_state.hpp"

namespace webnn::runtime {

/// An executable as the context keeps it.
class ExecutableState final : public Resource {
 public:
  /// Throws what Executable's constructor throws.
  ExecutableState(Program program, Device& device, unsigned threads, std::uint64_t max_memory);

  /// Null once it is destroyed and unused.
  Executable* executable() const { return executable_.get(); }
  const std::unordered_map<std::string_view, std::uint32_t>& input_names() const { return input_names_; }
  const std::unordered_map<std::string_view, std::uint32_t>& output_names() const { return output_names_; }

 private:
  void release() noexcept override { executable_.reset(); }

  std::unique_ptr<Executable> executable_;
  std::unordered_map<std::string_view, std::uint32_t> input_names_, output_names_;  // views on the program's names
};

/// What a caller gave for one dispatch.
struct DispatchWords {
  ExecutableId executable;
  std::span<const NamedTensor> inputs, outputs;
};

class Bindings {
 public:
  using Tensors = std::vector<std::shared_ptr<TensorState>>;

  using FindTensor = std::function<const std::shared_ptr<TensorState>&(TensorId)>;

  /// Checks the words as "validate tensors with descriptors" and "dispatch()" of the specification say, but for inputs
  /// that the graph does not use, which may be left out. Throws Error (usage), and what `find` throws.
  static std::shared_ptr<Bindings> make(const DispatchWords& words, std::shared_ptr<ExecutableState> executable,
                                        const FindTensor& find);
  /// `inputs` and `outputs` in the order of the program's bindings; null for an input that is not given.
  Bindings(const DispatchWords& words, std::shared_ptr<ExecutableState> executable, Tensors inputs, Tensors outputs);

  /// Whether it was made from exactly these words.
  bool is_for(const DispatchWords& words) const;
  /// Everything that a run uses.
  std::span<Resource* const> uses() const { return uses_; }
  /// Throws Error (usage) when something of it is destroyed.
  void check_alive() const;
  ExecutableId executable() const { return id_; }
  std::size_t step_count() const { return executable_->executable()->program().steps.size(); }

  /// By a task of the timeline; throws what the run throws, and what an input's content does. Its outputs then fail,
  /// too. With `times`, an entry for each step, says when each step ran. Allocates nothing.
  void run(std::span<StepTime> times = {});
  /// The outputs of a run that cannot be.
  void fail(const std::exception_ptr& failure);

 private:
  struct NamedId {
    std::string name;
    TensorId tensor;
    bool operator==(const NamedTensor& other) const { return tensor == other.tensor && name == other.name; }
  };
  void run_or_throw(std::span<StepTime> times);

  ExecutableId id_;
  std::vector<NamedId> asked_inputs_, asked_outputs_;
  std::shared_ptr<ExecutableState> executable_;
  Tensors inputs_, outputs_;
  std::vector<Resource*> uses_;
  std::vector<const std::byte*> input_addresses_;  // of the run, for the task
  std::vector<std::byte*> output_addresses_;
};

/// The latest dispatches by what was asked for. A place holds one; another that falls there takes it over, so that the
/// cache never grows. Not for several threads at once.
class BindingsCache {
 public:
  /// Null when it is not known or something of it is destroyed.
  std::shared_ptr<Bindings> find(const DispatchWords& words);
  void keep(const DispatchWords& words, std::shared_ptr<Bindings> bindings);
  void clear() { places_.fill(nullptr); }

 private:
  static constexpr std::size_t place_count = 256;
  static std::size_t place_of(const DispatchWords& words);
  std::array<std::shared_ptr<Bindings>, place_count> places_;
};

}  // namespace webnn::runtime
