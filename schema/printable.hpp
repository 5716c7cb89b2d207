// Text that strangers chose, where it may reach a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace webnn::schema {

/// Length of the UTF-8 sequence at the start of `text`, which is not empty, if it is well-formed and safe to print: it
/// neither controls a terminal nor changes the order of the text around it. Else 0.
std::size_t printable_sequence(std::string_view text);

/// JSON with \uXXXX for DEL and every character beyond ASCII that is not safe to print: the same document.
std::string printable_json(std::string json);

}  // namespace webnn::schema
