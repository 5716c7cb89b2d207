// Packs the matrix, divides the work for caches and threads, and prepares the kernel; see the header.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/product/panel_product.inl.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/machine/core_caches.hpp"
#include "runtime/threads/parallel.hpp"
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

PanelFunctions functions(Isa isa) {
  PanelFunctions code = VECTOR_CODE(vectors_of(isa), panel_product::functions)();
  code.tiles = tile_multiplication(isa);
  if (code.tiles != nullptr) {
    code.vectors = tile_columns / code.lanes;
    code.half = code.lanes;
  }
  return code;
}

/// Divides the vectors into as few panels as possible, of nearly equal size. A rest that fits in half a vector takes half
/// a vector of the last one.
std::vector<ProductPanel> panels_of(std::size_t columns, const PanelFunctions& code) {
  const std::size_t vectors = div_up(columns, code.lanes);
  const std::size_t filled = round_up(columns, code.half);
  const std::size_t count = div_up(vectors, code.vectors);
  std::vector<ProductPanel> panels;
  for (std::size_t panel = 0; panel < count; ++panel) {
    const std::size_t from = vectors * panel / count * code.lanes, to = vectors * (panel + 1) / count * code.lanes;
    panels.push_back({from, std::min(to, columns) - from, std::min(to, filled) - from});
  }
  return panels;
}

/// The lines of panels: how many, and where their products are in the right side, in elements.
struct PanelLines {
  std::size_t taps = 1, of_tap = 1, products = 1;  // products of a line
  std::size_t tap_step = 0, step = 0, product_step = 0;
  bool last_is_half = false;  // the second products of the last tap's lines are missing

  std::size_t elements(std::size_t columns) const { return taps * of_tap * products * columns; }
};

/// With at most one vector of columns in a panel a line has two products, because pairs take half the loads: two
/// neighbours, or on planar images those of two lines of the image. There padding is zeros, so weights must be finite.
PanelLines lines_of(const PanelProduct& product, const PanelFunctions& code, bool are_weights_finite) {
  const ProductSizes& sizes = product.sizes;
  const bool is_planar = product.windows && product.windows->is_planar;
  const std::size_t second = is_planar ? sizes.tap_step : sizes.depth_step;
  const bool are_panels_narrow = sizes.columns <= code.lanes || code.tiles != nullptr;
  const bool has_pairs = are_panels_narrow && (is_planar ? are_weights_finite : sizes.depth % 2 == 0);
  if (!has_pairs) return {sizes.taps, sizes.depth, 1, sizes.tap_step, sizes.depth_step};
  if (!is_planar) return {sizes.taps, sizes.depth / 2, 2, sizes.tap_step, 2 * second, second};
  return {div_up(sizes.taps, 2), sizes.depth, 2, 2 * sizes.tap_step, sizes.depth_step, second, sizes.taps % 2 != 0};
}

/// How the work is divided for the caches, and for threads.
struct Blocking {
  std::size_t chunk;           // PanelRun::chunk
  std::size_t tile_chunk = 1;  // PanelRun::tile_chunk
  std::size_t strip;           // rows that go through all panels together
  std::size_t unit = 1;        // strips are multiples of so many rows
  std::size_t portion;         // rows computed before their post-ops follow
  std::size_t claim;           // the fewest rows of a thread's claim
  bool wakes = false;          // a claim is worth waking a thread
  // Where threads divide the panels: how many stay together, how many such groups each should have at least and the most
  // claims of it (0: any), and the fewest rows of a part of a group.
  std::size_t group = 1, groups_of_thread = 6, claims_of_thread = 0, rows_of_part = 24;
};

/// PanelRun::chunk, of so many products.
std::size_t chunk_of(const ProductSizes& sizes, std::size_t products) {
  return std::max<std::size_t>(products / (sizes.taps > 1 ? sizes.depth : 1), 1);
}

/// The most rows whose taps SeenRows has addresses for.
std::size_t most_seen_rows(const ProductSizes& sizes) {
  return std::max<std::size_t>(SeenRows::most_addresses / sizes.taps, 1);
}

/// A right side that fits in half the L2 cache stays there while rows go through it. Of a larger one, each chunk is read
/// once for a strip of rows, whose part for that chunk stays in the cache meanwhile.
Blocking blocking_of(const PanelProduct& product, std::size_t widest_panel) {
  const ProductSizes& sizes = product.sizes;
  const std::size_t half = core_caches().l2 / 2 / sizeof(float);
  const auto rows_in = [](std::size_t elements, std::size_t depth) {
    constexpr std::size_t unit = 24;  // several register blocks
    return std::max<std::size_t>(elements / std::max<std::size_t>(depth, 1) / unit, 1) * unit;
  };
  const std::size_t products = sizes.taps * sizes.depth;
  const bool is_large = products * sizes.columns > half;
  Blocking blocking{};
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

/// For tiles: the right side is split into parts for every strip of rows, so a strip should have many; its own parts of a
/// chunk take half of the L2 cache.
Blocking blocking_of_tiles(const PanelProduct& product) {
  const ProductSizes& sizes = product.sizes;
  const std::size_t numbers = core_caches().l2 / 2 / tile_number_bytes, products = sizes.taps * sizes.depth;
  constexpr std::size_t unit = 2 * tile_rows, usual_rows = 256, most_rows = 512, fewest_of_claim = 128;
  Blocking blocking{};
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

Packing<float> packing_of_panels(std::string_view kind, const ProductSizes& sizes, const PanelLines& lines,
                                 const PanelFunctions& code) {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  Packing<float> packing;
  packing.form = std::string(kind) + ":" + text(sizes.taps) + "x" + text(sizes.depth) + "x" + text(sizes.columns) +
                 (sizes.column_step == 1 ? ":" : "t:") + (lines.products == 2 ? "2x" : "") + text(code.lanes) + "+" +
                 text(code.half) + "x" + text(code.vectors);
  std::vector<StridedCopy> copies;
  std::size_t padded = 0;  // where the panels that have padding begin: they are the last ones
  const auto bytes = [](std::size_t elements) { return std::int64_t(elements * sizeof(float)); };
  // Products of a line that are neighbours in the right side, too, are copied together.
  const bool are_neighbours = lines.products == 2 && lines.product_step == 1 && !lines.last_is_half;
  const std::size_t together = are_neighbours ? 2 : 1;
  for (const ProductPanel& panel : panels_of(sizes.columns, code)) {
    const std::size_t line = lines.products * panel.filled;
    for (std::size_t i = 0; i < lines.products; i += together) {
      const std::size_t taps = lines.taps - (lines.last_is_half && i > 0 ? 1 : 0);
      if (taps == 0) continue;
      copies.emplace_back(
          std::vector<CopyAxis>{{std::int64_t(taps), bytes(lines.tap_step), bytes(lines.of_tap * line)},
                                {std::int64_t(lines.of_tap), bytes(lines.step), bytes(line)},
                                {std::int64_t(panel.columns), bytes(sizes.column_step), bytes(lines.products)}},
          together * sizeof(float), bytes(panel.column * sizes.column_step + i * lines.product_step),
          bytes(packing.elements + i));
    }
    packing.elements += lines.elements(panel.filled);
    if (panel.columns == panel.filled && !lines.last_is_half) padded = packing.elements;
  }
  packing.write = [copies = std::move(copies), padded, elements = packing.elements](const float* from, float* to) {
    std::fill(to + padded, to + elements, 0.0f);
    run_copies(
        copies, [&](std::size_t) { return reinterpret_cast<const std::byte*>(from); },
        [&](std::size_t) { return reinterpret_cast<std::byte*>(to); });
  };
  return packing;
}

}  // namespace

PackedConstant PanelProduct::pack(std::span<const std::byte> matrix, Isa isa) const {
  const PanelFunctions code = functions(isa);
  return packing_of_panels(kind, sizes, lines_of(*this, code, are_finite(matrix)), code).pack(matrix);
}

bool PanelProduct::fits_tiles() const {
  constexpr std::size_t fewest = 16;  // of rows and columns, for which splitting takes as long as vectors do
  return sizes.depth % 2 == 0 && sizes.rows >= fewest && sizes.columns >= fewest &&
         (!windows || (!windows->is_planar && sizes.taps <= SeenRows::most_addresses));
}

/// The products in whole steps, splitting the right side for each strip of rows, the left side once, and the sums.
double PanelProduct::scale_of_tiles() const {
  constexpr double product = 0.52, right = 16, left = 25, sum = 12, step = products_of_tile;
  const double products = double(sizes.taps * sizes.depth);
  return product * std::ceil(products / step) * step / products + right / double(sizes.rows) +
         left / double(sizes.columns) + sum / products;
}

Kernel PanelProduct::prepare(const KernelSpec& spec, Constants constants, Isa isa) const {
  const PanelFunctions code = functions(isa);
  const OutputLimits limits = limits_of_post_op(spec, applied);
  std::vector<ProductPanel> panels = panels_of(sizes.columns, code);
  const Blocking blocking = code.tiles != nullptr ? blocking_of_tiles(*this) : blocking_of(*this, panels[0].filled);
  const bool are_weights_finite = windows && are_finite(constants[1]);
  const PanelLines lines = lines_of(*this, code, are_weights_finite);
  ScratchLayout scratch;
  PackedOperand<float> b(packing_of_panels(kind, sizes, lines, code), spec, 1, constants, scratch);
  const std::size_t gathered_at = scratch.add(gathers.empty() ? 0 : sizes.rows * sizes.depth * sizeof(float));
  const auto zeros = std::make_shared<const std::vector<float>>(windows ? sizes.depth : 0);
  const bool skips_padding = windows && !are_weights_finite;  // a product with zero may be NaN
  MultiplyTiles* const tiles = skips_padding || lines.products != 2 ? nullptr : code.tiles;
  const unsigned tile_places = tiles != nullptr ? std::max(team_size(), 1u) : 0;
  const std::size_t tile_bytes =
      tiles != nullptr ? tile_scratch(std::min(blocking.strip, sizes.rows), blocking.tile_chunk) : 0;
  const PlaceScratch splits = scratch.add_places(tile_places, tile_bytes);
  std::optional<ProductWindows> seen_windows = windows;
  if (seen_windows && seen_windows->is_planar) seen_windows->lines_of_tap = lines.products;

  auto multiply = [=, sizes = sizes, windows = seen_windows, block = block, bias = bias, gathers = gathers,
                   panels = std::move(panels), b = std::move(b),
                   epilogue = Epilogue::of(spec, constants, vectors_of(isa), applied + limits.post_ops)](
                      const KernelArguments& arguments, std::size_t first_row, std::size_t last_row) {
    const std::byte* x = arguments.inputs[0];
    if (!gathers.empty()) {
      std::byte* const gathered = arguments.scratch + gathered_at;
      run_copies(
          gathers, [=](std::size_t) { return x; }, [=](std::size_t) { return gathered; });
      x = gathered;
    }
    PanelRun whole;
    whole.taps = sizes.taps;
    whole.depth = sizes.depth;
    whole.columns = sizes.columns;
    whole.chunk = blocking.chunk;
    whole.tile_chunk = blocking.tile_chunk;
    whole.multiply = code.multiply;
    whole.block = block;
    whole.in_line = lines.products;
    whole.panels = panels.data();
    whole.panel_count = panels.size();
    const auto* const a = reinterpret_cast<const float*>(x);
    whole.left_out = skips_padding ? zeros->data() : nullptr;
    whole.b = b.in(arguments);
    if (bias) whole.bias = reinterpret_cast<const float*>(arguments.inputs[*bias]);
    whole.low = limits.low;
    whole.high = limits.high;
    whole.y = reinterpret_cast<float*>(arguments.outputs[0]);

    const unsigned places = tiles != nullptr ? tile_places : team_size();
    const auto multiply_strip = [&](const PanelRun& run, unsigned place) {
      if (tiles != nullptr) return tiles(run, splits.of(arguments.scratch, place));
      code.multiply(run);
    };
    const auto run_strip = [&](const PanelRun& of, std::size_t first, std::size_t last, unsigned place) {
      PanelRun run = of;
      run.y += first * sizes.columns;
      if (!windows) {
        const float* const from = a + first * sizes.depth;
        run.rows = last - first;
        run.addresses = &from;
        run.row_step = sizes.depth;
        return multiply_strip(run, place);
      }
      for (std::size_t at = first; at < last; at += run.rows, run.y += run.rows * sizes.columns) {
        SeenRows seen;
        seen.find(*windows, a, zeros->data(), skips_padding, code.join, at, last - at);
        run.rows = seen.rows();
        run.taps = seen.taps();
        run.depth = seen.depth();
        run.addresses = seen.addresses();
        run.address_step = seen.address_step();
        run.tap_step = seen.tap_step();
        run.row_step = seen.row_step();
        multiply_strip(run, place);
      }
    };
    /// As few strips as possible, of nearly equal size.
    const auto run_rows = [&](const PanelRun& of, std::size_t begin, std::size_t end, unsigned place) {
      if (begin == end) return;
      const std::size_t count = end - begin, strips = div_up(count, blocking.strip);
      const std::size_t length = round_up(div_up(count, strips), blocking.unit);
      for (std::size_t first = begin; first < end; first += length)
        run_strip(of, first, std::min(first + length, end), place);
    };

    /// A loop over [0, count) in ranges of at least `grain`, or, where each is worth waking a thread, as many for each
    /// thread.
    const auto divide = [&](std::size_t count, std::size_t grain, PieceBody body) {
      if (!blocking.wakes) return parallel_places(places, count, grain, body);
      const std::size_t wanted = std::max<std::size_t>(count / grain, 1);
      const std::size_t pieces = std::min(round_up(wanted, places), count);
      parallel_pieces(places, pieces, [&](std::size_t begin, std::size_t end, unsigned place) {
        body(count * begin / pieces, count * end / pieces, place);
      });
    };

    const std::size_t products = sizes.taps * sizes.depth;
    const std::size_t rows = last_row - first_row;
    // Too few rows for each thread to read the whole right side for its own: threads divide the columns instead, and,
    // where these are few panels, the rows of a panel too.
    if (rows < blocking.claim * team_size()) {
      const std::size_t groups = div_up(panels.size(), blocking.group);
      const std::size_t most_parts = team_size() > 1 ? std::max<std::size_t>(rows / blocking.rows_of_part, 1) : 1;
      const std::size_t parts =
          std::clamp<std::size_t>(blocking.groups_of_thread * team_size() / groups, 1, most_parts);
      const auto run_groups = [&](std::size_t begin, std::size_t end, std::size_t begin_row, std::size_t end_row,
                                  unsigned place) {
        PanelRun part = whole;
        begin *= blocking.group;
        part.panels += begin;
        part.panel_count = std::min(end * blocking.group, panels.size()) - begin;
        part.b += products * panels[begin].column;  // the panels before it are full
        run_rows(part, begin_row, end_row, place);
      };
      const std::size_t work_of_part = rows * products * panels[0].filled * blocking.group / parts;
      const std::size_t claims = blocking.claims_of_thread * team_size();
      const std::size_t grain = std::max(1 + 100'000 / std::max<std::size_t>(work_of_part, 1),
                                         claims == 0 ? 1 : std::max<std::size_t>(groups * parts / claims, 1));
      divide(groups * parts, grain, [&](std::size_t begin, std::size_t end, unsigned place) {
        const auto row_of = [&](std::size_t part) { return first_row + rows * part / parts; };
        for (std::size_t at = begin; at < end;) {
          const std::size_t group = at / parts, part = at % parts;
          if (part == 0 && at + parts <= end) {  // all whole groups
            run_groups(group, end / parts, first_row, last_row, place);
            at = end / parts * parts;
          } else {
            const std::size_t last = std::min(parts, part + end - at);
            run_groups(group, group + 1, row_of(part), row_of(last), place);
            at += last - part;
          }
        }
      });
      if (!epilogue.is_empty()) epilogue.run_elements(arguments, first_row * sizes.columns, last_row * sizes.columns);
      return;
    }
    const std::size_t unit = std::max(fewest_rows, blocking.unit);
    const std::size_t units = div_up(rows, unit);
    const std::size_t grain = std::max(div_up(blocking.claim, unit), 1 + 100'000 / (unit * products * sizes.columns));
    divide(units, grain, [&](std::size_t first_unit, std::size_t last_unit, unsigned place) {
      const std::size_t begin = first_row + first_unit * unit;
      const std::size_t end = std::min(first_row + last_unit * unit, last_row);
      if (epilogue.is_empty()) return run_rows(whole, begin, end, place);
      for (std::size_t first = begin; first < end; first += blocking.portion) {
        const std::size_t last = std::min(first + blocking.portion, end);
        run_rows(whole, first, last, place);
        epilogue.run_part(arguments, first * sizes.columns, last * sizes.columns);
      }
    });
  };
  if (line == 0 || !gathers.empty())
    return kernel_of([=, rows = sizes.rows](const KernelArguments& arguments) { multiply(arguments, 0, rows); },
                     scratch);
  const auto run_lines = [=, line = line](const KernelArguments& arguments, std::size_t begin, std::size_t end) {
    multiply(arguments, begin * line, end * line);
  };
  return kernel_of_lines(run_lines, sizes.rows / line, scratch);
}

}  // namespace webnn::runtime::simd
