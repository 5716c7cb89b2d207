// Hyperbolic functions and inverses of trigonometric ones, which WebNN has not: Cephes' polynomials for float32, with
// relative errors of a few 1e-7. Branches are computed for all elements, and `where` selects.
#include "compiler/onnx/import/math/formula.hpp"

namespace webnn::compiler {
namespace {

using Formula = ImportFormula;

/// The angle is reduced to those below pi/8.
TensorId arctangent(Formula& f) {
  f.let("a", "abs(?x)");
  f.let("far", "greater(?a, 2.414213562373095)");
  f.let("middle", "greater(?a, 0.4142135623730950)");
  f.let("r", "where(?far, div(-1, ?a), where(?middle, div(sub(?a, 1), add(?a, 1)), ?a))");
  f.let("offset", "where(?far, 1.5707963267948966, where(?middle, 0.7853981633974483, 0))");
  f.let("z", "mul(?r, ?r)");
  f.let_polynomial("p", "z", {8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1});
  f.let("y", "add(?offset, add(mul(mul(?p, ?z), ?r), ?r))");
  return f("where(lesser(?x, 0), neg(?y), ?y)");
}

/// ?s is the arcsine of ?u, which is 0 to 0.5, from ?z = ?u * ?u.
void let_arcsine(Formula& f) {
  f.let_polynomial("p", "z", {4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1});
  f.let("s", "add(mul(mul(?p, ?z), ?u), ?u)");
}

/// ?s, and ?outer where it is that of sqrt((1 - |x|) / 2) instead of |x|.
void let_half_arcsine(Formula& f) {
  f.let("a", "abs(?x)");
  f.let("outer", "greater(?a, 0.5)");
  f.let("z", "where(?outer, mul(sub(1, ?a), 0.5), mul(?a, ?a))");
  f.let("u", "where(?outer, sqrt(?z), ?a)");
  let_arcsine(f);
}

TensorId arcsine(Formula& f) {
  let_half_arcsine(f);
  f.let("y", "where(?outer, sub(1.5707963267948966, add(?s, ?s)), ?s)");
  return f("where(lesser(?x, 0), neg(?y), ?y)");
}

TensorId arccosine(Formula& f) {
  let_half_arcsine(f);
  f.let("twice", "add(?s, ?s)");
  return f(
      "where(lesser(?x, 0), where(?outer, sub(3.141592653589793, ?twice), add(1.5707963267948966, ?s)), "
      "where(?outer, ?twice, sub(1.5707963267948966, ?s)))");
}

TensorId hyperbolic_sine(Formula& f) {
  f.let("a", "abs(?x)");
  f.let("e", "exp(mul(?a, 0.5))");  // of one half, because exp(x) overflows before its half does
  f.let("big", "sub(mul(mul(?e, 0.5), ?e), div(div(0.5, ?e), ?e))");
  f.let("z", "mul(?x, ?x)");
  f.let_polynomial("p", "z", {2.03721912945e-4, 8.33028376239e-3, 1.66667160211e-1});
  return f("where(greater(?a, 1), where(lesser(?x, 0), neg(?big), ?big), add(mul(mul(?p, ?z), ?x), ?x))");
}

TensorId hyperbolic_cosine(Formula& f) {
  f.let("e", "exp(mul(abs(?x), 0.5))");
  return f("add(mul(mul(?e, 0.5), ?e), div(div(0.5, ?e), ?e))");
}

TensorId area_sine(Formula& f) {
  f.let("a", "abs(?x)");
  f.let("z", "mul(?x, ?x)");
  f.let_polynomial("p", "z", {2.0122003309e-2, -4.2699340972e-2, 7.4847586088e-2, -1.6666288134e-1});
  f.let("far", "add(log(?a), 0.6931471805599453)");  // without the square, which overflows
  f.let("big", "where(greater(?a, 1500), ?far, log(add(?a, sqrt(add(?z, 1)))))");
  return f("where(greater(?a, 0.5), where(lesser(?x, 0), neg(?big), ?big), add(mul(mul(?p, ?z), ?x), ?x))");
}

TensorId area_cosine(Formula& f) {
  f.let("z", "sub(?x, 1)");
  f.let_polynomial("p", "z", {1.7596881071e-3, -7.5272886713e-3, 2.6454905019e-2, -1.1784741703e-1, 1.4142135263});
  f.let("near", "mul(?p, sqrt(?z))");
  f.let("far", "add(log(?x), 0.6931471805599453)");
  f.let("middle", "log(add(?x, sqrt(mul(?z, add(?x, 1)))))");
  return f("where(lesser(?z, 0.5), ?near, where(greater(?x, 1500), ?far, ?middle))");
}

TensorId area_tangent(Formula& f) {
  f.let("z", "mul(?x, ?x)");
  f.let_polynomial("p", "z",
                   {1.81740078349e-1, 8.24370301058e-2, 1.46691431730e-1, 1.99782164500e-1, 3.33337300303e-1});
  f.let("big", "mul(log(div(add(1, ?x), sub(1, ?x))), 0.5)");
  return f("where(greater(abs(?x), 0.5), ?big, add(mul(mul(?p, ?z), ?x), ?x))");
}

/// float16 is computed as float32: the polynomials are for that.
template <TensorId (*function)(Formula& f)>
void read_in_float32(ImportCall& c) {
  const TensorId x = c.input(0);
  const bool is_half = c.type(x) == OnnxType::float16;
  Formula formula(c, is_half ? c.cast(x, OnnxType::float32) : x);
  c.finish(c.cast(function(formula), c.type(x)));
}

constexpr OnnxImportRow inverse_import_rows[] = {
    {.op_type = "Acos", .read = read_in_float32<arccosine>},
    {.op_type = "Acosh", .read = read_in_float32<area_cosine>},
    {.op_type = "Asin", .read = read_in_float32<arcsine>},
    {.op_type = "Asinh", .read = read_in_float32<area_sine>},
    {.op_type = "Atan", .read = read_in_float32<arctangent>},
    {.op_type = "Atanh", .read = read_in_float32<area_tangent>},
    {.op_type = "Cosh", .read = read_in_float32<hyperbolic_cosine>},
    {.op_type = "Sinh", .read = read_in_float32<hyperbolic_sine>},
};

}  // namespace

std::span<const OnnxImportRow> import_inverse_rows() { return inverse_import_rows; }

}  // namespace webnn::compiler
