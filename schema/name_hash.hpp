// Tables keyed by what a file says.
//
// A stranger who knows the hash function makes names with one hash, and a table of them takes quadratic time. This one
// is keyed with a secret that each process draws for itself. So its values, and the order of such tables, differ from
// run to run: neither may reach a file or a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace webnn::schema {

/// Of a name, or of any other bytes that a file chose.
std::uint64_t name_hash(std::string_view name);

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const { return name_hash(name); }
};

template <typename T>
using ByName = std::unordered_map<std::string, T, NameHash, std::equal_to<>>;
using NameSet = std::unordered_set<std::string, NameHash, std::equal_to<>>;

// The same of names that lie elsewhere and stay there.
template <typename T>
using ByNameView = std::unordered_map<std::string_view, T, NameHash>;
using NameViews = std::unordered_set<std::string_view, NameHash>;

}  // namespace webnn::schema
