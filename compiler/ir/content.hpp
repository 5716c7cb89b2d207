// The content of constants as text: {1, 2.5}, {0...} for one value everywhere, 0x.. for bytes, <4096 bytes, hash ..>.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "compiler/ir/text.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

/// Up to `elide_above` elements are written as numbers; more of them as bytes if `exact`, otherwise as size and hash.
std::string content_text(DataType type, std::span<const std::byte> data, std::size_t elide_above, bool exact);

/// Reads {..} and 0x.. for a descriptor; the reader fails when the text does not give exactly its elements.
std::optional<Bytes> read_content(TokenReader& reader, const OperandDescriptor& descriptor);

/// Writes one element of at least 8 bits; false when the type cannot hold the value (for an integer type: a fraction,
/// or out of range). Floats are rounded to nearest.
bool parse_element(std::string_view text, DataType type, std::byte* element);

}  // namespace webnn::compiler
