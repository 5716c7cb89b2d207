// Single kernels on calls with attributes over all of u32: on the CPU in memory between guard pages, on a GPU in one
// buffer with watched gaps.
#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/device.hpp"
#include "schema/error.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/whole_targets.hpp"
#include "tests/harness/random/extremes.hpp"

namespace webnn::tests {
namespace {

using fuzz::Choices;

/// A correct call of any operator; nullopt when chance gave none.
std::optional<RandomCall> chosen_call(Choices& choices) {
  const OperatorId op{std::uint16_t(choices.below(std::uint32_t(all_operators().size())))};
  std::vector<DataType> types;
  for (std::size_t type = 0; type < data_type_count; ++type)
    if (row(op).operands[0].types.contains(DataType(type))) types.push_back(DataType(type));
  const DataType type = types[choices.below(std::uint32_t(types.size()))];
  std::mt19937 engine(choices());
  RandomCall call = random_call(op, type, engine);
  if (choices.below(4) == 0) append_random_post_op(call, engine);
  if (choices.below(8) == 0) return call;
  Extremes<Choices> extremes(choices);
  if (!call.spec.post_ops.empty() || !extremes.change(call)) return std::nullopt;
  return call;
}

using RunRow = std::function<std::vector<TestTensor>(const KernelRow&, RandomCall)>;

/// Runs the rows of a device that take the call.
/// `may_be_constant`: an operand may be constant, as the row wishes.
std::string check_rows(RandomCall call, DeviceKind device, const Target& target, bool may_be_constant,
                       const RunRow& run_row) {
  call.spec.input_layouts.clear();
  std::optional<std::vector<TestTensor>> expected;
  for (const KernelRow& kernel : api::kernel_table()) {
    call.spec.constants = may_be_constant ? 0xff : 0;
    if (kernel.device != device || kernel.provider() == "reference" || !takes(kernel, call.spec, target)) continue;
    if (may_be_constant) call.spec.constants = kernel.constants;
    if (!expected) {
      expected = run_steps(call.spec, call.inputs);
      if (!call.spec.post_ops.empty()) expected->erase(expected->begin(), expected->end() - 1);
    }
    const std::string what = std::string(kernel.name) + " of " + text_of(call.spec) + ": ";
    try {
      const std::vector<TestTensor> actual = run_row(kernel, call);
      if (actual.size() != expected->size()) return what + "another number of results";
      for (std::size_t i = 0; i < actual.size(); ++i)
        if (!nearly_alike(actual[i], (*expected)[i])) return what + "other numbers than the reference";
    } catch (const Error& error) {  // a device may lack what a row needs (matrix units)
      if (error.code() != ExitCode::resource && error.code() != ExitCode::unsupported) return what + error.what();
    } catch (const std::runtime_error& error) {
      return what + error.what();
    }
  }
  return {};
}

/// Operands and results in one buffer, with gaps that nothing may write.
class WatchedBuffer {
 public:
  explicit WatchedBuffer(runtime::Device& device) : device_(&device), bytes_(gap, gap_byte) {}

  std::size_t add(std::span<const std::byte> content) {
    const std::size_t offset = bytes_.size();
    bytes_.insert(bytes_.end(), content.begin(), content.end());
    bytes_.resize((bytes_.size() + gap - 1) / gap * gap + gap, gap_byte);
    places_.push_back({offset, content.size()});
    return places_.size() - 1;
  }
  void upload() {
    buffer_ = device_->allocate(bytes_.size());
    device_->upload(buffer_, bytes_);
  }
  std::byte* address(std::size_t place) const { return buffer_.address() + places_[place].first; }
  std::vector<std::byte> content(std::size_t place) const {
    const auto [offset, size] = places_[place];
    return {after_.begin() + std::ptrdiff_t(offset), after_.begin() + std::ptrdiff_t(offset + size)};
  }
  /// Downloads all; whether everything but the places from `first_result` on is as it was.
  bool is_intact(std::size_t first_result) {
    after_.resize(bytes_.size());
    device_->download(after_, buffer_);
    std::vector<std::byte> before = bytes_;
    for (std::size_t place = first_result; place < places_.size(); ++place)
      std::copy_n(after_.begin() + std::ptrdiff_t(places_[place].first), places_[place].second,
                  before.begin() + std::ptrdiff_t(places_[place].first));
    return before == after_;
  }

 private:
  static constexpr std::size_t gap = 256;  // and the alignment of every place
  static constexpr std::byte gap_byte{0xa5};

  runtime::Device* device_;
  std::vector<std::byte> bytes_, after_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
  runtime::Buffer buffer_;
};

/// The first GPU; null where there is none.
runtime::Device* gpu() {
  static const std::unique_ptr<runtime::Device> device = [] {
    ContextOptions options;
    options.device = "gpu";
    try {
      return api::open_device(options);
    } catch (const Error&) {
      return std::unique_ptr<runtime::Device>();
    }
  }();
  return device.get();
}

std::vector<TestTensor> run_gpu_row(runtime::Device& device, const KernelRow& kernel, const RandomCall& call) {
  KernelSpec spec = call.spec;
  spec.constants = 0;
  const std::vector<std::span<const std::byte>> no_constants(call.inputs.size());
  const runtime::Kernel made = device.make_kernel(KernelId{&kernel}, spec, no_constants);
  WatchedBuffer memory(device);
  std::vector<std::optional<std::size_t>> inputs;
  for (const auto& input : call.inputs) inputs.push_back(input ? std::optional(memory.add(input->data)) : std::nullopt);
  std::size_t first_result = 0;
  for (const auto& input : inputs) first_result += input.has_value();
  for (const OperandDescriptor& output : spec.outputs)
    memory.add(std::vector<std::byte>(byte_length(output), std::byte{0x5a}));
  memory.upload();
  std::vector<const std::byte*> input_addresses;
  std::vector<std::byte*> output_addresses;
  for (const auto& input : inputs) input_addresses.push_back(input ? memory.address(*input) : nullptr);
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) output_addresses.push_back(memory.address(first_result + i));
  const runtime::Buffer scratch = device.allocate(made.scratch_bytes);
  const runtime::Invocation invocation{&made, {input_addresses, output_addresses, scratch.address()}};
  device.prepare({&invocation, 1})->submit();
  if (!memory.is_intact(first_result)) throw std::runtime_error("it wrote beside its results");
  std::vector<TestTensor> results;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i)
    results.push_back({spec.outputs[i], memory.content(first_result + i)});
  return results;
}

}  // namespace

std::string fuzz_kernel(std::string_view content) {
  static const runtime::CpuDevice device;
  Choices choices(content);
  const auto call = chosen_call(choices);
  return call ? check_rows(*call, DeviceKind::cpu, device.target(), true, run_cpu_row) : "";
}

bool has_fuzz_gpu() { return gpu() != nullptr; }

std::string fuzz_gpu_kernel(std::string_view content) {
  Choices choices(content);
  const auto call = chosen_call(choices);
  if (!gpu() || !call) return {};
  const RunRow run_row = [](const KernelRow& kernel, const RandomCall& one) {
    return run_gpu_row(*gpu(), kernel, one);
  };
  return check_rows(*call, DeviceKind::vulkan, gpu()->target(), false, run_row);
}

}  // namespace webnn::tests
