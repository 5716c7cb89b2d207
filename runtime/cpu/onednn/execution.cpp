#include "runtime/cpu/onednn/execution.hpp"

namespace webnn::runtime::onednn {

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

Error as_error(const dnnl::error& error, const KernelSpec& spec) {
  const std::string name(row(spec.op).name);
  if (error.status == dnnl_out_of_memory) return {ExitCode::resource, "oneDNN has no memory for '" + name + "'"};
  return {ExitCode::internal, "oneDNN refuses '" + name + "': " + error.what(), "compile with --kernels reference"};
}

Execution::Execution(const dnnl::primitive& primitive, const dnnl::memory::desc& scratchpad, ScratchPlan& scratch)
    : primitive_(primitive), stream_(engine()) {
  if (const std::size_t bytes = scratchpad.get_size(); bytes != 0)
    bind_scratch(DNNL_ARG_SCRATCHPAD, scratchpad, scratch.add(bytes));
}

void Execution::add(int argument, const dnnl::memory::desc& desc, Source source, std::size_t index) {
  const dnnl::memory memory(desc, engine(), DNNL_MEMORY_NONE);
  bind(argument, memory);
  bindings_.push_back({memory.get(), source, index});
}

void Execution::bind_input(int argument, const dnnl::memory::desc& desc, std::size_t operand) {
  add(argument, desc, Source::input, operand);
}

void Execution::bind_output(int argument, const dnnl::memory::desc& desc) { add(argument, desc, Source::output, 0); }

void Execution::bind_scratch(int argument, const dnnl::memory::desc& desc, std::size_t offset) {
  add(argument, desc, Source::scratch, offset);
}

void Execution::bind(int argument, const dnnl::memory& memory) {
  memories_.push_back(memory);
  arguments_.push_back({argument, memory.get()});
}

void Execution::run(const KernelArguments& arguments) {
  for (const Binding& binding : bindings_) {
    void* address = nullptr;
    switch (binding.source) {
      case Source::input:
        address = const_cast<std::byte*>(arguments.inputs[binding.index]);
        break;
      case Source::output:
        address = arguments.outputs[binding.index];
        break;
      case Source::scratch:
        address = arguments.scratch + binding.index;
        break;
    }
    dnnl_memory_set_data_handle(binding.memory, address);
  }
  dnnl_status_t status = dnnl_success;
  const auto execute = [&] {
    status = dnnl_primitive_execute(primitive_.get(), stream_.get(), int(arguments_.size()), arguments_.data());
  };
  if (watch_ != nullptr)
    watch_->run_on_team(execute);
  else
    execute();
  if (status != dnnl_success) throw Error(ExitCode::resource, "oneDNN cannot go on: it has no memory");
}

}  // namespace webnn::runtime::onednn
