// The driver's compiled shaders, kept between processes in a folder of the user: one file for each device and driver
// version. Nothing here fails; without a file, or with a damaged one, shaders are compiled again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/vulkan/queue.hpp"

namespace webnn::runtime::vulkan {

class PipelineCache {
 public:
  /// With an empty `folder` nothing is read or kept.
  PipelineCache(Queue& queue, std::filesystem::path folder);
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;
  /// Writes the driver's data, if there are more than were read.
  ~PipelineCache();

  /// For creating pipelines; null when the driver provides none.
  VkPipelineCache handle() const { return cache_; }

 private:
  void keep() const;

  Queue* queue_;
  std::filesystem::path file_;  // empty: none
  std::string key_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::size_t found_bytes_ = 0;
};

/// Everything that the driver's data depend on, as one line of text: vendor, device, driver with version, and their
/// UUIDs.
std::string pipeline_key(const Functions& vk, VkPhysicalDevice device);

/// The content of a file: key and data with a checksum.
std::vector<std::byte> framed_pipelines(std::string_view key, std::span<const std::byte> data);
/// The data in a file's content; nullopt when it is damaged or has another key.
std::optional<std::span<const std::byte>> unframed_pipelines(std::string_view key, std::span<const std::byte> content);

}  // namespace webnn::runtime::vulkan
