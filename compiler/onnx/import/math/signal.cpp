// Signals: windows and other tables that are constants, and Fourier transforms as products with a matrix.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {
namespace {

/// A table of zeros, to be filled. Its size, and the time for its elements, are counted first.
struct FloatTable {
  FloatTable(ImportCall& c, std::int64_t count)
      : room((c.count_elements(count), c.room(sizeof(float) * std::uint64_t(count)))),
        values(ImportCall::elements_of<float>(room)) {
    std::ranges::fill(values, 0.0f);
  }
  TensorId constant(ImportCall& c, OnnxIntegers dims) && {
    return c.constant(OnnxType::float32, std::move(dims), std::move(room));
  }

  AlignedBytes room;
  std::span<float> values;
};

// ---- tables

/// constant + first * cos(2 pi n / N) + second * cos(4 pi n / N)
struct SignalWindow {
  double constant, first, second;
};
constexpr SignalWindow hann{0.5, -0.5, 0}, hamming{25.0 / 46, -21.0 / 46, 0}, blackman{0.42, -0.5, 0.08};

template <const SignalWindow& window>
void read_signal_window(ImportCall& c) {
  const std::int64_t size = c.known_number(c.input(0), "its size").as_int64();
  if (size < 1 || size > most_listed_elements)
    c.refuse("its size is not between 1 and " + std::to_string(most_listed_elements));
  const double period = double(c.flag("periodic", true) ? size : std::max<std::int64_t>(size - 1, 1));
  FloatTable table(c, size);
  for (std::int64_t n = 0; n < size; ++n) {
    const double angle = 2 * std::numbers::pi * double(n) / period;
    table.values[std::size_t(n)] =
        float(window.constant + window.first * std::cos(angle) + window.second * std::cos(2 * angle));
  }
  c.finish(c.cast(std::move(table).constant(c, {size}), c.type("output_datatype", OnnxType::float32)));
}

/// Triangles over the bins of a spectrum, whose corners are evenly spaced in mels.
void read_mel_weights(ImportCall& c) {
  const auto number = [&](std::size_t input) { return c.known_number(c.input(input), "its operands"); };
  const std::int64_t bands = number(0).as_int64(), length = number(1).as_int64(), rate = number(2).as_int64();
  const double low = number(3).as_double(), high = number(4).as_double();
  const std::int64_t bins = length / 2 + 1;
  if (bands < 1 || length < 1 || rate < 1 || bands > most_listed_elements || bins > most_listed_elements / bands ||
      !(low >= 0) || !(high >= low))
    c.refuse("its operands are not valid");
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double step = (mel(high) - mel(low)) / double(bands + 2);
  c.count_list(bands);
  std::vector<std::int64_t> corners;
  for (std::int64_t i = 0; i < bands + 2; ++i) {
    const double hertz = 700 * (std::pow(10.0, (double(i) * step + mel(low)) / 2595) - 1);
    const double bin = std::floor(double(length + 1) * hertz / double(rate));
    if (!(bin < double(bins))) c.refuse("its upper edge is above the spectrum");
    corners.push_back(std::int64_t(bin));
  }
  FloatTable table(c, bins * bands);
  for (std::int64_t band = 0; band < bands; ++band) {
    const std::int64_t first = corners[std::size_t(band)], middle = corners[std::size_t(band) + 1],
                       last = corners[std::size_t(band) + 2];
    const auto weight = [&](std::int64_t bin) -> float& { return table.values[std::size_t(bin * bands + band)]; };
    if (first == middle) weight(middle) = 1;
    for (std::int64_t bin = first; bin <= middle && first != middle; ++bin)
      weight(bin) = float(double(bin - first) / double(middle - first));
    for (std::int64_t bin = middle; bin < last; ++bin) weight(bin) = float(double(last - bin) / double(last - middle));
  }
  c.finish(c.cast(std::move(table).constant(c, {bins, bands}), c.type("output_datatype", OnnxType::float32)));
}

// ---- Fourier transforms

/// From `given` elements of 1 or 2 parts (real and imaginary) to `bins` of 2 parts.
struct FourierMatrix {
  std::int64_t length = 0;  // of the transform; elements that are missing are 0
  std::int64_t given = 0, parts = 1, bins = 0;
  bool is_inverse = false;
};

TensorId fourier_matrix(ImportCall& c, const FourierMatrix& form) {
  if (form.length < 1 || form.given > most_listed_elements / 4 ||
      form.bins > most_listed_elements / (4 * std::max<std::int64_t>(form.given, 1)))
    c.refuse("WebNN has no Fourier transform, and for one of this length its matrix is too large");
  FloatTable table(c, form.given * form.parts * form.bins * 2);
  const double scale = form.is_inverse ? 1.0 / double(form.length) : 1.0;
  for (std::int64_t n = 0; n < form.given; ++n)
    for (std::int64_t k = 0; k < form.bins; ++k) {
      const double angle = (form.is_inverse ? 2 : -2) * std::numbers::pi * double(n * k % form.length);
      const double real = scale * std::cos(angle / double(form.length));
      const double imaginary = scale * std::sin(angle / double(form.length));
      const auto at = [&](std::int64_t part) {
        return &table.values[std::size_t(((n * form.parts + part) * form.bins + k) * 2)];
      };
      at(0)[0] = float(real);
      at(0)[1] = float(imaginary);
      if (form.parts == 2) {
        at(1)[0] = float(-imaginary);
        at(1)[1] = float(real);
      }
    }
  return std::move(table).constant(c, {form.given * form.parts, form.bins * 2});
}

/// [rows, given, parts] transformed to [rows, bins, 2].
TensorId transformed(ImportCall& c, TensorId x, std::int64_t rows, const FourierMatrix& form) {
  const TensorId matrix = c.cast(fourier_matrix(c, form), c.type(x));
  const TensorId flat = c.reshape(x, {rows, form.given * form.parts});
  return c.reshape(c.make("matmul"_op, {flat, matrix}), {rows, form.bins, 2});
}

void read_fourier(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::int64_t rank = c.rank(x);
  if (rank < 2 || c.count(x) == 0) c.refuse("its input has no axis to transform");
  const bool is_new = c.opset() >= 20;
  std::int64_t given_axis = is_new ? -2 : c.integer("axis", 1);
  if (is_new && c.has(2)) given_axis = c.known_number(c.input(2), "its axis").as_int64();
  const std::uint32_t axis = c.axis(given_axis, rank);
  if (axis + 1 == rank) c.refuse("its axis is that of the real and imaginary parts");
  FourierMatrix form;
  form.parts = c.dims(x).back();
  if (form.parts != 1 && form.parts != 2)
    c.refuse("the last axis of its input is not that of real and imaginary parts");
  form.length = c.has(1) ? c.known_number(c.input(1), "its length").as_int64() : c.dims(x)[axis];
  form.given = std::min(form.length, c.dims(x)[axis]);
  form.is_inverse = c.flag("inverse");
  const bool is_onesided = c.flag("onesided");
  if (is_onesided && (form.is_inverse || form.parts == 2))
    c.refuse("a one-sided transform is only read from real numbers, not inverse");
  form.bins = is_onesided ? form.length / 2 + 1 : form.length;
  if (form.given < 1) c.refuse("its length is less than 1");

  std::vector<std::uint32_t> order, back(c.dims(x).size());  // the axis last but one
  for (std::uint32_t i = 0; i < rank; ++i)
    if (i != axis && i + 1 != rank) order.push_back(i);
  order.insert(order.end(), {axis, std::uint32_t(rank - 1)});
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = std::uint32_t(i);
  const TensorId used = parts::sliced_at(c, x, axis, 0, form.given);
  const TensorId moved = c.transpose(used, order);
  OnnxIntegers dims = c.dims(moved);
  const std::int64_t rows = c.count(moved) / (form.given * form.parts);
  dims[std::size_t(rank) - 2] = form.bins;
  dims[std::size_t(rank) - 1] = 2;
  c.finish(c.transpose(c.reshape(transformed(c, moved, rows, form), dims), back));
}

/// Frames of the signal, times the window, transformed.
void read_short_time_fourier(ImportCall& c) {
  TensorId signal = c.input(0);
  if (c.rank(signal) == 2) signal = c.reshape(signal, {c.dims(signal)[0], c.dims(signal)[1], 1});
  if (c.rank(signal) != 3 || c.count(signal) == 0) c.refuse("its signal does not have three axes");
  const OnnxIntegers dims = c.dims(signal);
  const std::int64_t step = c.known_number(c.input(1), "the step of its frames").as_int64();
  const TensorId window = c.optional(2);
  FourierMatrix form;
  form.parts = dims[2];
  if (c.has(3))
    form.length = c.known_number(c.input(3), "the length of its frames").as_int64();
  else
    form.length = window.valid() ? c.count(window) : dims[1];
  form.given = form.length;
  if (form.parts != 1 && form.parts != 2)
    c.refuse("the last axis of its input is not that of real and imaginary parts");
  if (step < 1 || form.length < 1 || form.length > dims[1]) c.refuse("its frames do not fit into the signal");
  if (window.valid() && c.dims(window) != OnnxIntegers{form.length})
    c.refuse("its window does not have the length of its frames");
  const bool is_onesided = c.flag("onesided", true);
  if (is_onesided && form.parts == 2) c.refuse("a one-sided transform is only read from real numbers");
  form.bins = is_onesided ? form.length / 2 + 1 : form.length;
  const std::int64_t frames = (dims[1] - form.length) / step + 1;
  if (frames > most_listed_elements / form.length) c.refuse("it has too many frames");
  c.count_list(frames * form.length);
  OnnxIntegers indices;
  for (std::int64_t frame = 0; frame < frames; ++frame)
    for (std::int64_t n = 0; n < form.length; ++n) indices.push_back(frame * step + n);
  const TensorId places = c.reshape(c.integers_tensor(indices), {frames, form.length});
  TensorId pieces = c.make("gather"_op, {signal, places}, {{"axis", std::int64_t{1}}});
  if (window.valid()) pieces = c.make("mul"_op, {pieces, c.reshape(window, {form.length, 1})});
  c.finish(c.reshape(transformed(c, pieces, dims[0] * frames, form), {dims[0], frames, form.bins, 2}));
}

constexpr OnnxImportRow signal_import_rows[] = {
    {.op_type = "BlackmanWindow", .read = read_signal_window<blackman>},
    {.op_type = "DFT", .read = read_fourier},
    {.op_type = "HammingWindow", .read = read_signal_window<hamming>},
    {.op_type = "HannWindow", .read = read_signal_window<hann>},
    {.op_type = "MelWeightMatrix", .read = read_mel_weights},
    {.op_type = "STFT", .read = read_short_time_fourier},
};

}  // namespace

std::span<const OnnxImportRow> import_signal_rows() { return signal_import_rows; }

}  // namespace webnn::compiler
