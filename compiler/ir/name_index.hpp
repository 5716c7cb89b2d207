// Values by their names: a hash table of numbers alone. The names themselves stay where they are, in the values, so that
// a graph of many values has each name once and copies the table as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/name_hash.hpp"

namespace webnn::compiler {

class NameIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// The number whose name this is; none: there is none. `name_of(number)` gives the name of one that was added.
  template <class NameOf>
  std::uint32_t find(std::string_view name, NameOf name_of) const {
    if (places_.empty()) return none;
    const std::uint32_t hash = hash_of(name);
    for (std::size_t at = home(hash); places_[at].number != none; at = next(at))
      if (places_[at].hash == hash && name_of(places_[at].number) == name) return places_[at].number;
    return none;
  }

  /// The name must not be there.
  void add(std::string_view name, std::uint32_t number) {
    if ((count_ + 1) * 2 > places_.size()) grow();
    put({hash_of(name), number});
    ++count_;
  }

  /// Nothing when it was not added.
  void remove(std::string_view name, std::uint32_t number) {
    if (places_.empty()) return;
    std::size_t hole = home(hash_of(name));
    while (places_[hole].number != number && places_[hole].number != none) hole = next(hole);
    if (places_[hole].number == none) return;
    --count_;
    // What stands behind it moves up, unless it would stand before its home.
    for (std::size_t at = next(hole); places_[at].number != none; at = next(at)) {
      const std::size_t steps_from_home = (at - home(places_[at].hash)) & (places_.size() - 1);
      const std::size_t steps_from_hole = (at - hole) & (places_.size() - 1);
      if (steps_from_home < steps_from_hole) continue;
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole] = {};
  }

 private:
  struct Place {
    std::uint32_t hash = 0, number = none;
  };

  static std::uint32_t hash_of(std::string_view name) { return std::uint32_t(schema::name_hash(name)); }
  std::size_t home(std::uint32_t hash) const { return hash & (places_.size() - 1); }
  std::size_t next(std::size_t at) const { return (at + 1) & (places_.size() - 1); }

  void put(const Place& place) {
    std::size_t at = home(place.hash);
    while (places_[at].number != none) at = next(at);
    places_[at] = place;
  }
  void grow() {
    std::vector<Place> old(places_.empty() ? 16 : places_.size() * 2);
    old.swap(places_);
    for (const Place& place : old)
      if (place.number != none) put(place);
  }

  std::vector<Place> places_;  // a power of two; at most half of them are taken
  std::size_t count_ = 0;
};

}  // namespace webnn::compiler
