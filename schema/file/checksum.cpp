#include "schema/file/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace webnn::schema {

std::uint64_t checksum_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace webnn::schema
