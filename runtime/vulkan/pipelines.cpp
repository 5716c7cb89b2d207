#include "runtime/vulkan/pipelines.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "runtime/vulkan/kernels/spirv.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::runtime::vulkan {

Pipelines::Pipelines(Queue& queue, std::filesystem::path cache_folder, std::filesystem::path shader_folder)
    : queue_(&queue), cache_(queue, std::move(cache_folder)), shader_folder_(std::move(shader_folder)) {
  VkPushConstantRange range{};
  range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  range.size = sizeof(PushConstants);
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  check(queue.vk().CreatePipelineLayout(queue.device(), &info, nullptr, &layout_), "create a pipeline layout");
}

Pipelines::~Pipelines() {
  queue_->settle();
  for (const auto& entry : pipelines_) queue_->vk().DestroyPipeline(queue_->device(), entry.second, nullptr);
  queue_->vk().DestroyPipelineLayout(queue_->device(), layout_, nullptr);
}

VkPipeline Pipelines::find(const Dispatch& dispatch) {
  const auto constants = dispatch.specialization.values();
  VkPipeline& pipeline = pipelines_[{
      dispatch.shader.words.data(), dispatch.lanes, {constants.begin(), constants.end()}, dispatch.epilogue}];
  if (!pipeline) pipeline = create(dispatch);
  return pipeline;
}

/// The built-in code, or that of a file which replaces it, so that a shader can be mended where nothing is built.
std::vector<std::uint32_t> Pipelines::code_of(const ShaderCode& shader) const {
  std::vector<std::uint32_t> words(shader.words.begin(), shader.words.end());
  if (shader_folder_.empty()) return words;
  const std::filesystem::path path = shader_folder_ / (std::string(shader.name) + ".spv");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return words;
  const std::streamoff bytes = file.tellg();
  words.assign(std::size_t(bytes) / sizeof words[0], 0);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(words.data()), std::streamsize(words.size() * sizeof words[0]));
  constexpr std::uint32_t magic = 0x07230203;
  if (!file || bytes % 4 != 0 || words.empty() || words[0] != magic)
    throw schema::Error(schema::ExitCode::invalid_input, schema::in_quotes(path.string()) + " is no SPIR-V",
                        "glslangValidator -V --target-env vulkan1.2 writes it");
  return words;
}

VkPipeline Pipelines::create(const Dispatch& dispatch) {
  const Functions& vk = queue_->vk();
  VkShaderModuleCreateInfo code{};
  code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  std::vector<FloatMode> modes;
  if (queue_->profile().keeps_special_numbers) modes.push_back(keeps_special_numbers);
  for (const std::uint32_t bits : queue_->profile().widths_of_subnormals) modes.push_back(keeps_subnormals(bits));
  const std::vector<std::uint32_t> words =
      with_float_modes(with_epilogue(code_of(dispatch.shader), dispatch.epilogue), modes);
  code.codeSize = words.size() * sizeof words[0];
  code.pCode = words.data();
  Specialization specialization = dispatch.specialization;
  if (dispatch.subgroups != 0) specialization.set(queue_->profile().fragment);
  specialization.set(Constant::divides_exactly, queue_->profile().divides_exactly);
  const std::uint32_t lanes = dispatch.lanes_of(queue_->profile().subgroup_size);
  std::vector<VkSpecializationMapEntry> entries{{0, 0, sizeof lanes}};
  std::vector<std::uint32_t> values{lanes};
  for (const auto [number, value] : specialization.values()) {
    entries.push_back({number, std::uint32_t(values.size() * sizeof value), sizeof value});
    values.push_back(value);
  }
  const VkSpecializationInfo constants{std::uint32_t(entries.size()), entries.data(), values.size() * sizeof values[0],
                                       values.data()};
  // From here on nothing throws before the module is destroyed.
  VkShaderModule module = VK_NULL_HANDLE;
  check(vk.CreateShaderModule(queue_->device(), &code, nullptr, &module), "load a shader");
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = layout_;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{};
  if (dispatch.subgroups != 0 && queue_->profile().fixes_subgroups) {
    size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    size.requiredSubgroupSize = queue_->profile().subgroup_size;
    info.stage.pNext = &size;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vk.CreateComputePipelines(queue_->device(), cache_.handle(), 1, &info, nullptr, &pipeline);
  vk.DestroyShaderModule(queue_->device(), module, nullptr);
  check(result, "compile the shader " + std::string(dispatch.shader.name));
  return pipeline;
}

}  // namespace webnn::runtime::vulkan
