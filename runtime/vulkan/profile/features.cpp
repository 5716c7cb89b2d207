#include "runtime/vulkan/profile/features.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace webnn::runtime::vulkan {
namespace {

// SPIR-V capabilities.
constexpr std::uint32_t shader = 1, subgroups = 61, float16 = 9, int64 = 11, storage_16bit = 4433, storage_8bit = 4448,
                        physical_addresses = 5347, memory_model = 5345, cooperative_matrices = 6022,
                        dots_of_words = 6018, dots = 6019;

constexpr FeatureRow rows[] = {
    {"shaderInt64", [](Features& f) -> VkBool32& { return f.all.features.shaderInt64; }, true, int64, {}},
    {"storageBuffer16BitAccess",
     [](Features& f) -> VkBool32& { return f.version11.storageBuffer16BitAccess; },
     true,
     storage_16bit,
     {}},
    {"bufferDeviceAddress",
     [](Features& f) -> VkBool32& { return f.version12.bufferDeviceAddress; },
     true,
     physical_addresses,
     {}},
    {"timelineSemaphore", [](Features& f) -> VkBool32& { return f.version12.timelineSemaphore; }, true, 0, {}},
    {"scalarBlockLayout", [](Features& f) -> VkBool32& { return f.version12.scalarBlockLayout; }, true, 0, {}},
    {"storageBuffer8BitAccess", [](Features& f) -> VkBool32& { return f.version12.storageBuffer8BitAccess; }, false,
     storage_8bit, "8-bit memory", schema::Feature::memory_8bit},
    {"shaderFloat16", [](Features& f) -> VkBool32& { return f.version12.shaderFloat16; }, false, float16,
     "float16 arithmetic", schema::Feature::float16},
    {"vulkanMemoryModel",
     [](Features& f) -> VkBool32& { return f.version12.vulkanMemoryModel; },
     false,
     memory_model,
     {}},
    {"vulkanMemoryModelDeviceScope",
     [](Features& f) -> VkBool32& { return f.version12.vulkanMemoryModelDeviceScope; },
     false,
     0,
     {}},
    {"cooperativeMatrix", [](Features& f) -> VkBool32& { return f.cooperative_matrix.cooperativeMatrix; }, false,
     cooperative_matrices, "cooperative matrices", schema::Feature::matrix_units,
     VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME},
    {"shaderIntegerDotProduct", [](Features& f) -> VkBool32& { return f.integer_dot_product.shaderIntegerDotProduct; },
     false, dots, "sums of products of bytes", schema::Feature::none, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME},
    {"shaderIntegerDotProduct",
     [](Features& f) -> VkBool32& { return f.integer_dot_product.shaderIntegerDotProduct; },
     false,
     dots_of_words,
     {},
     schema::Feature::none,
     VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME},
    {"subgroupSizeControl",
     [](Features& f) -> VkBool32& { return f.subgroup_size.subgroupSizeControl; },
     false,
     0,
     {},
     schema::Feature::none,
     VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME},
    {"computeFullSubgroups",
     [](Features& f) -> VkBool32& { return f.subgroup_size.computeFullSubgroups; },
     false,
     0,
     {},
     schema::Feature::none,
     VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME},
};

/// The structs of extensions that `Features` has.
constexpr struct {
  const char* extension;
  void* (*of)(Features&);
} feature_structs[] = {
    {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, [](Features& f) -> void* { return &f.cooperative_matrix; }},
    {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, [](Features& f) -> void* { return &f.subgroup_size; }},
    {VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, [](Features& f) -> void* { return &f.integer_dot_product; }},
};

/// The largest fragment that subgroups of the device multiply and that kernels can use; empty if there is none.
Fragment fragment_of(const Functions& vk, VkPhysicalDevice device, const Properties& properties) {
  constexpr std::uint32_t least_subgroup = 8, most_subgroup = 64;
  const std::uint32_t subgroup = properties.version11.subgroupSize;
  if (subgroup < least_subgroup || subgroup > most_subgroup || !std::has_single_bit(subgroup) ||
      !vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR)
    return {};
  std::uint32_t count = 0;
  vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR(device, &count, nullptr);
  VkCooperativeMatrixPropertiesKHR empty{};
  empty.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  std::vector<VkCooperativeMatrixPropertiesKHR> all(count, empty);
  vk.GetPhysicalDeviceCooperativeMatrixPropertiesKHR(device, &count, all.data());
  Fragment best;
  for (const VkCooperativeMatrixPropertiesKHR& each : all) {
    const bool takes_halves =
        each.AType == VK_COMPONENT_TYPE_FLOAT16_KHR && each.BType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
        each.CType == VK_COMPONENT_TYPE_FLOAT32_KHR && each.ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR;
    const Fragment fragment{each.MSize, each.NSize, each.KSize};
    if (!takes_halves || each.saturatingAccumulation || each.scope != VK_SCOPE_SUBGROUP_KHR || !fits_tiles(fragment))
      continue;
    // Larger fragments read each element less often; the first of several is the driver's own choice.
    const auto work = [](const Fragment& of) { return of.rows * of.columns * of.inner; };
    if (work(fragment) > work(best)) best = fragment;
  }
  return best;
}

/// Whether shaders may declare this capability.
bool can_use(const Profile& profile, std::uint32_t capability) {
  return capability == shader || capability == subgroups ||
         std::ranges::find(profile.features, capability, &FeatureRow::capability) != profile.features.end();
}

}  // namespace

std::span<const FeatureRow> feature_rows() { return rows; }

Features::Features() {
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &version11;
  version11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  version11.pNext = &version12;
  version12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  cooperative_matrix.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  subgroup_size.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
  integer_dot_product.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES;
}

void Features::know(std::span<const char* const> extensions) {
  for (const auto& row : feature_structs) {
    if (std::ranges::find(extensions, std::string_view(row.extension)) == extensions.end()) continue;
    auto* const known = static_cast<VkBaseOutStructure*>(row.of(*this));
    known->pNext = static_cast<VkBaseOutStructure*>(version12.pNext);
    version12.pNext = known;
  }
}

Features::Features(const Profile& profile) : Features() {
  know(profile.extensions);
  for (const FeatureRow* const feature : profile.features) feature->of(*this) = VK_TRUE;
}

bool can_run(const Profile& profile, std::span<const std::uint32_t> words) {
  constexpr std::size_t header_words = 5;
  constexpr std::uint32_t op_capability = 2u << 16 | 17u;
  for (std::size_t i = header_words; i + 1 < words.size() && words[i] == op_capability; i += 2)
    if (!can_use(profile, words[i + 1])) return false;
  return true;
}

schema::Feature program_features(const Profile& profile) {
  schema::Feature features = schema::Feature::none;
  for (const FeatureRow* feature : profile.features) features = features | feature->feature;
  if (!profile.is_cpu) features = features | schema::Feature::shared_memory;
  if (profile.most_turns == 0) features = features | schema::Feature::long_loops;
  return features;
}

void ask(Features& features, const Functions& vk, VkPhysicalDevice device, const Properties& properties) {
  std::vector<const char*> known;
  for (const auto& row : feature_structs)
    if (has_extension(vk, device, row.extension)) known.push_back(row.extension);
  features.know(known);
  vk.GetPhysicalDeviceFeatures2(device, &features.all);
  VkPhysicalDeviceVulkan12Features& more = features.version12;
  if (features.cooperative_matrix.cooperativeMatrix) features.fragment = fragment_of(vk, device, properties);
  const bool all = features.fragment != Fragment{} && more.shaderFloat16 && more.vulkanMemoryModel &&
                   more.vulkanMemoryModelDeviceScope;
  features.cooperative_matrix.cooperativeMatrix = more.vulkanMemoryModel = more.vulkanMemoryModelDeviceScope = all;
}

}  // namespace webnn::runtime::vulkan
