// Bindings: a graph with the tensors of a dispatch, checked and resolved once and then run any number of times.
// BindingsCache remembers recent dispatches, so that a repeated one is not checked again.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/executable.hpp"
#include "runtime/resource.hpp"
#include "runtime/tensors/tensor_state.hpp"
#include "schema/name_hash.hpp"

namespace webnn::runtime {

/// An executable as stored in a context.
class ExecutableState final : public Resource {
 public:
  /// Throws what Executable's constructor throws.
  ExecutableState(Program program, Device& device, unsigned threads, const Limits& limits);

  /// Null once it has been destroyed and is no longer in use.
  Executable* executable() const { return executable_.get(); }
  const ByNameView<std::uint32_t>& input_names() const { return input_names_; }
  const ByNameView<std::uint32_t>& output_names() const { return output_names_; }

 private:
  void release() noexcept override { executable_.reset(); }

  std::unique_ptr<Executable> executable_;
  ByNameView<std::uint32_t> input_names_, output_names_;  // views of the program's names
};

/// The arguments of one dispatch.
struct DispatchWords {
  ExecutableId executable;
  std::span<const NamedTensor> inputs, outputs;
};

class Bindings {
 public:
  using Tensors = std::vector<std::shared_ptr<TensorState>>;

  /// Throws Error (usage) that names the input or output when it may not be used.
  using FindTensor = std::function<const std::shared_ptr<TensorState>&(TensorId, std::string_view name)>;

  /// Checks the arguments as "validate tensors with descriptors" and "dispatch()" of the specification do, except that
  /// inputs which the graph does not use may be missing. Throws Error (usage), and whatever `find` throws.
  static std::shared_ptr<Bindings> make(const DispatchWords& words, std::shared_ptr<ExecutableState> executable,
                                        const FindTensor& find);
  /// `inputs` and `outputs` are in the order of the program's bindings; null for a missing input.
  Bindings(const DispatchWords& words, std::shared_ptr<ExecutableState> executable, Tensors inputs, Tensors outputs);

  /// Whether it was made from exactly these arguments.
  bool is_for(const DispatchWords& words) const;
  /// All resources that a run uses.
  std::span<Resource* const> uses() const { return uses_; }
  /// Throws Error (usage) when one of its resources has been destroyed.
  void check_alive() const;
  ExecutableId executable() const { return id_; }
  std::size_t step_count() const { return step_count_; }  // also when the graph is destroyed

  /// Runs the graph; for tasks of the timeline. Throws the error of the run, or that of an input's content; the outputs
  /// then fail too. `times`, if given, has an entry for each step and receives when it ran. Allocates nothing.
  void run(std::span<StepTime> times = {});
  /// Marks the outputs as failed, for a run that cannot take place.
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
  std::vector<const std::byte*> input_addresses_;  // of the current run
  std::vector<std::byte*> output_addresses_;
  std::size_t step_count_;
};

/// The most recent dispatches, by their arguments: a direct-mapped cache of fixed size, in which a new entry replaces
/// the one at its place. Not thread-safe.
class BindingsCache {
 public:
  /// Null when the dispatch is unknown or one of its resources has been destroyed.
  std::shared_ptr<Bindings> find(const DispatchWords& words);
  void keep(const DispatchWords& words, std::shared_ptr<Bindings> bindings);
  void clear() { places_.fill(nullptr); }

 private:
  static constexpr std::size_t place_count = 256;
  static std::size_t place_of(const DispatchWords& words);
  std::array<std::shared_ptr<Bindings>, place_count> places_;
};

}  // namespace webnn::runtime
