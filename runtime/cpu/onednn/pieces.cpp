#include "runtime/cpu/onednn/pieces.hpp"

#include <algorithm>

#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::onednn {

Execution& Pieces::add(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad) {
  pieces_.push_back(std::make_unique<Execution>(primitive, scratchpad));
  return *pieces_.back();
}

void Pieces::plan(ScratchLayout& scratch) {
  places_ = unsigned(std::clamp<std::size_t>(pieces_.size(), 1, team_size()));
  for (const auto& piece : pieces_) scratchpad_bytes_ = std::max(scratchpad_bytes_, piece->scratchpad_bytes());
  for (unsigned place = 0; place < places_; ++place) {
    const std::size_t at = scratch.add(scratchpad_bytes_);
    if (place == 0) scratchpads_at_ = at;
    if (place == 1) scratchpad_step_ = at - scratchpads_at_;
  }
}

void Pieces::run(const KernelArguments& arguments) const {
  parallel_pieces(places_, pieces_.size(), [&](std::size_t begin, std::size_t end, unsigned place) {
    for (; begin < end; ++begin)
      pieces_[begin]->run(arguments, arguments.scratch + scratchpads_at_ + place * scratchpad_step_);
  });
}

std::size_t piece_count(std::size_t products, std::size_t parts) {
  if (team_size() == 1) return 1;
  const std::size_t most = std::min<std::size_t>(most_pieces, pieces_of_thread * team_size());
  return std::clamp<std::size_t>(products / products_of_piece, 1, std::clamp<std::size_t>(parts, 1, most));
}

std::size_t part_length(std::size_t length, std::size_t most, std::size_t unit) {
  const auto up = [](std::size_t number, std::size_t to) { return (number + to - 1) / to; };
  std::size_t best = length, least = length;
  for (std::size_t count = 2; count <= most; ++count) {
    const std::size_t part = up(up(length, count), unit) * unit;
    const std::size_t of_busiest = up(up(length, part), team_size()) * part;
    if (of_busiest < least) best = part, least = of_busiest;
  }
  return best;
}

}  // namespace webnn::runtime::onednn
