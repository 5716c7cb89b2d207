// quantizeLinear of a function of one 8-bit tensor, computed element by element -> @byteTable.
#pragma once

#include "compiler/rewrites/rewrite.hpp"
#include "compiler/unit.hpp"

namespace webnn::compiler {

/// Any chain or group of elementwise operators whose other operands are constants with one element is a function of one
/// byte, so a table of 256 bytes can replace it:
///
///   quantizeLinear(hardSwish(dequantizeLinear(x, ..)), ..)  -> @byteTable(x, table)
///
/// The table is computed with the graph's own operators on all 256 bytes, so it gives exactly their results.
/// Requantising to another scale is such a function too. Returns whether an acceptable one was found.
bool make_byte_tables(Unit& unit, const Acceptable& acceptable);

}  // namespace webnn::compiler
