// What build scripts do with model files, for every language: compiling them to programs, what is in them, how long they
// take.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bindings/tools/order.hpp"
#include "schema/elements/types.hpp"

namespace webnn::bindings {

struct Compiled {
  std::uint64_t bytes = 0, steps = 0;
  std::vector<std::string> warnings;
};
/// Writes a program file; one of that name is replaced, or stays as it is when something is wrong.
Compiled compile_file(const Order& order, const ContextOptions& options, const std::string& output);

/// An input or output. Dimensions without a size have names.
struct Described {
  std::string name;
  schema::OperandDescriptor descriptor;
  std::map<std::size_t, std::string> names{};  // by axis
};
struct Inspected {
  std::vector<Described> inputs{}, outputs{};
  std::map<std::string, std::uint64_t> operators{};  // of a program those of its steps
  std::uint64_t constants = 0, constant_bytes = 0;
  std::vector<std::string> warnings{};
};
Inspected inspect_file(const Order& order);

struct Profiled {
  struct Step {
    std::string op, kernel, label;
    double milliseconds = 0;
  };
  double milliseconds = 0;  // of a whole run
  std::vector<Step> steps;
};
/// Medians of some runs.
Profiled profile_file(const Order& order, const ContextOptions& options, std::uint32_t runs);

/// The milliseconds of each run, after some that are not measured.
std::vector<double> bench_file(const Order& order, const ContextOptions& options, std::uint32_t runs,
                               std::uint32_t warmup);

}  // namespace webnn::bindings
