// What a driver made of shaders, kept from one process to the next in a folder of the user's: one file for each device
// and version of its driver. Nothing here fails; without a file, or with one that is damaged, shaders are compiled.
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
  /// `folder` empty: nothing is found or kept.
  PipelineCache(Queue& queue, std::filesystem::path folder);
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;
  /// Keeps what the driver has by now, if that is more than was found.
  ~PipelineCache();

  /// For the creation of pipelines; null when the driver gives none.
  VkPipelineCache handle() const { return cache_; }

 private:
  void keep() const;

  Queue* queue_;
  std::filesystem::path file_;  // empty: none
  std::string key_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::size_t found_bytes_ = 0;
};

/// Everything that the driver's data depend on, as one line of text: vendor, device, driver with version, and the UUIDs
/// by which they call themselves.
std::string pipeline_key(const Functions& vk, VkPhysicalDevice device);

/// The content of a file: the key and the data under a checksum.
std::vector<std::byte> framed_pipelines(std::string_view key, std::span<const std::byte> data);
/// The data in a file's content; nullopt when it is damaged or of another key.
std::optional<std::span<const std::byte>> unframed_pipelines(std::string_view key, std::span<const std::byte> content);

}  // namespace webnn::runtime::vulkan
