// Divides a call into pieces, each a primitive that runs on one thread: images, bands of rows, or rows of a product.
// oneDNN itself starts no threads.
#pragma once

#include <memory>
#include <vector>

#include "runtime/cpu/onednn/execution.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::onednn {

/// The multiplications that make up a piece: about 20 microseconds.
inline constexpr std::size_t products_of_piece = 1'500'000;
/// The maximum number of pieces per thread; each piece reads all weights.
inline constexpr std::size_t pieces_of_thread = 4;
/// The maximum number of pieces of a call.
inline constexpr std::size_t most_pieces = 64;

/// The pieces of a call that is being prepared.
class Pieces {
 public:
  /// Adds a piece; the caller binds its arguments.
  Execution& add(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad);
  std::size_t count() const { return pieces_.size(); }

  /// Counts the memory of so many functions that oneDNN makes for the pieces, before it makes them. Throws Error (resource).
  void count_code(std::size_t functions);

  /// Called after all pieces were added: reserves scratchpads for as many threads as the calling thread's loops have
  /// now.
  void plan(ScratchLayout& scratch);
  /// Runs all pieces on the available threads. Throws Error when oneDNN fails.
  void run(const KernelArguments& arguments) const;

 private:
  std::vector<std::unique_ptr<Execution>> pieces_;
  std::vector<schema::MemoryCharge> code_;
  PlaceScratch scratchpads_;
};

/// The number of pieces for a call with so many multiplications, of which at most `parts` can be made; 1 for a single
/// thread, which runs the call as a whole. The number does not change the results by a single bit, because no part
/// depends on the division.
std::size_t piece_count(std::size_t products, std::size_t parts);

/// The length of a part when `length` is divided into at most `most` parts, which are multiples of `unit` except for
/// the last: minimises the work of the busiest thread; among equals the longest.
std::size_t part_length(std::size_t length, std::size_t most, std::size_t unit = 1);

}  // namespace webnn::runtime::onednn
