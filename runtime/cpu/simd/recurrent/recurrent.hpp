// What the plain and the vector code of recurrent networks share: the addresses of one step.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

enum class Activation : std::uint8_t { relu, sigmoid, tanh };

/// What follows is for weights of float or Half; everything else is float.
///
/// to[row][...] = bias[...] + x[row] * panels, for `rows` rows; a row of the result is all gates of all groups.
template <class Weight>
struct Projection {
  const float* x = nullptr;  // rows of `depth`
  const Weight* panels = nullptr;
  const float* bias = nullptr;
  float* to = nullptr;
  std::size_t rows = 0, depth = 0;
  std::size_t row = 0;  // floats of a row of `to`
};

/// One step of all batches in one direction. States are [batches, hidden].
template <class Weight>
struct LstmStep {
  const float* projected = nullptr;  // what the input gives the gates, biases included; a row for each batch
  const Weight* panels = nullptr;    // recurrent
  const float* peepholes = nullptr;  // of i, o and f, `hidden` each; may be null
  const float* h = nullptr;
  float* c = nullptr;  // replaced
  float* next_h = nullptr;
  std::size_t batches = 0, hidden = 0, row = 0;
  Activation gate{}, candidate{}, filter{};
};

template <class Weight>
struct GruStep {
  const float* projected = nullptr;
  const Weight* panels = nullptr;
  const float* n_bias = nullptr;  // the new gate's recurrent bias, `groups * 16`; where r acts on the product
  const float* h = nullptr;
  float* next_h = nullptr;
  float* z = nullptr;      // [batches, hidden], where r acts on the hidden state: kept between the two halves of a step
  float* reset = nullptr;  // [batches, hidden]: r * h
  std::size_t batches = 0, hidden = 0, row = 0;
  Activation gate{}, candidate{};
};

}  // namespace webnn::runtime::simd
