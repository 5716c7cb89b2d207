#include "runtime/cpu/simd/quantized/packed_filter.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "runtime/threads/parallel.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// Neighbouring columns of a window are one run.
PackedFilter::PackedFilter(const KernelSpec& spec, const ByteWindowsFunctions& code) {
  const SpecCall call(spec);
  const Shape& filter = call.shape(1);
  const std::size_t columns = sliding_windows(call)[1].dilation == 1 ? filter[3] : 1;
  outputs = filter[0];
  channels = filter[1];
  taps = std::size_t(filter[2]) * filter[3];
  run_elements = channels * columns;
  runs = taps / columns;
  pairs = div_up(run_elements, 2);
  for (std::size_t first = 0; first < outputs; first += panels.back().lanes) {
    const std::size_t rest = outputs - first;
    const std::size_t lanes = code.lanes * std::min(code.vectors, 1 + (rest - 1) / code.lanes);
    panels.push_back({first, std::min(rest, lanes), lanes});
  }
}

Packing<std::uint8_t> PackedFilter::packing() const {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  Packing<std::uint8_t> packing;
  packing.form = "byte_pairs:" + text(outputs) + "x" + text(runs) + "x" + text(run_elements) + "/" + text(taps) + ":" +
                 text(panels[0].lanes);
  packing.elements = lanes() * bytes_of_lane();
  packing.write = [filter = *this](const std::uint8_t* from, std::uint8_t* to) {
    const std::size_t panel_bytes = filter.panels[0].lanes * filter.bytes_of_lane();
    parallel_for(filter.panels.size(), 1 + 20'000 / panel_bytes, [&](std::size_t begin, std::size_t end) {
      for (const BytePanel& panel : std::span(filter.panels).subspan(begin, end - begin))
        filter.write_panel(panel, from, to + panel.first * filter.bytes_of_lane());
    });
  };
  return packing;
}

/// `to` is the panel's place.
void PackedFilter::write_panel(const BytePanel& panel, const std::uint8_t* from, std::uint8_t* to) const {
  std::fill_n(to, panel.lanes * bytes_of_lane(), std::uint8_t{0});
  const std::size_t elements = channels * taps;
  std::vector<std::size_t> places(elements);  // of an output's weights, in the order of the filter
  for (std::size_t channel = 0, i = 0; channel < channels; ++channel)
    for (std::size_t tap = 0; tap < taps; ++tap, ++i) {
      const std::size_t seen = tap * channels + channel, at = seen % run_elements;  // channels last, as in the input
      places[i] = (seen / run_elements * pairs + at / 2) * panel.lanes * 2 + at % 2;
    }
  for (std::size_t lane = 0; lane < panel.channels; ++lane) {
    const std::uint8_t* const weights = from + (panel.first + lane) * elements;
    for (std::size_t i = 0; i < elements; ++i) to[places[i] + lane * 2] = weights[i];
  }
}

}  // namespace webnn::runtime::simd
