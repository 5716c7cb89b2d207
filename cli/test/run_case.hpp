// What cases of every kind of suite share: a graph is run, and its outputs are compared.
#pragma once

#include <exception>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "cli/test/test_case.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

CaseOutcome failed(std::string message);

/// Compiles and runs `graph`, then compares each expected output.
CaseOutcome run_graph(compiler::Graph graph, const std::vector<compiler::NamedTensor>& inputs,
                      const std::vector<compiler::NamedTensor>& expected, const schema::Tolerance& tolerance,
                      const CaseOptions& options);

/// Turns an exception of `function` into a failure.
template <typename Function>
std::function<CaseOutcome()> guarded(Function function) {
  return [function = std::move(function)]() -> CaseOutcome {
    try {
      return function();
    } catch (const schema::Error& error) {
      return {CaseOutcome::Verdict::failed, error.what(), 0, error.code() == schema::ExitCode::resource};
    } catch (const std::bad_alloc&) {
      return {CaseOutcome::Verdict::failed, "out of memory", 0, true};
    } catch (const std::exception& error) {
      return failed(error.what());
    }
  };
}

}  // namespace webnn::cli
