// The longest chain of a program's steps that need each other's results: what a device must wait for at least.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schema/program.hpp"

namespace webnn::tests {

/// The sum of `links_of(step)` over the steps of the chain for which it is largest.
template <typename LinksOf>
std::uint64_t longest_chain(const schema::Program& program, LinksOf links_of) {
  std::vector<std::uint64_t> links(program.values.size(), 0);  // by value that owns bytes: until it can be read
  const auto owner = [&](std::uint32_t value) {
    const std::uint32_t view_of = program.values[value].view_of;
    return view_of == schema::no_index ? value : view_of;
  };
  std::uint64_t longest = 0;
  for (const schema::Step& step : program.steps) {
    std::uint64_t before = 0;
    for (const std::uint32_t input : step.inputs)
      if (input != schema::no_index) before = std::max(before, links[owner(input)]);
    const std::uint64_t all = before + links_of(step);
    for (const std::uint32_t output : step.outputs) links[owner(output)] = all;
    longest = std::max(longest, all);
  }
  return longest;
}

}  // namespace webnn::tests
