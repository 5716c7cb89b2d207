// A compiled shader that can be extended: constants and functions are added, and calls are redirected. The existing
// code stays as it was compiled and validated.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::runtime::vulkan {

class SpirvModule {
 public:
  using Word = std::uint32_t;

  /// `words` is a valid module with names for its functions. Throws Error (internal) otherwise.
  explicit SpirvModule(std::span<const Word> words);

  /// A function, found by its GLSL name, with its types; it must exist.
  struct Function {
    Word id = 0, result_type = 0, type = 0;
    std::vector<Word> parameter_types;
  };
  Function function(std::string_view name) const;
  bool has_function(std::string_view name) const { return names_.contains(name); }

  /// Adds a constant, or returns an equal existing one.
  Word constant(std::uint32_t value);
  Word constant(float value);

  /// Adds a function with a single block: begin_function with the type of an existing one, then calls, then
  /// end_function with its result.
  Word begin_function(const Function& like, std::vector<Word>& parameters);
  Word call(const Function& callee, std::span<const Word> arguments);
  void end_function(Word result);

  /// Redirects all existing calls of `from` to another function of the same type.
  void redirect_calls(const Function& from, Word to);

  /// Removes functions that the entry point does not reach, with their names and decorations, because drivers would
  /// compile them.
  void drop_unreached();

  std::vector<Word> words() const;

 private:
  Word next_id();
  Word constant_of(Word type, Word bits);

  std::vector<Word> declarations_;  // everything before the first function
  std::vector<Word> functions_;
  std::map<std::string, Word, std::less<>> names_;
  std::map<std::pair<Word, Word>, Word> constants_;  // by type and bits
  Word uint_type_ = 0, float_type_ = 0;
};

/// An execution mode of shaders on devices that offer it (VK_KHR_shader_float_controls), with its capability.
struct FloatMode {
  std::uint32_t mode, capability, bits = 32;
};
constexpr FloatMode keeps_subnormals(std::uint32_t bits) { return {4459, 4464, bits}; }
inline constexpr FloatMode keeps_special_numbers{4461, 4466};
/// The shader with these execution modes, those of a kind side by side.
std::vector<std::uint32_t> with_float_modes(std::vector<std::uint32_t> shader, std::span<const FloatMode> modes);

}  // namespace webnn::runtime::vulkan
