// Windows of signals, and Fourier transforms.
#include <cmath>
#include <numbers>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

/// constant + first * cos(2 pi n / N) + second * cos(4 pi n / N)
struct SignalWindow {
  double constant, first, second;
};
constexpr SignalWindow hann{0.5, -0.5, 0}, hamming{25.0 / 46, -21.0 / 46, 0}, blackman{0.42, -0.5, 0.08};

template <const SignalWindow& window>
void read_signal_window(ImportCall& c) {
  const std::int64_t size = c.known_number(c.input(0), "its size").as_int64();
  constexpr std::int64_t most = 1 << 24;
  if (size < 1 || size > most) c.refuse("its size is not between 1 and " + std::to_string(most));
  const double period = double(c.flag("periodic", true) ? size : size - 1);
  std::vector<float> values;
  for (std::int64_t n = 0; n < size; ++n) {
    const double angle = size == 1 ? std::numbers::pi : 2 * std::numbers::pi * double(n) / period;
    values.push_back(float(window.constant + window.first * std::cos(angle) + window.second * std::cos(2 * angle)));
  }
  const auto bytes = std::as_bytes(std::span(values));
  const TensorId result =
      c.constant(OnnxType::float32, {size}, Bytes(std::vector<std::byte>(bytes.begin(), bytes.end())));
  c.finish(c.cast(result, OnnxType(c.integer("output_datatype", 1))));
}

constexpr OnnxImportRow signal_import_rows[] = {
    {.op_type = "BlackmanWindow", .read = read_signal_window<blackman>},
    {.op_type = "HammingWindow", .read = read_signal_window<hamming>},
    {.op_type = "HannWindow", .read = read_signal_window<hann>},
};

}  // namespace

std::span<const OnnxImportRow> import_signal_rows() { return signal_import_rows; }

}  // namespace webnn::compiler
