// What an operator's own rounding may be: the row that the error bound reads for it.
#pragma once

#include <cstdint>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

enum class Rule : std::uint8_t {
  moves,    // elements are moved, never computed with
  corners,  // one element of each operand, or monotone in each: the extremes are where all operands are
  sums,     // sums of products with factors that are not negative: magnitudes bound it
  winner,   // the index of the greatest or least
  sample,   // anything else
};

struct Rounding {
  Rule rule = Rule::sample;
  bool rounds = true;          // the result is rounded to its type
  double ulps = 0;             // of float32, of the result and of the operands
  bool peak = false;           // the rounding is one of the greatest element, not of each for itself
  bool chooses = false;        // an integer is one of several without an order: a bound means that it is unknown
  bool looks_up = false;       // the first operand is an index
  int pole = -1;               // an operand that must not be 0
  double greatest = infinity;  // what lies beyond may become infinite on the way, in float32
  double integer = 0;          // an integer result may be so far off
  bool exponent = false;       // the rounding grows with the logarithm of the result
  double least_operand = 0;    // operands below it are rounded as it is
  double coordinates = 0;  // the greatest position of an element that is computed in float32 and then interpolated at

  bool moves_operand(std::size_t k) const { return ulps > 0 && !(exponent && k == 1); }
  double growth(double magnitude) const;
};

/// `spec` is a call without post-ops.
Rounding rounding_of(const KernelSpec& spec);

}  // namespace webnn::tests
