// Reads one input of a batch: the data of all inputs of a graph, from one file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/inputs/image.hpp"

namespace webnn::cli {

/// May be used by several threads at once.
class InputReader {
 public:
  /// `images`: NAME=PARTS each, as of --image without a file. Throws Error (usage) for one that does not fit a file of
  /// `files`, or when such a file cannot have the data of these inputs: arrays and pictures are for graphs with one.
  InputReader(std::vector<api::Slot> inputs, const std::vector<std::string>& images, std::uint64_t max_tensor_bytes,
              std::span<const compiler::FileName> files);

  /// Data for every input, in order. Throws Error for a file that cannot be read or does not fit.
  std::vector<compiler::Tensor> read(const compiler::FileName& file) const;

 private:
  void take_images(const std::vector<std::string>& images);

  std::vector<api::Slot> inputs_;
  std::optional<PictureForm> form_;
  std::uint64_t max_tensor_bytes_;
};

}  // namespace webnn::cli
