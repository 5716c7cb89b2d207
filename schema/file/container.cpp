#include "schema/file/container.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "schema/file/checksum.hpp"
#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn::schema {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian and read in place");

constexpr std::uint64_t header_bytes = 64, alignment = 64, checked_bytes = 40;
/// FlatBuffers address less than 2 GiB; the Verifier asserts beyond that.
constexpr std::uint64_t most_metadata = (std::uint64_t{1} << 31) - 1;

struct Header {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t file_bytes, metadata_bytes, metadata_checksum, constants_start, header_checksum;
  std::array<std::uint64_t, 2> zero;
};
static_assert(sizeof(Header) == header_bytes && offsetof(Header, header_checksum) == checked_bytes);

constexpr std::uint64_t aligned(std::uint64_t offset) { return round_up(offset, alignment); }

std::span<const std::byte> bytes_of(const Header& header) { return std::as_bytes(std::span(&header, 1)); }

Bytes copy_of(std::span<const std::byte> bytes) {
  const std::shared_ptr<std::byte[]> copy = std::make_shared_for_overwrite<std::byte[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.get(), bytes.data(), bytes.size());
  return {copy, {copy.get(), bytes.size()}};
}

void pad(const FileSink& sink, std::uint64_t count) {
  static constexpr std::array<std::byte, alignment> zeros{};
  sink(std::span(zeros).first(count));
}

}  // namespace

const ContainerKind program_container{"WNNC",
                                      "program file",
                                      1,
                                      Code::program_cut_off,
                                      Code::program_damaged,
                                      Code::program_format,
                                      Code::program_structure,
                                      "`webnn-cli compile` makes one of a graph; graphs are loaded as graphs"};
const ContainerKind graph_container{"WNNB",
                                    "binary graph file",
                                    1,
                                    Code::binary_graph_damaged,
                                    Code::binary_graph_damaged,
                                    Code::bad_version,
                                    Code::binary_graph_damaged,
                                    "`webnn-cli convert` makes one of a graph in another format"};

bool is_container(std::string_view content, const ContainerKind& form) { return content.starts_with(form.magic); }

std::optional<Container> open_container(std::span<const std::byte> file, const ContainerKind& form,
                                        const std::string& file_name, Diagnostics& diagnostics) {
  const auto refuse = [&](Code code, const std::string& message, const char* hint) {
    diagnostics.error(code, {file_name, 0, 0, {}}, message).hints.emplace_back(hint);
    return std::nullopt;
  };
  constexpr const char* write_again = "the file was cut short or changed; write it again";
  const std::string noun(form.noun);
  const std::string_view magic = text_of(file.first(std::min(file.size(), form.magic.size())));
  if (!form.magic.starts_with(magic))
    return refuse(form.damaged,
                  "this is no " + noun + ": it begins with " + in_quotes(magic) + ", not with " + in_quotes(form.magic),
                  form.writer);
  if (file.size() < header_bytes)
    return refuse(form.cut_off,
                  "a " + noun + " has a header of 64 bytes, found " + counted(file.size(), "byte") + " in all",
                  write_again);
  Header header{};
  std::memcpy(&header, file.data(), sizeof header);
  if (header.version != form.version)
    return refuse(form.other_version,
                  "the " + noun + " has version " + std::to_string(header.version) + ", this tool reads version " +
                      std::to_string(form.version),
                  "write it again with this tool");
  if (const std::uint64_t found = checksum_of(bytes_of(header).first(checked_bytes)); found != header.header_checksum)
    return refuse(form.damaged,
                  "the header's bytes have the checksum " + checksum_text(found) + ", it says " +
                      checksum_text(header.header_checksum),
                  write_again);
  if (header.file_bytes != file.size())
    return refuse(
        form.cut_off,
        "the header says " + counted(header.file_bytes, "byte") + ", the file has " + std::to_string(file.size()),
        write_again);
  if (header.metadata_bytes > most_metadata || header.metadata_bytes > file.size() - header_bytes ||
      header.constants_start != aligned(header_bytes + header.metadata_bytes) || header.constants_start > file.size() ||
      header.zero != decltype(header.zero){})
    return refuse(form.bad_structure, "the parts of the " + noun + " do not lie where they belong", write_again);
  const Container container{copy_of(file.subspan(header_bytes, header.metadata_bytes)),
                            file.subspan(header.constants_start)};
  if (const std::uint64_t found = checksum_of(container.metadata.view()); found != header.metadata_checksum)
    return refuse(form.damaged,
                  "the metadata have the checksum " + checksum_text(found) + ", the header says " +
                      checksum_text(header.metadata_checksum),
                  write_again);
  return container;
}

void check_metadata_size(const ContainerKind& form, std::uint64_t bytes) {
  constexpr std::uint64_t most_written = std::uint64_t{1} << 30;
  if (bytes > most_written)
    throw Error(ExitCode::resource, "a " + std::string(form.noun) + " takes at most " + std::to_string(most_written) +
                                        " bytes besides its constants, and more are needed");
}

std::vector<ConstantPlace> place_constants(std::span<const Bytes> constants) {
  std::vector<ConstantPlace> places;
  std::uint64_t offset = 0;
  for (const Bytes& constant : constants) {
    places.push_back({offset, constant.size(), checksum_of(constant.view())});
    offset = aligned(offset + constant.size());
  }
  return places;
}

std::optional<Bytes> constant_at(const Container& container, const Bytes& owner, const ConstantPlace& place) {
  if (place.offset % alignment != 0 || place.offset > container.constants.size() ||
      place.bytes > container.constants.size() - place.offset)
    return std::nullopt;
  return owner.part(std::size_t(container.constants.data() - owner.data()) + place.offset, place.bytes);
}

void write_container(const ContainerKind& form, std::span<const std::byte> metadata, std::span<const Bytes> constants,
                     const FileSink& sink) {
  Header header{};
  std::memcpy(header.magic.data(), form.magic.data(), header.magic.size());
  header.version = form.version;
  header.metadata_bytes = metadata.size();
  header.metadata_checksum = checksum_of(metadata);
  header.constants_start = aligned(header_bytes + metadata.size());
  header.file_bytes = header.constants_start;
  for (const Bytes& constant : constants) header.file_bytes = aligned(header.file_bytes) + constant.size();
  header.header_checksum = checksum_of(bytes_of(header).first(checked_bytes));
  sink(bytes_of(header));
  sink(metadata);
  std::uint64_t written = header_bytes + metadata.size();
  const auto align = [&] {
    pad(sink, aligned(written) - written);
    written = aligned(written);
  };
  align();
  for (const Bytes& constant : constants) {
    align();
    sink(constant.view());
    written += constant.size();
  }
}

}  // namespace webnn::schema
