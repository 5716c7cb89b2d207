// The cheapest way to divide a network in two.
#pragma once

#include <cstdint>
#include <vector>

namespace webnn::compiler {

/// A network of nodes and directed arcs with capacities, in which `source` and `sink` shall be separated: arcs from the
/// source's part to the sink's part are cut, and the sum of their capacities is the least there is (Dinic's algorithm).
class MinCut {
 public:
  static constexpr std::uint32_t source = 0, sink = 1;
  static constexpr std::uint64_t never = std::uint64_t{1} << 62;  // capacity of an arc that is not cut

  std::uint32_t add_node();
  void add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  /// By node: whether it is in the source's part. Of several cheapest divisions the one with the least such part.
  std::vector<bool> source_part();

 private:
  struct Arc {
    std::uint32_t to;
    std::uint64_t capacity;  // what is left of it
  };

  bool find_levels();
  bool augment();

  std::vector<Arc> arcs_;                                       // each followed by its reverse
  std::vector<std::vector<std::uint32_t>> leaving_ = {{}, {}};  // by node: arcs
  std::vector<std::uint32_t> level_;                            // by node: arcs from the source
  std::vector<std::uint32_t> next_;                             // by node: place in leaving_
};

}  // namespace webnn::compiler
