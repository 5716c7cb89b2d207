// A call divided into pieces, each of them a primitive that runs on one thread: images, bands of rows, rows of a
// product. oneDNN itself starts no threads.
#pragma once

#include <memory>
#include <vector>

#include "runtime/cpu/onednn/execution.hpp"

namespace webnn::runtime::onednn {

/// Products of two numbers that make a piece: about 20 microseconds.
inline constexpr std::size_t products_of_piece = 1'500'000;
/// The most pieces of a call for each thread: each piece reads all weights.
inline constexpr std::size_t pieces_of_thread = 4;
/// The most pieces of a call.
inline constexpr std::size_t most_pieces = 64;

/// The pieces of a call that is made ready.
class Pieces {
 public:
  /// A further piece, whose arguments the caller binds.
  Execution& add(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad);
  std::size_t count() const { return pieces_.size(); }

  /// After all were added: scratchpads for as many threads as the calling thread's loops have now.
  void plan(ScratchPlan& scratch);
  /// Runs all, in as many threads as are free. Throws Error when oneDNN cannot go on.
  void run(const KernelArguments& arguments) const;

 private:
  std::vector<std::unique_ptr<Execution>> pieces_;
  std::size_t scratchpads_at_ = 0, scratchpad_bytes_ = 0, scratchpad_step_ = 0;
  unsigned places_ = 1;
};

/// How many pieces a call of so many products is divided into when it has `parts` parts that may be apart; 1 for one
/// thread, which runs it as a whole. The number changes no bit of the results: no part depends on which others are
/// computed with it.
std::size_t piece_count(std::size_t products, std::size_t parts);

/// The length of parts of `length` in at most `most` parts, of multiples of `unit` but for the last: such that the
/// thread with the most of them has as little as possible; of these the longest.
std::size_t part_length(std::size_t length, std::size_t most, std::size_t unit = 1);

}  // namespace webnn::runtime::onednn
