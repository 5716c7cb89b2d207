// Compute pipelines, created once for each shader with its specialisation constants.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/pipeline_cache.hpp"

namespace webnn::runtime::vulkan {

/// The push constants of every dispatch.
struct PushConstants {
  VkDeviceAddress table = 0;
  VkDeviceAddress post = 0;  // address of the table of the epilogue's operands
  std::uint32_t first_group = 0, unused = 0;
};

class Pipelines {
 public:
  /// `cache_folder` is as for PipelineCache, `shader_folder` as in GpuOptions.
  Pipelines(Queue& queue, std::filesystem::path cache_folder, std::filesystem::path shader_folder);
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;
  ~Pipelines();

  VkPipelineLayout layout() const { return layout_; }
  /// The pipeline for the dispatch's shader and constants. To be called from the thread that prepares programs.
  VkPipeline find(const Dispatch& dispatch);
  std::size_t size() const { return pipelines_.size(); }

 private:
  VkPipeline create(const Dispatch& dispatch);
  std::vector<std::uint32_t> code_of(const ShaderCode& shader) const;

  Queue* queue_;
  PipelineCache cache_;
  std::filesystem::path shader_folder_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  struct Key {
    const std::uint32_t* shader;
    std::uint32_t lanes;
    std::vector<Specialization::Value> specialization;
    Epilogue epilogue;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, VkPipeline> pipelines_;
};

}  // namespace webnn::runtime::vulkan
