#include "runtime/vulkan/profile/profile.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "runtime/vulkan/profile/features.hpp"
#include "runtime/vulkan/profile/properties.hpp"

namespace webnn::runtime::vulkan {

namespace {

/// The largest device-local heap.
std::size_t main_heap(const VkPhysicalDeviceMemoryProperties& memory) {
  std::size_t main = 0;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < memory.memoryHeapCount; ++i)
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && memory.memoryHeaps[i].size > most) {
      most = memory.memoryHeaps[i].size;
      main = i;
    }
  return main;
}

std::string kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "cpu";
    default:
      return "other";
  }
}

/// The first family of queues that can do `wanted` and nothing of `unwanted`.
std::optional<std::uint32_t> family_with(std::span<const VkQueueFamilyProperties> families, VkQueueFlags wanted,
                                         VkQueueFlags unwanted = 0) {
  for (std::uint32_t i = 0; i < families.size(); ++i)
    if ((families[i].queueFlags & wanted) == wanted && (families[i].queueFlags & unwanted) == 0) return i;
  return std::nullopt;
}

std::vector<VkQueueFamilyProperties> queue_families(const Functions& vk, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  families.resize(count);
  return families;
}

/// How many multiprocessors a device has, by its vendor's extension; 0: it has none of these.
std::uint32_t compute_units_of(const Functions& vk, VkPhysicalDevice device) {
  const auto amd = extension_properties<VkPhysicalDeviceShaderCoreProperties2AMD>(
      vk, device, VK_AMD_SHADER_CORE_PROPERTIES_2_EXTENSION_NAME,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD);
  const auto nvidia = extension_properties<VkPhysicalDeviceShaderSMBuiltinsPropertiesNV>(
      vk, device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
  const auto arm = extension_properties<VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM>(
      vk, device, VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM);
  return std::max({amd.activeComputeUnitCount, nvidia.shaderSMCount, arm.shaderCoreCount});
}

/// The architecture by what only its devices have; software has none.
std::string_view architecture_of(const Functions& vk, VkPhysicalDevice device, const Properties& properties) {
  constexpr std::uint32_t amd = 0x1002, nvidia = 0x10de, intel = 0x8086;
  const VkPhysicalDeviceProperties& basic = properties.all.properties;
  if (basic.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) return {};
  if (basic.vendorID == amd) {
    const auto cores = extension_properties<VkPhysicalDeviceShaderCorePropertiesAMD>(
        vk, device, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
    if (cores.wavefrontsPerSimd == 10 || cores.wavefrontsPerSimd == 40) return "amd-gcn";
    if (cores.wavefrontsPerSimd == 20) return "amd-rdna1";
    if (cores.wavefrontsPerSimd != 16) return "";
    // RDNA 2 or later ones, which have matrix units.
    return has_extension(vk, device, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME) ? "amd-rdna3" : "amd-rdna2";
  }
  if (basic.vendorID == nvidia) {
    const auto units = extension_properties<VkPhysicalDeviceShaderSMBuiltinsPropertiesNV>(
        vk, device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
    if (units.shaderWarpsPerSM == 32) return "nvidia-32";    // warps of a multiprocessor: Turing
    if (units.shaderWarpsPerSM == 48) return "nvidia-48";    // consumers' from Ampere on
    return units.shaderWarpsPerSM == 64 ? "nvidia-64" : "";  // Pascal, Volta, and those of data centres
  }
  return basic.vendorID == intel ? "intel" : "";
}

/// VkPhysicalDeviceExternalMemoryHostPropertiesEXT::minImportedHostPointerAlignment; 0 without the extension.
std::size_t import_alignment(const Functions& vk, VkPhysicalDevice device) {
  return std::size_t(extension_properties<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
                         vk, device, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
                         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT)
                         .minImportedHostPointerAlignment);
}

/// Whether an instruction adds four products of signed bytes. Where several do it, products in float32 take less time;
/// a driver on the CPU has them for tests.
bool accelerates_dots(const Functions& vk, VkPhysicalDevice device) {
  return extension_properties<VkPhysicalDeviceShaderIntegerDotProductProperties>(
             vk, device, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME,
             VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES)
      .integerDotProduct4x8BitPackedSignedAccelerated;
}

/// Whether memory of this kind can have these features in any allocation.
bool shares_memory(const Functions& vk, VkPhysicalDevice device, VkExternalMemoryHandleTypeFlagBits kind,
                   VkExternalMemoryFeatureFlags wanted) {
  VkPhysicalDeviceExternalBufferInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.handleType = kind;
  VkExternalBufferProperties answer{};
  answer.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES;
  vk.GetPhysicalDeviceExternalBufferProperties(device, &info, &answer);
  const VkExternalMemoryFeatureFlags features = answer.externalMemoryProperties.externalMemoryFeatures;
  return (features & wanted) == wanted && (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) == 0;
}

}  // namespace

std::uint64_t free_bytes_of(const Functions& vk, VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
  budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
  VkPhysicalDeviceMemoryProperties2 memory{};
  memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
  memory.pNext = &budget;
  vk.GetPhysicalDeviceMemoryProperties2(device, &memory);
  const std::size_t heap = main_heap(memory.memoryProperties);
  return budget.heapBudget[heap] - std::min(budget.heapUsage[heap], budget.heapBudget[heap]);
}

bool is_unified(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags both = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  return std::any_of(memory.memoryTypes, memory.memoryTypes + memory.memoryTypeCount,
                     [](const VkMemoryType& type) { return (type.propertyFlags & both) == both; });
}

Profile profile_of(const Functions& vk, VkPhysicalDevice device, std::span<const std::string_view> without) {
  const Properties properties(vk, device);
  const VkPhysicalDeviceLimits& limits = properties.all.properties.limits;
  Profile profile;
  const std::vector<VkQueueFamilyProperties> families = queue_families(vk, device);
  profile.queue_family = family_with(families, VK_QUEUE_COMPUTE_BIT).value_or(0);
  profile.timestamp_bits = families.empty() ? 0 : families[profile.queue_family].timestampValidBits;
  constexpr VkQueueFlags of_copies = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
  profile.copy_family = family_with(families, VK_QUEUE_TRANSFER_BIT, ~of_copies);
  profile.subgroup_size = std::max(properties.version11.subgroupSize, 1u);
  const VkPhysicalDeviceVulkan12Properties& more = properties.version12;
  profile.keeps_special_numbers = more.shaderSignedZeroInfNanPreserveFloat32;
  // Without independence, shaders must ask for all types or for none.
  if (more.shaderDenormPreserveFloat32) {
    if (more.denormBehaviorIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE)
      profile.widths_of_subnormals = {32};
    else if (more.shaderDenormPreserveFloat16 && more.shaderDenormPreserveFloat64)
      profile.widths_of_subnormals = {16, 32, 64};
  }
  profile.shared_bytes = limits.maxComputeSharedMemorySize;
  profile.max_allocation = properties.version11.maxMemoryAllocationSize;
  if (const auto most = extension_properties<VkPhysicalDeviceMaintenance4Properties>(
                            vk, device, VK_KHR_MAINTENANCE_4_EXTENSION_NAME,
                            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES)
                            .maxBufferSize)
    profile.max_allocation = std::min(profile.max_allocation, most);
  profile.max_group_lanes = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
  profile.max_groups_x = limits.maxComputeWorkGroupCount[0];
  profile.architecture = architecture_of(vk, device, properties);
  profile.timestamp_nanoseconds = profile.timestamp_bits == 0 ? 0 : limits.timestampPeriod;
  VkPhysicalDeviceMemoryProperties memory{};
  vk.GetPhysicalDeviceMemoryProperties(device, &memory);
  if (is_unified(memory)) profile.import_alignment = import_alignment(vk, device);
  profile.is_cpu = properties.all.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  // A driver on the CPU runs one workgroup for each of a few threads: nothing is gained by more of them.
  profile.compute_units = profile.is_cpu ? 1 : compute_units_of(vk, device);
  if (!profile.is_cpu) {
    constexpr std::uint64_t giga = 1'000'000'000;
    const bool is_discrete = properties.all.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    profile.flops_at_once = (is_discrete ? 20 : 2) * giga;
    profile.bytes_at_once = (is_discrete ? 4 : 1) * giga / 2;
  }
  profile.divides_exactly = profile.is_cpu;  // with the CPU's own instructions
  constexpr std::uint32_t turns_of_llvmpipe = 65'535;
  if (properties.version12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE) profile.most_turns = turns_of_llvmpipe;
  Features offered;
  ask(offered, vk, device, properties);
  if (!profile.is_cpu && !accelerates_dots(vk, device)) offered.integer_dot_product.shaderIntegerDotProduct = VK_FALSE;
  for (const FeatureRow& feature : feature_rows())
    if (feature.of(offered) && std::ranges::find(without, feature.name) == without.end())
      profile.features.push_back(&feature);
  if (profile.import_alignment != 0) profile.extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  if (has_extension(vk, device, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) {
    constexpr VkExternalMemoryFeatureFlags importable = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
    profile.extensions.push_back(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
    if (has_extension(vk, device, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME) &&
        shares_memory(vk, device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, importable)) {
      profile.extensions.push_back(VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME);
      profile.importable.push_back(VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);
    }
    constexpr auto opaque = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    if (shares_memory(vk, device, opaque, importable)) profile.importable.push_back(opaque);
    profile.exports_memory = shares_memory(vk, device, opaque, VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT);
  }
  if (has_extension(vk, device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)) {
    profile.extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    profile.tells_budget = true;
  }
  for (const FeatureRow* const feature : profile.features) {
    const auto& enabled = profile.extensions;
    if (feature->extension && std::ranges::find(enabled, std::string_view(feature->extension)) == enabled.end())
      profile.extensions.push_back(feature->extension);
  }
  const auto sizes = extension_properties<VkPhysicalDeviceSubgroupSizeControlProperties>(
      vk, device, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(profile.features, name, &FeatureRow::name) != profile.features.end();
  };
  if (has("cooperativeMatrix")) profile.fragment = offered.fragment;
  profile.fixes_subgroups = has("subgroupSizeControl") && has("computeFullSubgroups") &&
                            (sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  return profile;
}

GpuInfo info_of(const Functions& vk, VkPhysicalDevice device, unsigned number) {
  const Properties properties(vk, device);
  const VkPhysicalDeviceProperties& basic = properties.all.properties;
  GpuInfo info;
  info.number = number;
  info.name = basic.deviceName;
  info.kind = kind_of(basic.deviceType);
  info.version = std::to_string(VK_API_VERSION_MAJOR(basic.apiVersion)) + "." +
                 std::to_string(VK_API_VERSION_MINOR(basic.apiVersion)) + "." +
                 std::to_string(VK_API_VERSION_PATCH(basic.apiVersion));
  VkPhysicalDeviceMemoryProperties memory{};
  vk.GetPhysicalDeviceMemoryProperties(device, &memory);
  info.memory_bytes = memory.memoryHeaps[main_heap(memory)].size;

  info.compute_units = compute_units_of(vk, device);
  if (has_extension(vk, device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)) info.free_bytes = free_bytes_of(vk, device);

  const std::vector<VkQueueFamilyProperties> families = queue_families(vk, device);
  const auto family = family_with(families, VK_QUEUE_COMPUTE_BIT);
  if (!family) info.missing.emplace_back("a queue for compute");
  if (family && families[*family].timestampValidBits != 0) info.features.emplace_back("timestamps");
  if (basic.apiVersion < VK_API_VERSION_1_2) {
    info.missing.emplace_back("Vulkan 1.2");
    return info;
  }
  for (const std::uint8_t byte : properties.version11.deviceUUID)
    for (const int shift : {4, 0}) info.uuid += "0123456789abcdef"[(byte >> shift) & 15];
  info.driver = std::string(properties.version12.driverName) + " " + properties.version12.driverInfo;
  Features offered;
  ask(offered, vk, device, properties);
  for (const FeatureRow& feature : feature_rows()) {
    if (feature.of(offered)) {
      if (!feature.meaning.empty()) info.features.emplace_back(feature.meaning);
    } else if (feature.required) {
      info.missing.emplace_back(feature.name);
    }
  }
  if (is_unified(memory) && import_alignment(vk, device) != 0) info.features.emplace_back("import of host memory");
  if (has_extension(vk, device, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME))
    info.features.emplace_back("import of memory by file descriptor");
  return info;
}

}  // namespace webnn::runtime::vulkan
