// The Adam optimiser around the network's gradients; see the header.
#include "models/trainer/training.hpp"

#include <cmath>

namespace webnn::models {
namespace {

/// Adam (Kingma and Ba 2015) with the usual decay rates.
class Adam {
 public:
  void step(Parameters& parameters, const Parameters& gradients, float gradient_scale, float rate) {
    constexpr float decay_1 = 0.9f, decay_2 = 0.999f, epsilon = 1e-8f;
    power_1_ *= decay_1;
    power_2_ *= decay_2;
    for (std::size_t p = 0; p < parameter_count; ++p) {
      for (std::size_t i = 0; i < parameters[p].size(); ++i) {
        const float g = gradients[p][i] * gradient_scale;
        mean_[p][i] += (1 - decay_1) * (g - mean_[p][i]);
        square_[p][i] += (1 - decay_2) * (g * g - square_[p][i]);
        parameters[p][i] -=
            rate * (mean_[p][i] / (1 - power_1_)) / (std::sqrt(square_[p][i] / (1 - power_2_)) + epsilon);
      }
    }
  }

 private:
  Parameters mean_ = zero_parameters(), square_ = zero_parameters();
  float power_1_ = 1, power_2_ = 1;
};

}  // namespace

Parameters train(const TrainingOptions& options, const std::function<void(std::uint32_t, float)>& on_progress) {
  Random random(options.seed);
  Parameters parameters = random_parameters(random);
  Adam adam;
  for (std::uint32_t step = 1; step <= options.steps; ++step) {
    Parameters gradients = zero_parameters();
    std::uint32_t right = 0;
    for (std::uint32_t i = 0; i < options.batch; ++i) {
      const LabelledImage sample = render_any(random);
      const ForwardResult<float> result = forward<float>(parameters, sample.image);
      right += best_class(result.probabilities) == sample.label;
      backward(parameters, result, sample.label, gradients);
    }
    const float left = 1 - float(step) / float(options.steps);
    adam.step(parameters, gradients, 1 / float(options.batch), options.learning_rate * (0.02f + 0.98f * left));
    if (step % 100 == 0) on_progress(step, float(right) / float(options.batch));
  }
  return parameters;
}

float held_out_accuracy(const Parameters& parameters, std::uint64_t seed, std::uint32_t count) {
  Random random(seed);
  std::uint32_t right = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const LabelledImage sample = render_any(random);
    right += best_class(forward<float>(parameters, sample.image).probabilities) == sample.label;
  }
  return float(right) / float(count);
}

}  // namespace webnn::models
