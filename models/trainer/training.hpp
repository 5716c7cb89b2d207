// Trains the digit classifier on fresh renderings and measures it on others.
#pragma once

#include <cstdint>
#include <functional>

#include "models/trainer/network.hpp"

namespace webnn::models {

struct TrainingOptions {
  std::uint64_t seed = 1;
  std::uint32_t steps = 1200;
  std::uint32_t batch = 16;
  float learning_rate = 0.004f;  // falls linearly to a fiftieth of it
};

/// Minimises the cross entropy with Adam. Every step sees new renderings, so nothing can be learnt by heart.
/// `on_progress(step, share of this step's images that were right)` is called every hundred steps.
Parameters train(const TrainingOptions& options, const std::function<void(std::uint32_t, float)>& on_progress);

/// The share of `count` renderings with another seed that the network gets right.
float held_out_accuracy(const Parameters& parameters, std::uint64_t seed, std::uint32_t count);

}  // namespace webnn::models
