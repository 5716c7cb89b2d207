// The structure of an operator row: operands, outputs and attributes of one WebNN operator.
//
// A row is the only place that knows an operator's operands, attributes, defaults, types and ranks. Readers, writers,
// checks, patterns, kernel selection, `webnn-cli ops` and the documentation read it; none of them names an operator.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "schema/elements/types.hpp"
#include "schema/operators/attribute.hpp"

namespace webnn::schema {

class OperatorCall;
class Inference;

/// A list of at most N values, stored in the row itself.
template <typename T, std::size_t N>
struct FixedList {
  std::array<T, N> items{};
  std::uint8_t count = 0;

  constexpr FixedList() = default;
  constexpr FixedList(std::initializer_list<T> list) {
    for (const T& item : list) items[count++] = item;
  }
  constexpr std::size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr const T& operator[](std::size_t i) const { return items[i]; }
  constexpr const T* begin() const { return items.data(); }
  constexpr const T* end() const { return items.data() + count; }
};

/// The property that layout propagation, in-place buffers, fusion and family-wide kernels test instead of 95 names.
enum class Family : std::uint8_t {
  unary,          // one operand, elementwise
  binary,         // two operands, elementwise with broadcasting
  comparison,     // two operands of one type -> uint8
  logical,        // uint8 -> uint8, elementwise
  predicate,      // one float operand -> uint8
  select,         // where
  cast,           // elementwise change of type
  view,           // the same bytes under another descriptor
  movement,       // elements are moved or repeated, never changed
  indexed,        // movement by an operand of indices
  reduction,      // over axes
  arg_reduction,  // index of the extreme along one axis
  scan,           // along one axis
  normalization,  // statistics and rescaling
  softmax,        // normalised exponentials along one axis
  window,         // pooling
  convolution,    // conv2d, convTranspose2d
  contraction,    // matmul, gemm
  resample,       // resample2d
  quantization,   // quantizeLinear, dequantizeLinear
  recurrent,      // lstm, gru and their cells
};
inline constexpr std::size_t family_count = 21;
std::string_view name_of(Family family);

/// Whether each element of the output depends on one element of each operand (after broadcasting).
constexpr bool is_elementwise(Family family) {
  using enum Family;
  return family == unary || family == binary || family == comparison || family == logical || family == predicate ||
         family == select || family == cast;
}

enum class Arity : std::uint8_t { one, optional, many };

/// An operand of a row. Operands with the same nonzero `variable` must have the same data type.
struct OperandRow {
  std::string_view name;
  Arity arity = Arity::one;
  DataTypes types;
  char variable = 0;
  std::uint8_t min_rank = 0;
  std::uint8_t max_rank = schema::max_rank;
};

/// An output of a row: its allowed types, or the type of the operands with the same `variable`. The number of split's
/// outputs and the presence of the sequence output of lstm and gru depend on attributes.
struct OutputRow {
  std::string_view name;
  DataTypes types;
  char variable = 0;
  Arity arity = Arity::one;
};

/// Computes a default that depends on the operands (for example "all axes").
using ComputedDefault = IntegerList (*)(const OperatorCall&);

/// An attribute of a row. Required attributes are positional arguments of the builder method; the others are members of
/// its options dictionary.
struct AttributeRow {
  enum class Default : std::uint8_t {
    required,
    absent,
    boolean,
    integer,
    real,
    word,
    integers,
    reals,
    words,
    computed
  };

  std::string_view name;
  AttributeKind kind = AttributeKind::boolean;
  Default default_kind = Default::absent;
  std::int64_t default_integer = 0;
  double default_real = 0;
  FixedList<std::int64_t, 4> default_list;  // integers and reals
  FixedList<std::string_view, 3> default_words;
  ComputedDefault compute = nullptr;
  FixedList<std::string_view, 4> words;  // allowed words; the first is the default of a word attribute
  std::int64_t minimum = 0;              // of each integer
  std::uint16_t length = 0;              // of a list; 0: any
  DataTypes types;                       // of a data_type attribute; empty: any

  constexpr bool required() const { return default_kind == Default::required; }
  constexpr AttributeRow at_least(std::int64_t value) const {
    AttributeRow row = *this;
    row.minimum = value;
    return row;
  }
  constexpr AttributeRow of_length(std::uint16_t value) const {
    AttributeRow row = *this;
    row.length = value;
    return row;
  }
};

/// Checks what the row cannot express and computes the outputs' descriptors (the specification's "shape rule").
using InferFunction = void (*)(const OperatorCall&, Inference&);

struct Operator {
  std::string_view name;  // as in the specification; "@name" for an internal operator, which no file can name
  Family family = Family::unary;
  InferFunction infer = nullptr;
  FixedList<OperandRow, 8> operands;
  FixedList<OutputRow, 3> outputs;
  FixedList<AttributeRow, 12> attributes;
  bool commutative = false;

  constexpr bool internal() const { return name.starts_with('@'); }
  /// Only an operator whose operand is a list (concat) has a variable number of operands.
  constexpr bool variadic() const { return !operands.empty() && operands[0].arity == Arity::many; }
  constexpr int operand_index(std::string_view operand) const {
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i].name == operand) return int(i);
    return -1;
  }
  constexpr int attribute_index(std::string_view attribute) const {
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (attributes[i].name == attribute) return int(i);
    return -1;
  }
};

}  // namespace webnn::schema
