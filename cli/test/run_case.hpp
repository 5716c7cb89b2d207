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
      CaseOutcome outcome = failed(error.what());
      outcome.is_refused = error.code() == schema::ExitCode::resource;
      return outcome;
    } catch (const std::bad_alloc&) {
      CaseOutcome outcome = failed("out of memory");
      outcome.is_refused = true;
      return outcome;
    } catch (const std::exception& error) {
      return failed(error.what());
    }
  };
}

}  // namespace webnn::cli
