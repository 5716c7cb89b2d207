// Arguments of the vector code of recurrent networks: the addresses of one time step. Weights are float or Half,
// everything else is float.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

enum class Activation : std::uint8_t { relu, sigmoid, tanh };

/// to[row] = x[row] * panels, for `rows` rows. A row of the result holds all gates of all groups:
/// [groups][gates][16].
template <class Weight>
struct Projection {
  const float* x = nullptr;        // [rows][depth]
  const Weight* panels = nullptr;  // [groups][depth][gates][16]
  float* to = nullptr;             // [rows][row]
  std::size_t rows = 0, depth = 0;
  std::size_t row = 0;  // floats of a row of `to`
};

/// One time step of all batches in one direction. States are [batches, hidden].
template <class Weight>
struct LstmStep {
  const float* projected = nullptr;              // [batches][row]: the projected input
  const float* bias = nullptr;                   // [groups][gates][16]: both biases, but for `n_bias`
  const Weight* panels = nullptr;                // recurrent weights, [groups][hidden][gates][16]
  const float* peepholes = nullptr;              // of i, o and f, [3][hidden]; null: none
  const float* h = nullptr;                      // hidden state
  float* c = nullptr;                            // cell state, updated in place
  float* next_h = nullptr;                       // new hidden state
  std::size_t batches = 0, hidden = 0, row = 0;  // `row`: floats of a row of `projected`
  Activation gate{}, candidate{}, filter{};
};

/// The same for gru. `reset` and `z` are used when r acts on the hidden state, `n_bias` when it acts on the product.
template <class Weight>
struct GruStep {
  const float* projected = nullptr;              // as in LstmStep
  const float* bias = nullptr;                   // as in LstmStep
  const Weight* panels = nullptr;                // as in LstmStep
  const float* n_bias = nullptr;                 // [groups * 16]: the recurrent bias of the new gate
  const float* h = nullptr;                      // hidden state
  float* next_h = nullptr;                       // new hidden state
  float* z = nullptr;                            // [batches, hidden]: kept between the two halves of a time step
  float* reset = nullptr;                        // [batches, hidden]: r * h
  std::size_t batches = 0, hidden = 0, row = 0;  // `row`: floats of a row of `projected`
  Activation gate{}, candidate{};
};

}  // namespace webnn::runtime::simd
