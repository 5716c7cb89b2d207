// Operator attributes in binary files.
#pragma once

#include <file_form/attributes_generated.h>
#include <flatbuffers/flatbuffers.h>

#include "schema/file/metadata_reader.hpp"
#include "schema/operators/attribute.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::schema {

using FileAttributes = flatbuffers::Vector<flatbuffers::Offset<file::Attribute>>;

flatbuffers::Offset<FileAttributes> write_attributes(flatbuffers::FlatBufferBuilder& builder, const Operator& op,
                                                     const Attributes& attributes);

/// Attributes in the order of the operator row; `list` may be null. Nullopt when one has a name that is not in the row,
/// occurs twice, or has an unknown kind. Does not check whether the values suit the operator.
std::optional<Attributes> read_attributes(const Operator& op, const FileAttributes* list, MetadataReader& metadata);

/// A hash of every table that gives numbers in files their meaning: names of operators, operands and attributes, data
/// types, layouts, and kinds of slots.
std::uint64_t hash_of_tables();

}  // namespace webnn::schema
