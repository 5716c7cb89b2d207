#include "runtime/cpu/simd/product/panel_runner.hpp"

#include <algorithm>

#include "runtime/machine/core_caches.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// Bytes of the output that are computed before their post-ops follow: few enough for the cache, and enough to be worth
/// the call.
constexpr std::size_t portion_bytes = 48 * 1024;
/// The number of rows that a thread must have to read the whole right side for them.
constexpr std::size_t fewest_rows = 8;
/// The most rows that share one read of a right side that is larger than the cache, and the fewest of a thread.
constexpr std::size_t rows_of_large = 192, rows_of_claim = 48;
/// The most blocks of products in a chunk. The sums of blocks are added up in a row, so that errors would grow with the
/// cache.
constexpr std::size_t blocks_of_chunk = 32;

/// PanelRun::chunk, of so many products.
std::size_t chunk_of(const ProductSizes& sizes, std::size_t products) {
  return std::max<std::size_t>(products / (sizes.taps > 1 ? sizes.depth : 1), 1);
}

/// The most rows whose taps SeenRows has addresses for.
std::size_t most_seen_rows(const ProductSizes& sizes) {
  return std::max<std::size_t>(SeenRows::most_addresses / sizes.taps, 1);
}

}  // namespace

PanelBlocking blocking_of_vectors(const PanelProduct& product, std::size_t widest_panel) {
  const ProductSizes& sizes = product.sizes;
  const std::size_t half = core_caches().l2 / 2 / sizeof(float);
  const auto rows_in = [](std::size_t elements, std::size_t depth) {
    constexpr std::size_t unit = 24;  // several register blocks
    return std::max<std::size_t>(elements / std::max<std::size_t>(depth, 1) / unit, 1) * unit;
  };
  const std::size_t products = sizes.taps * sizes.depth;
  const bool is_large = products * sizes.columns > half;
  PanelBlocking blocking{};
  const std::size_t most_products = std::min(half / 2 / widest_panel, blocks_of_chunk * product.block);
  blocking.chunk = chunk_of(sizes, most_products);
  if (product.windows) {  // neighbouring rows share pixels, and so do all taps
    blocking.strip =
        product.windows->is_planar ? sizes.rows : std::min(rows_in(half, sizes.depth), most_seen_rows(sizes));
  } else if (is_large) {
    blocking.strip = std::clamp<std::size_t>(sizes.rows, 1, rows_of_large);
    blocking.chunk = std::min(blocking.chunk, std::max<std::size_t>(half / blocking.strip, 1));
  } else {
    blocking.strip = rows_in(half / 2, products);
  }
  blocking.portion = is_large ? blocking.strip : rows_in(portion_bytes / sizeof(float), sizes.columns);
  if (product.windows && product.windows->is_planar) {  // as many as whole rows of the output have
    const auto row = std::size_t(product.windows->horizontal.output);
    blocking.portion = round_up(blocking.portion, row);
  }
  blocking.claim = is_large ? rows_of_claim : fewest_rows;
  blocking.wakes = is_large;
  return blocking;
}

PanelBlocking blocking_of_tiles(const PanelProduct& product) {
  const ProductSizes& sizes = product.sizes;
  const std::size_t numbers = core_caches().l2 / 2 / tile_number_bytes, products = sizes.taps * sizes.depth;
  constexpr std::size_t unit = 2 * tile_rows, usual_rows = 256, most_rows = 512, fewest_of_claim = 128;
  PanelBlocking blocking{};
  blocking.strip = std::clamp(numbers / products / unit * unit, usual_rows, most_rows);
  const std::size_t chunks = div_up(products * blocking.strip, numbers);
  blocking.tile_chunk = div_up(products, chunks);
  if (product.windows) blocking.strip = std::min(blocking.strip, most_seen_rows(sizes));
  blocking.unit = blocking.strip < unit ? 1 : unit;
  blocking.strip = blocking.strip / blocking.unit * blocking.unit;
  blocking.portion = blocking.strip;
  // A claim splits the whole right side, or the whole left one.
  blocking.claim = std::clamp(sizes.columns / 2, fewest_of_claim, usual_rows);
  blocking.wakes = true;
  blocking.group = 2;
  blocking.groups_of_thread = 1;
  blocking.claims_of_thread = 2;
  blocking.rows_of_part = 2 * unit;
  blocking.chunk = chunk_of(sizes, blocks_of_chunk * product.block);
  return blocking;
}

void PanelRunner::run(const KernelArguments& arguments, std::size_t first, std::size_t last) const {
  const std::byte* a = arguments.inputs[0];
  if (!gathers.empty()) {
    std::byte* const gathered = arguments.scratch + gathered_at;
    run_copies(
        gathers, [=](std::size_t) { return a; }, [=](std::size_t) { return gathered; });
    a = gathered;
  }
  Call call{arguments, reinterpret_cast<const float*>(a), whole};
  call.whole.panels = panels.data();
  call.whole.panel_count = panels.size();
  call.whole.left_out = skips_padding ? zeros.data() : nullptr;
  call.whole.b = b.in(arguments);
  if (bias) call.whole.bias = reinterpret_cast<const float*>(arguments.inputs[*bias]);
  call.whole.y = reinterpret_cast<float*>(arguments.outputs[0]);
  // With too few rows for each thread to read the whole right side for its own, threads divide the columns instead.
  if (last - first < blocking.claim * team_size())
    divide_columns(call, first, last);
  else
    divide_rows(call, first, last);
}

void PanelRunner::multiply_strip(const Call& call, const PanelRun& run, unsigned place) const {
  if (tiles != nullptr)
    tiles(run, splits.of(call.arguments.scratch, place));
  else
    run.multiply(run);
}

void PanelRunner::run_strip(const Call& call, const PanelRun& of, std::size_t first, std::size_t last,
                            unsigned place) const {
  PanelRun run = of;
  run.y += first * sizes.columns;
  if (!windows) {
    const float* const from = call.a + first * sizes.depth;
    run.rows = last - first;
    run.addresses = &from;
    run.row_step = sizes.depth;
    return multiply_strip(call, run, place);
  }
  for (std::size_t at = first; at < last; at += run.rows, run.y += run.rows * sizes.columns) {
    SeenRows seen;
    seen.find(*windows, call.a, zeros.data(), skips_padding, join, at, last - at);
    run.rows = seen.rows();
    run.taps = seen.taps();
    run.depth = seen.depth();
    run.addresses = seen.addresses();
    run.address_step = seen.address_step();
    run.tap_step = seen.tap_step();
    run.row_step = seen.row_step();
    multiply_strip(call, run, place);
  }
}

/// As few strips as possible, of nearly equal size.
void PanelRunner::run_rows(const Call& call, const PanelRun& of, std::size_t begin, std::size_t end,
                           unsigned place) const {
  if (begin == end) return;
  const std::size_t count = end - begin, strips = div_up(count, blocking.strip);
  const std::size_t length = round_up(div_up(count, strips), blocking.unit);
  for (std::size_t first = begin; first < end; first += length)
    run_strip(call, of, first, std::min(first + length, end), place);
}

/// Rows [first, last) of the groups [begin, end) of panels.
void PanelRunner::run_groups(const Call& call, std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
                             unsigned place) const {
  PanelRun part = call.whole;
  begin *= blocking.group;
  part.panels += begin;
  part.panel_count = std::min(end * blocking.group, panels.size()) - begin;
  part.b += sizes.taps * sizes.depth * panels[begin].column;  // the panels before it are full
  run_rows(call, part, first, last, place);
}

/// A loop over [0, count) in ranges of at least `grain`, or, where each is worth waking a thread, as many for each thread.
void PanelRunner::divide(std::size_t count, std::size_t grain, PieceBody body) const {
  const unsigned places = tiles != nullptr ? splits.count : team_size();
  if (!blocking.wakes) return parallel_places(places, count, grain, body);
  const std::size_t wanted = std::max<std::size_t>(count / grain, 1);
  const std::size_t pieces = std::min(round_up(wanted, std::size_t{places}), count);
  parallel_pieces(places, pieces, [&](std::size_t begin, std::size_t end, unsigned place) {
    body(count * begin / pieces, count * end / pieces, place);
  });
}

/// Threads divide groups of panels and, where these are few, the rows of a group, too.
void PanelRunner::divide_columns(const Call& call, std::size_t first, std::size_t last) const {
  const std::size_t products = sizes.taps * sizes.depth, rows = last - first, threads = team_size();
  const std::size_t groups = div_up(panels.size(), blocking.group);
  const std::size_t most_parts = threads > 1 ? std::max<std::size_t>(rows / blocking.rows_of_part, 1) : 1;
  const std::size_t parts = std::clamp<std::size_t>(blocking.groups_of_thread * threads / groups, 1, most_parts);
  const std::size_t work_of_part = rows * products * panels[0].filled * blocking.group / parts;
  const std::size_t claims = blocking.claims_of_thread * threads;
  const std::size_t grain = std::max(1 + 100'000 / std::max<std::size_t>(work_of_part, 1),
                                     claims == 0 ? 1 : std::max<std::size_t>(groups * parts / claims, 1));
  divide(groups * parts, grain, [&](std::size_t begin, std::size_t end, unsigned place) {
    const auto row_of = [&](std::size_t part) { return first + rows * part / parts; };
    for (std::size_t at = begin; at < end;) {
      const std::size_t group = at / parts, part = at % parts;
      if (part == 0 && at + parts <= end) {  // all whole groups
        run_groups(call, group, end / parts, first, last, place);
        at = end / parts * parts;
      } else {
        const std::size_t end_part = std::min(parts, part + end - at);
        run_groups(call, group, group + 1, row_of(part), row_of(end_part), place);
        at += end_part - part;
      }
    }
  });
  if (!epilogue.is_empty()) epilogue.run_elements(call.arguments, first * sizes.columns, last * sizes.columns);
}

void PanelRunner::divide_rows(const Call& call, std::size_t first, std::size_t last) const {
  const std::size_t products = sizes.taps * sizes.depth;
  const std::size_t unit = std::max(fewest_rows, blocking.unit);
  const std::size_t units = div_up(last - first, unit);
  const std::size_t grain = std::max(div_up(blocking.claim, unit), 1 + 100'000 / (unit * products * sizes.columns));
  divide(units, grain, [&](std::size_t first_unit, std::size_t last_unit, unsigned place) {
    const std::size_t begin = first + first_unit * unit;
    const std::size_t end = std::min(first + last_unit * unit, last);
    if (epilogue.is_empty()) return run_rows(call, call.whole, begin, end, place);
    for (std::size_t at = begin; at < end; at += blocking.portion) {
      const std::size_t to = std::min(at + blocking.portion, end);
      run_rows(call, call.whole, at, to, place);
      epilogue.run_part(call.arguments, at * sizes.columns, to * sizes.columns);
    }
  });
}

}  // namespace webnn::runtime::simd
