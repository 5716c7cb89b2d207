// Operators' attributes in binary files.
#pragma once

#include <file_form/attributes_generated.h>
#include <flatbuffers/flatbuffers.h>

#include "schema/operators/attribute.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::schema {

using FileAttributes = flatbuffers::Vector<flatbuffers::Offset<file::Attribute>>;

flatbuffers::Offset<FileAttributes> write_attributes(flatbuffers::FlatBufferBuilder& builder, const Operator& op,
                                                     const Attributes& attributes);

/// Attributes by the row's places; `list` may be null. Nullopt when one has a name that the row lacks, comes twice, or
/// is of an unknown kind. Whether the values fit the operator is not asked here.
std::optional<Attributes> read_attributes(const Operator& op, const FileAttributes* list);

/// Hash of everything that gives numbers in files their meaning: names of operators, operands, attributes, data types,
/// layouts and kinds of places.
std::uint64_t hash_of_tables();

}  // namespace webnn::schema
