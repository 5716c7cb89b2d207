// Single kernels on calls with attributes over all of u32, in all layouts and packed forms that their rows take: on the
// CPU in memory between guard pages, on a GPU in one buffer with watched gaps.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/device.hpp"
#include "schema/error.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/whole_targets.hpp"
#include "tests/harness/random/extremes.hpp"
#include "tests/harness/random/row_call.hpp"

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

/// A call as a network may give it to a row.
struct RowCall {
  const KernelRow& kernel;
  RandomCall call;                     // operands in the layouts of the spec, or in the row's packed forms
  std::vector<std::size_t> constants;  // operands that are known when the kernel is prepared
};

/// Chance chooses among what the row takes: layouts, constants, packed forms. Nullopt when it does not take the call.
std::optional<RowCall> call_for_row(const KernelRow& kernel, RandomCall call, const Target& target,
                                    std::mt19937& engine) {
  call.spec.constants = random_constants(kernel, call.spec, engine);
  if (!takes(kernel, call.spec, target)) return std::nullopt;
  choose_layouts(kernel, call.spec, engine);
  if (!takes_layouts(kernel, call.spec)) return std::nullopt;
  std::vector<std::size_t> constants = arrange_operands(kernel, call, engine);
  return RowCall{kernel, std::move(call), std::move(constants)};
}

using RunRow = std::function<std::vector<TestTensor>(const RowCall&)>;

std::vector<const KernelRow*> rows_of(DeviceKind device) {
  std::vector<const KernelRow*> rows;
  for (const KernelRow& kernel : api::kernel_table())
    if (kernel.device == device && kernel.provider() != "reference") rows.push_back(&kernel);
  return rows;
}

/// Runs the first `most` of these rows that take the call.
std::string check_rows(RandomCall call, std::span<const KernelRow* const> rows, const Target& target,
                       std::mt19937& engine, const RunRow& run_row,
                       std::size_t most = std::numeric_limits<std::size_t>::max()) {
  call.spec.input_layouts.clear();
  std::optional<std::vector<TestTensor>> expected;
  std::size_t ran = 0;
  for (const KernelRow* const row : rows) {
    const KernelRow& kernel = *row;
    std::string what = std::string(kernel.name) + " of " + text_of(call.spec) + ": ";
    try {
      const auto row_call = call_for_row(kernel, call, target, engine);
      if (!row_call) continue;
      if (ran++ == most) break;
      what = std::string(kernel.name) + " of " + text_of(row_call->call.spec) + ": ";
      if (!expected) {
        expected = run_steps(call.spec, call.inputs);
        if (!call.spec.post_ops.empty()) expected->erase(expected->begin(), expected->end() - 1);
      }
      const std::vector<TestTensor> actual = run_row(*row_call);
      if (actual.size() != expected->size()) return what + "another number of results";
      for (std::size_t i = 0; i < actual.size(); ++i)
        if (!nearly_alike(in_layout(actual[i], row_call->call.spec.output_layout(i), Layout::row_major),
                          (*expected)[i]))
          return what + "other numbers than the reference";
    } catch (const Error& error) {  // a device may lack what a row needs (matrix units)
      if (error.code() != ExitCode::resource && error.code() != ExitCode::unsupported) return what + error.what();
    } catch (const std::runtime_error& error) {
      return what + error.what();
    }
  }
  return {};
}

/// In memory that is watched.
std::vector<TestTensor> run_on_cpu(const RowCall& of) {
  RunOptions options;
  options.may_allocate = true;
  options.overreads = of.kernel.overreads;
  options.constants = of.constants;
  return run_kernel(runtime::cpu_kernels().find({&of.kernel})->prepare, of.call.spec, of.call.inputs, options);
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

std::vector<TestTensor> run_on_gpu(runtime::Device& device, const RowCall& of) {
  const auto& [kernel, call, known] = of;
  const KernelSpec& spec = call.spec;
  std::vector<std::span<const std::byte>> constants(call.inputs.size());
  for (const std::size_t i : known)
    if (spec.input_layout(i) == Layout::private_form) constants[i] = call.inputs[i]->data;
  const runtime::Kernel made = device.make_kernel(KernelId{&kernel}, spec, constants);
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
  device.prepare({&invocation, 1}, {})->submit();
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
  std::mt19937 engine(choices());
  return call ? check_rows(*call, rows_of(DeviceKind::cpu), device.target(), engine, run_on_cpu) : "";
}

bool has_fuzz_gpu() { return gpu() != nullptr; }

std::string fuzz_gpu_kernel(std::string_view content) {
  Choices choices(content);
  const auto call = chosen_call(choices);
  std::mt19937 engine(choices());
  if (!gpu() || !call) return {};
  const RunRow run_row = [](const RowCall& of) { return run_on_gpu(*gpu(), of); };
  // The driver compiles a shader for each row, which on a software GPU takes up to a second: fourteen tiles take a product.
  constexpr std::size_t most_rows = 4;
  std::vector<const KernelRow*> rows = rows_of(DeviceKind::vulkan);
  std::ranges::shuffle(rows, engine);
  return check_rows(*call, rows, gpu()->target(), engine, run_row, most_rows);
}

}  // namespace webnn::tests
