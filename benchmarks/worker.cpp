// benchmark-worker: runs one graph when told to. Each line on standard input is a request, each line on standard output
// its answer, both JSON; driver/onnxruntime_worker.mjs speaks the same with ONNX Runtime.
//
//   {"do": "hello"}                               {}
//   {"do": "load", "model": FILE, "threads": N}   {"nanoseconds": T, "inputs": [{name, dataType, shape}],
//                                                  "outputs": ..}
//   {"do": "bind", "inputs": {NAME: FILE, ..}}    {}; a file holds the tensor's bytes
//   {"do": "run", "count": N}                     {"nanoseconds": [T, ..]}
//   {"do": "read", "outputs": {NAME: FILE, ..}}   {}
//
// What fails is {"error": MESSAGE}.
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/runner/compilation.hpp"
#include "api/runner/session.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::benchmarks {
namespace {

using nlohmann::json;
using namespace schema;

constexpr std::uint64_t max_input_bytes = max_tensor_bytes;

std::uint64_t now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

json text_of(std::span<const Binding> bindings) {
  json list = json::array();
  for (const Binding& binding : bindings) {
    const OperandDescriptor& descriptor = binding.descriptor;
    list.push_back({{"name", binding.name},
                    {"dataType", name_of(descriptor.type)},
                    {"shape", std::vector<std::uint32_t>(descriptor.shape.begin(), descriptor.shape.end())}});
  }
  return list;
}

class Worker {
 public:
  json answer(const json& request) {
    const std::string what = request.at("do");
    if (what == "hello") return json::object();
    if (what == "load") return load(request.at("model"), request.at("threads"));
    if (!session_) throw std::runtime_error("nothing is loaded");
    if (what == "bind") return bind(request.at("inputs"));
    if (what == "run") return run(request.at("count"));
    if (what == "read") return read(request.at("outputs"));
    throw std::runtime_error("unknown request '" + what + "'");
  }

 private:
  json load(const std::string& model, unsigned threads) {
    const std::uint64_t begin = now();
    session_.emplace(ContextOptions{.threads = threads});
    Diagnostics diagnostics;
    const runtime::Device& device = session_->context().device();
    const runtime::Team team(session_->context().threads());
    const auto first_error = [](const Diagnostics& found, const SourceText&) {
      if (found.has_errors()) throw std::runtime_error(found.all()[0].message);
    };
    auto compilation =
        api::Compilation::start(api::Model(api::open_source(model, {}), {}, first_error), device, {}, diagnostics);
    auto program = compilation ? compilation->finish(diagnostics) : std::nullopt;
    if (program) session_->load(std::move(*program));
    if (diagnostics.has_errors()) throw std::runtime_error(diagnostics.all()[0].message);
    const std::uint64_t end = now();
    runtime::Context& context = session_->context();
    for (const Binding& input : session_->inputs())
      inputs_.push_back({input.name, context.create_tensor({input.descriptor, false, true})});
    for (const Binding& output : session_->outputs())
      outputs_.push_back({output.name, context.create_tensor({output.descriptor, true, false})});
    return {{"nanoseconds", end - begin},
            {"inputs", text_of(session_->inputs())},
            {"outputs", text_of(session_->outputs())}};
  }

  json bind(const json& files) {
    for (const runtime::NamedTensor& input : inputs_) {
      const Bytes content = compiler::map_file(files.at(input.name).get<std::string>(), max_input_bytes);
      session_->context().write(input.tensor, content.view());
    }
    session_->context().wait();
    return json::object();
  }

  json run(std::size_t count) {
    std::vector<std::uint64_t> times;
    times.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t begin = now();
      session_->context().compute(session_->executable(), inputs_, outputs_);
      times.push_back(now() - begin);
    }
    return {{"nanoseconds", times}};
  }

  json read(const json& files) {
    for (const runtime::NamedTensor& output : outputs_) {
      const std::vector<std::byte> data = session_->context().read(output.tensor).get();
      std::ofstream file(files.at(output.name).get<std::string>(), std::ios::binary);
      file.write(reinterpret_cast<const char*>(data.data()), std::streamsize(data.size()));
      if (!file.flush()) throw std::runtime_error("cannot write an output");
    }
    return json::object();
  }

  std::optional<api::Session> session_;
  std::vector<runtime::NamedTensor> inputs_, outputs_;
};

}  // namespace
}  // namespace webnn::benchmarks

int main() {
  webnn::benchmarks::Worker worker;
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json answer;
    try {
      answer = worker.answer(nlohmann::json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n" << std::flush;
  }
  return 0;
}
