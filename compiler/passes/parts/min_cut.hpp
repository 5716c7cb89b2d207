// Finds the cheapest way to divide a network in two.
#pragma once

#include <cstdint>
#include <vector>

namespace webnn::compiler {

/// A network of nodes and directed arcs with capacities, in which `source` and `sink` are to be separated. The arcs
/// from the source's part to the sink's part are cut; the sum of their capacities is minimal (Dinic's algorithm).
class MinCut {
 public:
  static constexpr std::uint32_t source = 0, sink = 1;
  static constexpr std::uint64_t never = std::uint64_t{1} << 62;  // capacity of an arc that must not be cut

  std::uint32_t add_node();
  void add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  /// By node: whether it is in the source's part. Among several minimum cuts, the one with the smallest such part. In a
  /// network made to take very many steps, the search is given up, and the source is alone.
  std::vector<bool> source_part();

 private:
  struct Arc {
    std::uint32_t to;
    std::uint64_t capacity;  // what remains of it
  };

  bool find_levels();
  bool augment();

  std::vector<Arc> arcs_;                                       // each followed by its reverse
  std::vector<std::vector<std::uint32_t>> leaving_ = {{}, {}};  // by node: arcs
  std::vector<std::uint32_t> level_;                            // by node: arcs from the source
  std::vector<std::uint32_t> next_;                             // by node: place in leaving_
  std::uint64_t steps_left_ = std::uint64_t{1} << 28;
};

}  // namespace webnn::compiler
