#include "schema/file/metadata_reader.hpp"

namespace webnn::schema {
namespace {

const std::uint8_t* begin_of(const Bytes& metadata) { return reinterpret_cast<const std::uint8_t*>(metadata.data()); }

}  // namespace

MetadataReader::MetadataReader(const Container& container, const Bytes& file)
    : container_(container),
      file_(file),
      copies_(0, container.metadata.size()),
      constant_bytes_(container.constants.size()) {}

flatbuffers::Verifier MetadataReader::verifier() const {
  constexpr std::size_t least_table = 8;  // the offset that leads to it, and its own to the list of its fields
  flatbuffers::Verifier::Options options;
  options.max_tables = flatbuffers::uoffset_t(container_.metadata.size() / least_table);
  return flatbuffers::Verifier(begin_of(container_.metadata), container_.metadata.size(), options);
}

std::string MetadataReader::text(const flatbuffers::String* word) {
  if (!word) return {};
  take(lengths + word->size() + 1);  // and the zero behind it
  return word->str();
}

std::vector<std::string> MetadataReader::texts(const flatbuffers::Vector<std::uint32_t>* offsets) {
  std::vector<std::string> words;
  if (!offsets) return words;
  const flatbuffers::Verifier checker = verifier();
  for (flatbuffers::uoffset_t i = 0; i < offsets->size(); ++i) {
    const std::uint8_t* place = offsets->Data() + i * sizeof(flatbuffers::uoffset_t);
    const flatbuffers::uoffset_t offset = checker.VerifyOffset(std::size_t(place - begin_of(container_.metadata)));
    const auto* word = reinterpret_cast<const flatbuffers::String*>(place + offset);
    if (offset == 0 || !checker.VerifyString(word)) refuse("a list of words is no correct FlatBuffer");
    words.push_back(text(word));
  }
  return words;
}

std::optional<Bytes> MetadataReader::constant(const ConstantPlace& place) {
  auto bytes = constant_at(container_, file_, place);
  if (!bytes) return bytes;
  if (place.bytes > constant_bytes_)
    refuse("the constants together are longer than the " + std::to_string(container_.constants.size()) +
           " bytes that the file has of them");
  constant_bytes_ -= place.bytes;
  return bytes;
}

void MetadataReader::take(std::uint64_t bytes) {
  if (!copies_.take(bytes))
    refuse("names and lists are shared so often that copies of them take more than " + std::to_string(copies_.limit()) +
           " bytes, 4 times what the file has besides its constants");
}

void MetadataReader::refuse(std::string message) const {
  throw Refusal{std::move(message), list_ ? "/" + std::string(list_) + "/" + std::to_string(index_) : std::string()};
}

}  // namespace webnn::schema
