// Names of features.
#include "schema/kernels/target.hpp"

namespace webnn::schema {
namespace {

struct FeatureName {
  Feature feature;
  std::string_view name;
};

constexpr FeatureName feature_names[] = {
    {Feature::avx2, "avx2"},
    {Feature::avx512, "avx512"},
    {Feature::avx512_vnni, "avx512_vnni"},
    {Feature::avx512_bf16, "avx512_bf16"},
    {Feature::avx512_fp16, "avx512_fp16"},
    {Feature::amx_bf16, "amx_bf16"},
    {Feature::amx_int8, "amx_int8"},
    {Feature::neon, "neon"},
    {Feature::cpu_fallback, "cpu_fallback"},
    {Feature::memory_8bit, "memory_8bit"},
    {Feature::float16, "float16"},
    {Feature::matrix_units, "matrix_units"},
    {Feature::shared_memory, "shared_memory"},
    {Feature::long_loops, "long_loops"},
};

}  // namespace

std::string text_of(Feature features) {
  std::string text;
  for (const auto& [feature, name] : feature_names) {
    if (!includes(features, feature)) continue;
    if (!text.empty()) text += ' ';
    text += name;
  }
  return text.empty() ? "none" : text;
}

}  // namespace webnn::schema
