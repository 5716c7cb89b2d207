#include "runtime/cpu/onednn/pieces.hpp"

#include <algorithm>

#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::onednn {

Execution& Pieces::add(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad) {
  pieces_.push_back(std::make_unique<Execution>(primitive, scratchpad));
  return *pieces_.back();
}

void Pieces::count_code(std::size_t functions) {
  constexpr std::uint64_t room = 256 << 10;  // for each function, however short
  code_.emplace_back(functions * room);
}

void Pieces::plan(ScratchLayout& scratch) {
  const std::size_t places = std::clamp<std::size_t>(pieces_.size(), 1, team_size());
  std::size_t bytes = 0;
  for (const auto& piece : pieces_) bytes = std::max(bytes, piece->scratchpad_bytes());
  scratchpads_ = scratch.add_places(unsigned(places), bytes);
}

void Pieces::run(const KernelArguments& arguments) const {
  parallel_pieces(scratchpads_.count, pieces_.size(), [&](std::size_t begin, std::size_t end, unsigned place) {
    for (; begin < end; ++begin) pieces_[begin]->run(arguments, scratchpads_.of(arguments.scratch, place));
  });
}

std::size_t piece_count(std::size_t products, std::size_t parts) {
  if (team_size() == 1) return 1;
  const std::size_t most = std::min<std::size_t>(most_pieces, pieces_of_thread * team_size());
  return std::clamp<std::size_t>(products / products_of_piece, 1, std::clamp<std::size_t>(parts, 1, most));
}

std::size_t part_length(std::size_t length, std::size_t most, std::size_t unit) {
  std::size_t best = length, least = length;
  for (std::size_t count = 2; count <= most; ++count) {
    const std::size_t part = div_up(div_up(length, count), unit) * unit;
    const std::size_t of_busiest = div_up(div_up(length, part), team_size()) * part;
    if (of_busiest < least) best = part, least = of_busiest;
  }
  return best;
}

}  // namespace webnn::runtime::onednn
