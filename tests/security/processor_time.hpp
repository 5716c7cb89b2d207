// What a linear cost is: work that took minutes of the processor ends within seconds.
#pragma once

#include <ctime>

#include "tests/harness/machine/sanitizers.hpp"

namespace webnn::tests {

/// A loose bound: what is asked for takes a second, or some with a sanitizer.
inline constexpr double most_processor_seconds = under_sanitizer ? 150 : 10;

/// Of the processor: others may use it, too.
template <typename Work>
double processor_seconds_of(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace webnn::tests
