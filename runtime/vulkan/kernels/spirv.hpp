// A compiled shader as words to be extended: constants and functions are added, calls are led elsewhere. What is there
// stays as it was compiled and validated.
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

  /// A valid module with the names of its functions. Throws Error (internal) for words that are none.
  explicit SpirvModule(std::span<const Word> words);

  /// A function by its name in GLSL, and the types of the module; there must be such.
  struct Function {
    Word id = 0, result_type = 0, type = 0;
    std::vector<Word> parameter_types;
  };
  Function function(std::string_view name) const;
  bool has_function(std::string_view name) const { return names_.contains(name); }

  /// A constant; equal ones are one.
  Word constant(std::uint32_t value);
  Word constant(float value);

  /// A function of one block: begun with the type of another one, filled with calls, ended with its result.
  Word begin_function(const Function& like, std::vector<Word>& parameters);
  Word call(const Function& callee, std::span<const Word> arguments);
  void end_function(Word result);

  /// Leads all calls that are there already to another function of the same type.
  void redirect_calls(const Function& from, Word to);

  /// Leaves out the functions that the entry point does not reach, with their names and decorations: drivers would
  /// compile them first.
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

}  // namespace webnn::runtime::vulkan
