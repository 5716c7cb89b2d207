// Finds out whether all ways to compute a network agree with the exact result, and what the smallest part is in which
// one does not.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "tests/random_graphs/variants.hpp"

namespace webnn::tests {

struct Difference {
  Network network;
  std::string variant;
  std::string output;  // which; empty: it did not run at all
  std::string text;    // what was expected and what is there, or what was thrown
};

/// What a network is compared with.
struct Coverage {
  std::size_t elements = 0;  // compared with a bound
  std::size_t unknown = 0;   // that nothing can be said of
};

/// The first difference from what is exact, within the bounds of error_bound.hpp; nullopt when there is none.
std::optional<Difference> find_difference(const Network& network, std::span<VariantRunner* const> runners,
                                          Coverage* coverage = nullptr);

/// The same difference in a network of as few operators as still show it: values in the middle become inputs. The
/// variant is among the runners, with the one that it is the same as.
Difference reduced(const Difference& difference, std::span<VariantRunner* const> runners);

/// The network as `.webnn` text with what is different, and short inputs with their numbers.
std::string text_of(const Difference& difference);

/// What ran and what was found.
struct RandomGraphsResult {
  std::size_t graphs = 0;
  std::size_t failed = 0;
  Coverage coverage;
};

/// Runs networks of the seeds first, first + 1, ...; prints every difference, reduced. A seed whose network cannot be
/// made, bounded or reduced counts as failed, too. Stops after `most_failures`.
RandomGraphsResult run_random_graphs(std::uint32_t first, std::size_t count, std::span<const Variant> variants,
                                     const NetworkOptions& options, std::ostream& out, std::size_t most_failures = 20);

}  // namespace webnn::tests
