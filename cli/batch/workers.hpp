// The workers of a batch: threads that each take the next input until none is left. What they hold does not depend on
// the number of inputs, except for what is told of those that cannot be used.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "schema/error.hpp"

namespace webnn::cli {

/// What became of an input.
struct InputOutcome {
  enum class Kind : std::uint8_t { computed, was_there, refused };
  Kind kind = Kind::computed;
  std::string message{}, hint{};  // of one that cannot be used
};

/// A worker's own state behind a function: does input `index`. What it throws ends the batch.
using Worker = std::function<InputOutcome(std::size_t index)>;

struct RefusedInput {
  std::size_t index;
  std::string message, hint;
};

struct BatchTally {
  std::size_t computed = 0, were_there = 0;
  std::vector<RefusedInput> refused;  // in the order of the inputs
  std::size_t finished() const { return computed + were_there + refused.size(); }
};

/// Called on the thread that waits for the workers.
struct BatchListener {
  std::function<void(const RefusedInput&)> refused;
  std::function<void(std::size_t finished)> progress;  // about ten times a second
};

/// Does `inputs` inputs with `count` workers, each made by `make_worker` on its own thread. When one throws, the others
/// finish what they have begun, and the error is thrown here.
BatchTally run_workers(std::size_t inputs, unsigned count, const std::function<Worker()>& make_worker,
                       const BatchListener& listener);

}  // namespace webnn::cli
