// The weights of convolutions of bytes in pairs, panel by panel, as the vector code of quantized_direct.cpp reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/quantized/quantized_direct.hpp"

namespace webnn::runtime::simd {

/// How the weights are packed for the vector code: see `ByteWindows`.
struct PackedFilter {
  std::size_t outputs, channels, taps;        // of the filter: [outputs, channels, taps]
  std::size_t runs, run_elements, pairs = 1;  // of a window
  std::vector<BytePanel> panels;

  PackedFilter(const KernelSpec& spec, const ByteWindowsFunctions& code);
  std::size_t bytes_of_lane() const { return runs * pairs * 2; }
  std::size_t lanes() const { return panels.back().first + panels.back().lanes; }
  Packing<std::uint8_t> packing() const;
  void write_panel(const BytePanel& panel, const std::uint8_t* from, std::uint8_t* to) const;
};

}  // namespace webnn::runtime::simd
