// What commands print about tensors: statistics, first values, greatest elements, sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/json/json.hpp"
#include "compiler/frontend/npy.hpp"
#include "schema/elements/number.hpp"

namespace webnn::cli {

struct Statistics {
  schema::Number min, max;  // over the elements that are numbers; NaN: there are none
  double mean = 0;
  std::size_t nan_count = 0, infinity_count = 0;
};
Statistics statistics_of(const compiler::Tensor& tensor);

struct Ranked {
  std::size_t index;
  schema::Number value;
};
/// The `count` greatest elements, in descending order; among equal ones the first. Never includes NaN. Integers are
/// compared exactly.
std::vector<Ranked> best_elements(const compiler::Tensor& tensor, std::size_t count);

/// One label per line; an empty last line is ignored. Throws Error (io).
std::vector<std::string> read_labels(const std::filesystem::path& file);

/// The first `count` elements: "0.25, 1, NaN, ...".
std::string first_values(const compiler::Tensor& tensor, std::size_t count);

/// Integers exactly, NaN and infinities as in `values_json`, others as doubles.
Json number_json(const schema::Number& value);

/// All elements in row-major order, each as the shortest number that reads back in its own type. NaN and infinities,
/// which JSON does not have, are the strings "NaN", "Infinity" and "-Infinity".
Json values_json(const compiler::Tensor& tensor);

/// "4.71 MiB"
std::string size_text(std::uint64_t bytes);

/// {"name", "dataType", "shape"}
Json descriptor_json(const std::string& name, const schema::OperandDescriptor& descriptor);

}  // namespace webnn::cli
