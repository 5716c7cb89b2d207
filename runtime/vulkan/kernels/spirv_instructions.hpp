// SPIR-V as a sequence of instructions.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "schema/error.hpp"

namespace webnn::runtime::vulkan::spirv {

using Word = std::uint32_t;

inline constexpr Word magic = 0x07230203;
inline constexpr std::size_t header_words = 5;
inline constexpr std::size_t id_bound = 3;  // index in the header of the id bound, one more than the greatest id

struct Instruction {
  Word operation;
  std::span<const Word> words;  // including the first one, which holds the opcode and the word count
};

[[noreturn]] inline void refuse(const std::string& why) {
  throw schema::Error(schema::ExitCode::internal, "a compiled shader is not as expected: " + why);
}

/// Calls visit(instruction, index of its first word) for each instruction of words without a header.
template <typename Visit>
void for_each(std::span<const Word> words, Visit visit) {
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t count = words[i] >> 16;
    if (count == 0 || i + count > words.size()) refuse("an instruction is cut off");
    visit(Instruction{words[i] & 0xffffu, words.subspan(i, count)}, i);
    i += count;
  }
}

/// The instructions of a module. Throws Error (internal) for words that are no module.
inline std::span<const Word> body_of(std::span<const Word> module) {
  if (module.size() < header_words || module[0] != magic) refuse("it does not begin as SPIR-V does");
  return module.subspan(header_words);
}

inline void append(std::vector<Word>& to, Word operation, std::span<const Word> operands) {
  to.push_back(Word(1 + operands.size()) << 16 | operation);
  to.insert(to.end(), operands.begin(), operands.end());
}

/// The characters of a zero-terminated literal.
inline std::string text_of(std::span<const Word> words) {
  std::string text(words.size() * sizeof(Word), '\0');
  std::memcpy(text.data(), words.data(), text.size());
  return text.substr(0, text.find('\0'));
}
inline std::vector<Word> literal(const std::string& text) {
  std::vector<Word> words(text.size() / sizeof(Word) + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

}  // namespace webnn::runtime::vulkan::spirv
