// Text helpers for messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace webnn::schema {

/// 'text', safe for a terminal: control characters, DEL and invalid UTF-8 become \xNN, and text over 200 bytes is
/// truncated.
std::string in_quotes(std::string_view text);
/// The same without quotes and without truncation.
std::string escaped(std::string_view text);

/// Length of the well-formed UTF-8 sequence at the start of `text`, which is not empty; 0 when there is none.
std::size_t utf8_sequence(std::string_view text);
bool is_utf8(std::string_view text);

/// "1 error", "2 errors"
std::string counted(std::size_t count, std::string_view noun);

/// The words, separated by `between`.
std::string joined(std::span<const std::string> words, std::string_view between = ", ");
std::string joined(std::span<const std::string_view> words, std::string_view between = ", ");

}  // namespace webnn::schema
