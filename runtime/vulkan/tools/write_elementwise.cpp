// The program write-elementwise OUT.glsl, run by the build: writes what elementwise.def says to shaders, as macros. Each
// operator has its OperatorId as number; each kind of operators has the cases of a switch over these numbers.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <string>

#include "schema/operators/elementwise.hpp"

namespace {

using namespace webnn::schema;
using enum Family;

std::string number_of(const ElementwiseRow& row) {
  std::string name(row.symbol);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return "OP_" + name;
}

/// The cases of the operators of these families with one or two operands: `case NUMBER: before EXPRESSION; after`, or
/// `case NUMBER:` alone.
void write_cases(std::ostream& out, const char* name, std::initializer_list<Family> families, std::size_t operands,
                 const char* before = "return ", const char* after = "") {
  out << "#define " << name;
  for (const ElementwiseRow& row : elementwise_rows()) {
    const Operator& op = webnn::schema::row(row.op);
    if (op.operands.size() != operands || std::ranges::find(families, op.family) == families.end()) continue;
    out << " \\\n  case " << number_of(row) << ":";
    if (before != nullptr) out << " " << before << row.real << ";" << after;
  }
  out << "\n\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: write-elementwise OUT.glsl\n";
    return 2;
  }
  std::ofstream out(arguments[1]);
  out << "// Written by tools/write_elementwise.cpp from schema/operators/elementwise.def.\n";
  for (const ElementwiseRow& row : elementwise_rows())
    out << "const uint " << number_of(row) << " = " << row.op.index << ";\n";
  out << "\n";
  write_cases(out, "REAL_UNARY_CASES", {unary}, 1);
  write_cases(out, "REAL_BINARY_CASES", {binary}, 2, "result = ", " return result;");
  write_cases(out, "PREDICATE_CASES", {predicate}, 1);
  write_cases(out, "LOGICAL_UNARY_CASES", {logical}, 1);
  write_cases(out, "COMPARISON_CASES", {comparison, logical}, 2);
  write_cases(out, "COMPARISON_NUMBERS", {comparison, logical}, 2, nullptr);
  out.close();
  if (!out) std::cerr << "write-elementwise: cannot write " << arguments[1] << "\n";
  return out ? 0 : 1;
}
