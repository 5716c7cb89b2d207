// quantizeLinear of what is computed from one 8-bit tensor alone, element by element -> @byteTable.
#pragma once

#include "compiler/rewrites/rewrite.hpp"
#include "compiler/unit.hpp"

namespace webnn::compiler {

/// Any chain or group of elementwise operators whose other operands are constants of one element is a function of a
/// byte, and so a table of 256 bytes:
///
///   quantizeLinear(hardSwish(dequantizeLinear(x, ..)), ..)  -> @byteTable(x, table)
///
/// The table is computed with the graph's own operators on all bytes there are: exactly what they would give.
/// Quantising anew to another scale is one, too. Gives whether there was one that is acceptable.
bool make_byte_tables(Unit& unit, const Acceptable& acceptable);

}  // namespace webnn::compiler
