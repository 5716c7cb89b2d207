// train-digits [FOLDER]: trains the digit classifier and writes it to FOLDER (default: models/digits).
//
// Everything is seeded and single-threaded: running it again writes the same bytes. Exits with 1 when the network gets
// fewer than 98 of 100 held-out digits right, and then writes nothing.
#include <cstdio>
#include <exception>

#include "models/trainer/digits_model.hpp"
#include "models/trainer/training.hpp"

int main(int argc, char** argv) {
  using namespace webnn::models;
  try {
    const Parameters parameters = train(TrainingOptions{}, [](std::uint32_t step, float right) {
      std::printf("step %4u: %3.0f%% of this batch right\n", step, double(right) * 100);
    });
    const float accuracy = held_out_accuracy(parameters, 2, 5000);
    std::printf("held-out accuracy: %.2f%% of 5000 digits\n", double(accuracy) * 100);
    if (accuracy < 0.98f) {
      std::fprintf(stderr, "train-digits: the accuracy is below 98%%; nothing was written\n");
      return 1;
    }
    write_digits_model(parameters, argc > 1 ? argv[1] : "models/digits");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train-digits: %s\n", error.what());
    return 1;
  }
}
