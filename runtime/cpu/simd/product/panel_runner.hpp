// Runs a product of panels (panel_product.hpp): threads divide its rows or its columns, and caches the rows of a thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"
#include "runtime/cpu/simd/product/window_rows.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::simd {

/// How the work is divided for the caches, and for threads.
struct PanelBlocking {
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

/// A right side that fits in half the L2 cache stays there while rows go through it. Of a larger one, each chunk is read
/// once for a strip of rows, whose part for that chunk stays in the cache meanwhile.
PanelBlocking blocking_of_vectors(const PanelProduct& product, std::size_t widest_panel);
/// For tiles: the right side is split into parts for every strip of rows, so a strip should have many; its own parts of a
/// chunk take half of the L2 cache.
PanelBlocking blocking_of_tiles(const PanelProduct& product);

/// A prepared product.
struct PanelRunner {
  ProductSizes sizes;
  std::optional<ProductWindows> windows;
  PanelBlocking blocking;
  CountedVector<ProductPanel> panels;
  PackedOperand<float> b;
  std::optional<std::size_t> bias;   // operand
  std::vector<StridedCopy> gathers;  // PanelProduct::gathers
  std::size_t gathered_at = 0;       // in scratch memory
  JoinLines* join = nullptr;
  MultiplyTiles* tiles = nullptr;  // null: vectors compute it
  PlaceScratch splits = {};        // of the threads that run tiles
  std::vector<float> zeros;        // a row of padding
  bool skips_padding = false;
  Epilogue epilogue;
  PanelRun whole = {};  // all panels and rows, without the addresses of a run

  /// Computes rows [first, last) of the output.
  void run(const KernelArguments& arguments, std::size_t first, std::size_t last) const;

 private:
  struct Call {
    const KernelArguments& arguments;
    const float* a;
    PanelRun whole;
  };

  void multiply_strip(const Call& call, const PanelRun& run, unsigned place) const;
  void run_strip(const Call& call, const PanelRun& of, std::size_t first, std::size_t last, unsigned place) const;
  void run_rows(const Call& call, const PanelRun& of, std::size_t begin, std::size_t end, unsigned place) const;
  void run_groups(const Call& call, std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
                  unsigned place) const;
  void divide(std::size_t count, std::size_t grain, PieceBody body) const;
  void divide_columns(const Call& call, std::size_t first, std::size_t last) const;
  void divide_rows(const Call& call, std::size_t first, std::size_t last) const;
};

}  // namespace webnn::runtime::simd
