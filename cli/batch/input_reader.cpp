#include "cli/batch/input_reader.hpp"

#include <algorithm>

#include "cli/batch/input_list.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
namespace fs = std::filesystem;

InputReader::InputReader(std::vector<api::Slot> inputs, const std::vector<std::string>& images,
                         std::uint64_t max_tensor_bytes, std::span<const compiler::FileName> files)
    : inputs_(std::move(inputs)), max_tensor_bytes_(max_tensor_bytes) {
  if (inputs_.empty()) throw Error(ExitCode::usage, "the graph has no inputs, so that a batch would repeat one run");
  bool has_pictures = false;
  for (const compiler::FileName& file : files) {
    const InputKind kind = kind_of_input(file.path);
    has_pictures |= kind == InputKind::picture;
    if (kind == InputKind::tensors || inputs_.size() == 1) continue;
    std::vector<std::string> names;
    for (const api::Slot& input : inputs_) names.push_back(in_quotes(input.name));
    throw Error(ExitCode::usage,
                in_quotes(file.string()) + " is for one input, but the graph has " + counted(inputs_.size(), "input") +
                    ": " + joined(names),
                "a .safetensors file has tensors with these names");
  }
  if (!has_pictures && !images.empty())
    throw Error(ExitCode::usage, "--image says how pictures are read, but the batch has none");
  if (has_pictures) take_images(images);
}

void InputReader::take_images(const std::vector<std::string>& images) {
  if (images.size() > 1) throw Error(ExitCode::usage, "input " + in_quotes(inputs_[0].name) + " is given twice");
  std::string_view parts;
  if (!images.empty()) parts = split_input_argument(images[0], inputs_).spec;
  if (parts.starts_with('@'))
    throw Error(ExitCode::usage, "--image " + in_quotes(images[0]) + " names a file, but --batch names them all",
                "for example --image " + inputs_[0].name + "=order:bgr,mean:104:117:123");
  form_ = picture_form(parts, inputs_[0]);
}

std::vector<compiler::Tensor> InputReader::read(const compiler::FileName& file) const {
  std::vector<compiler::Tensor> tensors;
  switch (kind_of_input(file.path)) {
    case InputKind::array:
      tensors.push_back(read_array_input(file, inputs_[0], max_tensor_bytes_));
      break;
    case InputKind::picture:
      tensors.push_back(read_picture_input(file, *form_, inputs_[0]));
      break;
    case InputKind::tensors: {
      const compiler::WeightsSource source = open_safetensors(file);
      for (const api::Slot& input : inputs_)
        tensors.push_back(read_safetensors_input(source, input.name, input, max_tensor_bytes_));
      break;
    }
  }
  return tensors;
}

}  // namespace webnn::cli
