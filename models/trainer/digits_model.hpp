// Writes the trained network as a WebNN model with an input, the expected output and labels beside it.
#pragma once

#include <filesystem>

#include "models/trainer/network.hpp"

namespace webnn::models {

/// Writes digits.json, digits.weights, digits.manifest.json, digits.input.image.npy (a rendered 7),
/// digits.expected.probabilities.npy (computed in double precision) and labels.txt into `folder`.
/// Throws std::runtime_error when a file cannot be written.
void write_digits_model(const Parameters& parameters, const std::filesystem::path& folder);

}  // namespace webnn::models
