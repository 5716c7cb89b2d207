// The container of binary files: a 64-byte header, metadata (a FlatBuffer), and constants at 64-bit offsets, so that
// weights may exceed the 2 GiB that a FlatBuffer can address. Numbers are little-endian.
//
//   0   magic, 4 bytes             "WNNC" a program, "WNNB" a graph
//   4   version, 4 bytes
//   8   size of the file           tells a truncated file from a damaged one
//   16  size of the metadata
//   24  checksum of the metadata
//   32  start of the constants     64 + metadata, rounded up to 64
//   40  checksum of bytes 0..40
//   48  zero
//   64  metadata; then the constants, each at a multiple of 64 bytes
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/diagnostics.hpp"
#include "schema/elements/bytes.hpp"

namespace webnn::schema {

/// What distinguishes the kinds of files, and the words for a bad one in messages.
struct ContainerKind {
  std::string_view magic;
  std::string_view noun;  // "program file"
  std::uint32_t version = 1;
  Code cut_off, damaged, other_version, bad_structure;
  const char* writer;  // what writes one, as a hint
};
extern const ContainerKind program_container, graph_container;

/// Whether the content starts like a file of this kind.
bool is_container(std::string_view content, const ContainerKind& form);

/// The parts of an opened file. Whoever may write the file can change it at any time, so its metadata are copied before
/// they are checked: what is checked is what is read. Constants are a view of the file; nothing rests on their bytes.
struct Container {
  Bytes metadata;
  std::span<const std::byte> constants;
};

/// Checks size, header, version and the metadata's checksum, in this order. The first failure adds a diagnostic and
/// gives nullopt. Reads no constants.
std::optional<Container> open_container(std::span<const std::byte> file, const ContainerKind& form,
                                        const std::string& file_name, Diagnostics& diagnostics);

/// Throws Error (resource) when the metadata exceed what may be written; readers accept twice as much.
void check_metadata_size(const ContainerKind& form, std::uint64_t bytes);

/// The location of each constant within the region of constants.
struct ConstantPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};
std::vector<ConstantPlace> place_constants(std::span<const Bytes> constants);
/// A constant as a view of the file, which `owner` keeps alive; nullopt when it is not inside the region.
std::optional<Bytes> constant_at(const Container& container, const Bytes& owner, const ConstantPlace& place);

/// Receives the file piece by piece.
using FileSink = std::function<void(std::span<const std::byte>)>;
/// Writes header, metadata and constants, at the places from `place_constants`.
void write_container(const ContainerKind& form, std::span<const std::byte> metadata, std::span<const Bytes> constants,
                     const FileSink& sink);

}  // namespace webnn::schema
