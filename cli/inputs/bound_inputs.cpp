#include "cli/inputs/bound_inputs.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/inputs/image.hpp"
#include "cli/options/file_use.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
using compiler::Tensor;
namespace fs = std::filesystem;

void add_input_options(OptionList& list, InputOptions& options) {
  list.add("-i,--input", options.inputs,
           "NAME=SPEC: @x.npy, @w.safetensors#tensor, [1,2,3], 2x2:float32=@raw.bin, zeros, ones, iota, "
           "random(seed=7); may be repeated")
      .repeatable();
  list.add("--image", options.images,
           "NAME=@p.png or .jpg, with size:WxH,order:rgb|bgr,mean:A:B:C,std:A:B:C,scale:X,layout:nchw|nhwc")
      .repeatable();
  list.add("--inputs", options.folder, "a folder of NAME.npy files");
  list.add("--fill", options.fill, "SPEC for all inputs that are not given");
}

namespace {

constexpr const char* usual_random = "random(seed=1)";

/// By slot: the specs from --input, --image and --inputs; for the other slots `fill`, unless it is empty.
struct Given {
  std::vector<std::optional<Tensor>> tensors;
  std::vector<const api::Slot*> others;
};
/// Which of several inputs it is about is said in front.
template <typename Read>
Tensor naming(const api::Slot& slot, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    if ((error.code() != ExitCode::usage && error.code() != ExitCode::invalid_input) ||
        std::string_view(error.what()).find(in_quotes(slot.name)) != std::string_view::npos)
      throw;
    throw Error(error.code(), "input " + in_quotes(slot.name) + ": " + error.what(), error.hint());
  }
}
Given given_inputs(const InputOptions& options, const std::string& fill, std::span<const api::Slot> slots,
                   std::uint64_t limit) {
  std::vector<std::optional<Tensor>> found(slots.size());
  const auto give = [&](const api::Slot& slot, Tensor tensor) {
    std::optional<Tensor>& place = found[std::size_t(&slot - slots.data())];
    if (place) throw Error(ExitCode::usage, "input " + in_quotes(slot.name) + " is given twice");
    place = std::move(tensor);
  };
  for (const std::string& argument : options.inputs) {
    const InputArgument input = split_input_argument(argument, slots);
    give(*input.input, naming(*input.input, [&] { return read_input(input.spec, *input.input, limit); }));
  }
  for (const std::string& argument : options.images) {
    const InputArgument input = split_input_argument(argument, slots);
    give(*input.input, read_picture_input(input.spec, *input.input));
  }
  if (!options.folder.empty() && !fs::is_directory(options.folder))
    throw Error(ExitCode::io, in_quotes(options.folder) + " is no folder");
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (!found[i] && !options.folder.empty())
      if (const auto file = find_tensor_file(options.folder, options.below, slots[i].name))
        found[i] = naming(slots[i], [&] { return read_array_input(*file, slots[i], limit); });
  std::vector<const api::Slot*> others;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (found[i]) continue;
    others.push_back(&slots[i]);
    if (!fill.empty()) found[i] = read_input(fill, slots[i], limit);
  }
  return {std::move(found), std::move(others)};
}

std::vector<Tensor> all_of(std::vector<std::optional<Tensor>> found) {
  std::vector<Tensor> tensors;
  for (std::optional<Tensor>& tensor : found) tensors.push_back(std::move(tensor).value());
  return tensors;
}

}  // namespace

std::vector<Tensor> gather_any_inputs(const InputOptions& options, std::span<const api::Slot> slots,
                                      std::uint64_t limit, std::vector<std::string>& random) {
  const bool is_random = options.fill.empty();
  Given given = given_inputs(options, is_random ? usual_random : options.fill, slots, limit);
  if (is_random)
    for (const api::Slot* slot : given.others) random.push_back(slot->name);
  return all_of(std::move(given.tensors));
}

std::string random_inputs_text(const std::vector<std::string>& random) {
  std::string names;
  for (const std::string& name : random) names += (names.empty() ? "" : ", ") + in_quotes(name);
  return names.empty() ? names
                       : "random numbers for " + names + ": --fill " + usual_random +
                             " by default; --input NAME=SPEC gives others";
}

std::vector<Tensor> gather_inputs(const InputOptions& options, std::span<const api::Slot> slots, std::uint64_t limit) {
  Given given = given_inputs(options, options.fill, slots, limit);
  if (!given.others.empty() && options.fill.empty()) {
    std::string missing;
    for (const api::Slot* slot : given.others)
      missing += (missing.empty() ? "" : ", ") + in_quotes(slot->name) + " (" + slot->descriptor.text() + ")";
    throw Error(ExitCode::usage, "inputs without data: " + missing,
                "give each with --input NAME=SPEC, or all of them with --fill random");
  }
  return all_of(std::move(given.tensors));
}

std::vector<fs::path> files_of_inputs(const InputOptions& options, std::span<const api::Slot> slots) {
  std::vector<fs::path> files;
  std::vector<bool> is_named(slots.size());
  const auto add = [&](std::string_view spec) {
    for (std::string& file : files_in_spec(spec)) files.emplace_back(std::move(file));
  };
  for (const auto* arguments : {&options.inputs, &options.images})
    for (const std::string& argument : *arguments) {
      const InputArgument input = split_input_argument(argument, slots);
      is_named[std::size_t(input.input - slots.data())] = true;
      add(input.spec);
    }
  add(options.fill);
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (!is_named[i] && !options.folder.empty())
      if (auto file = find_tensor_file(options.folder, options.below, slots[i].name))
        files.push_back(std::move(file->path));
  return files;
}

void remark_other_files(Console& console, const fs::path& folder, std::span<const api::Slot> inputs,
                        std::span<const api::Slot> outputs) {
  if (folder.empty()) return;
  std::vector<std::string> names;
  for (const auto slots : {inputs, outputs})
    for (const api::Slot& slot : slots) names.push_back(slot.name);
  const std::vector<std::string> others = other_tensor_files(folder, names);
  if (others.empty()) return;
  remark(console, Severity::warning,
         "not read, because the graph has no input or output of the name: " + first_of(others) + " in " +
             in_quotes(folder.string()));
}

std::vector<std::span<const std::byte>> views_of(std::span<const compiler::Tensor> tensors) {
  std::vector<std::span<const std::byte>> views;
  for (const compiler::Tensor& tensor : tensors) views.push_back(tensor.data.view());
  return views;
}

}  // namespace webnn::cli
