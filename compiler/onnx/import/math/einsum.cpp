// Einsum: an equation as transposes, matrix products and sums. Operands are multiplied from left to right; an axis is
// summed as soon as nothing behind needs it.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>

#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {
namespace {

/// Whether a label is needed by the result or by other terms.
using IsNeeded = std::function<bool(int label)>;

/// A letter, or -1, -2, .. for the last, last but one, .. of the axes under an ellipsis.
using EinsumLabels = std::vector<int>;

struct EinsumTerm {
  EinsumLabels labels;  // of the axes
  TensorId tensor;
};

bool has_label(const EinsumLabels& labels, int label) { return std::ranges::find(labels, label) != labels.end(); }

std::size_t place_of(const EinsumLabels& labels, int label) {
  return std::size_t(std::ranges::find(labels, label) - labels.begin());
}

class Einsum {
 public:
  explicit Einsum(ImportCall& c) : c_(c) {
    std::string equation;
    for (const char letter : c.text("equation"))
      if (letter != ' ') equation += letter;
    const std::size_t arrow = equation.find("->");
    std::string_view terms = std::string_view(equation).substr(0, arrow);
    std::size_t count = 0;
    for (bool is_last = false; !is_last; ++count) {
      const std::size_t comma = terms.find(',');
      is_last = comma == terms.npos;
      if (count >= c.input_count()) c.refuse("its equation has more terms than it has operands");
      if (c.count(c.input(count)) == 0) c.refuse("an operand has no elements, and WebNN has no such tensors");
      terms_.push_back(diagonal({labels_of(terms.substr(0, comma), c.rank(c.input(count))), c.input(count)}));
      if (!is_last) terms.remove_prefix(comma + 1);
    }
    if (count != c.input_count()) c.refuse("its equation has fewer terms than it has operands");
    set_result(arrow == std::string::npos ? std::nullopt : std::optional(equation.substr(arrow + 2)));
  }

  TensorId result() {
    EinsumTerm product = terms_[0];
    std::map<int, std::size_t> last_term;  // by label
    for (std::size_t i = 0; i < terms_.size(); ++i)
      for (const int label : terms_[i].labels) last_term[label] = i;
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      const auto is_needed = [&](int label) { return has_label(result_, label) || last_term.at(label) > i; };
      product = multiply(std::move(product), terms_[i], is_needed);
    }
    return ordered(summed(std::move(product), [&](int label) { return has_label(result_, label); }), result_).tensor;
  }

 private:
  EinsumLabels labels_of(std::string_view text, std::int64_t rank) {
    EinsumLabels labels;
    bool has_ellipsis = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char letter = text[i];
      if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
        labels.push_back(letter);
      } else if (text.substr(i, 3) == "..." && !has_ellipsis) {
        has_ellipsis = true;
        i += 2;
        std::int64_t letters = 0;
        for (const char other : text) letters += other != '.';
        if (letters > rank) break;
        for (std::int64_t axis = rank - letters; axis > 0; --axis) labels.push_back(-int(axis));
        most_dots_ = std::max(most_dots_, rank - letters);
      } else {
        c_.refuse("its equation is not valid");
      }
    }
    if (std::int64_t(labels.size()) != rank)
      c_.refuse("its equation does not have one letter for each axis of its operands");
    return labels;
  }

  /// Without an arrow: the ellipsis, then the letters that occur once.
  void set_result(const std::optional<std::string>& text) {
    std::vector<int> counts(256);
    for (const EinsumTerm& term : given_labels_)
      for (const int label : term.labels)
        if (label > 0) ++counts[std::size_t(label)];
    EinsumLabels dots;
    for (std::int64_t axis = most_dots_; axis > 0; --axis) dots.push_back(-int(axis));
    if (text) {
      const std::int64_t letters =
          std::int64_t(std::ranges::count_if(*text, [](char letter) { return letter != '.'; }));
      const bool has_dots = std::size_t(letters) != text->size();
      result_ = labels_of(*text, letters + (has_dots ? most_dots_ : 0));
    } else {
      result_ = dots;
      for (int letter = 0; letter < 256; ++letter)
        if (counts[std::size_t(letter)] == 1) result_.push_back(letter);
    }
    for (std::size_t i = 0; i < result_.size(); ++i) {
      if (place_of(result_, result_[i]) != i) c_.refuse("its equation names an axis of the result twice");
      if (std::ranges::none_of(terms_, [&](const EinsumTerm& term) { return has_label(term.labels, result_[i]); }))
        c_.refuse("its equation names an axis of the result that no operand has");
    }
  }

  /// A letter that occurs twice stands for the elements where both axes have the same index: every n + 1-th of n * n.
  EinsumTerm diagonal(EinsumTerm term) {
    given_labels_.push_back(term);
    for (std::size_t first = 0; first < term.labels.size(); ++first) {
      const auto again =
          std::find(term.labels.begin() + std::ptrdiff_t(first) + 1, term.labels.end(), term.labels[first]);
      if (again == term.labels.end()) continue;
      const auto second = std::size_t(again - term.labels.begin());
      const OnnxIntegers& dims = c_.dims(term.tensor);
      const std::int64_t size = dims[first];
      if (dims[second] != size) c_.refuse("its equation has one letter for axes of different sizes");
      std::vector<std::uint32_t> order;
      EinsumLabels labels;
      OnnxIntegers flat;
      for (std::size_t i = 0; i < dims.size(); ++i)
        if (i != first && i != second) {
          order.push_back(std::uint32_t(i));
          labels.push_back(term.labels[i]);
          flat.push_back(dims[i]);
        }
      order.insert(order.end(), {std::uint32_t(first), std::uint32_t(second)});
      labels.push_back(term.labels[first]);
      flat.push_back(size * size);
      IntegerList strides(flat.size(), 1);
      strides.back() = size + 1;
      const TensorId rows = c_.reshape(c_.transpose(term.tensor, order), flat);
      term.tensor = parts::sliced(c_, rows, OnnxIntegers(flat.size(), 0), flat, strides);
      term.labels = labels;
      return diagonal_again(std::move(term));
    }
    return term;
  }

  EinsumTerm diagonal_again(EinsumTerm term) {
    EinsumTerm result = diagonal(std::move(term));
    given_labels_.pop_back();
    return result;
  }

  EinsumTerm summed(EinsumTerm term, const IsNeeded& is_needed) {
    IntegerList axes;
    EinsumLabels kept;
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
      if (is_needed(term.labels[i]))
        kept.push_back(term.labels[i]);
      else
        axes.push_back(std::int64_t(i));
    }
    if (axes.empty()) return term;
    return {kept, sum_over(term.tensor, axes)};
  }

  TensorId sum_over(TensorId tensor, const IntegerList& axes) {
    return c_.make("reduceSum"_op, {tensor}, {{"axes", axes}});
  }

  EinsumTerm ordered(const EinsumTerm& term, const EinsumLabels& labels) {
    std::vector<std::uint32_t> permutation;
    for (const int label : labels) permutation.push_back(std::uint32_t(place_of(term.labels, label)));
    return {labels, c_.transpose(term.tensor, permutation)};
  }

  std::int64_t size_of(const EinsumTerm& term, int label) const {
    return c_.dims(term.tensor)[place_of(term.labels, label)];
  }

  /// Without axes of size 1 that are longer in the other term.
  EinsumTerm without_broadcast(const EinsumTerm& term, const EinsumTerm& other) {
    EinsumLabels kept;
    OnnxIntegers dims;
    for (const int label : term.labels) {
      const std::int64_t size = size_of(term, label);
      if (has_label(other.labels, label)) {
        const std::int64_t other_size = size_of(other, label);
        if (size == 1 && other_size != 1) continue;
        if (size != other_size && other_size != 1) c_.refuse("its equation has one letter for axes of different sizes");
      }
      kept.push_back(label);
      dims.push_back(size);
    }
    return {kept, c_.reshape(term.tensor, dims)};
  }

  EinsumTerm multiply(EinsumTerm a, EinsumTerm b, const IsNeeded& is_needed) {
    EinsumTerm narrow_a = without_broadcast(a, b);
    b = without_broadcast(b, a);
    a = std::move(narrow_a);
    a = summed(std::move(a), [&](int label) { return is_needed(label) || has_label(b.labels, label); });
    b = summed(std::move(b), [&](int label) { return is_needed(label) || has_label(a.labels, label); });
    EinsumLabels batch, inner, rows, columns;
    for (const int label : a.labels) {
      if (!has_label(b.labels, label))
        rows.push_back(label);
      else
        (is_needed(label) ? batch : inner).push_back(label);
    }
    for (const int label : b.labels)
      if (!has_label(a.labels, label)) columns.push_back(label);

    const auto joined = [](EinsumLabels first, const EinsumLabels& second, const EinsumLabels& third) {
      first.insert(first.end(), second.begin(), second.end());
      first.insert(first.end(), third.begin(), third.end());
      return first;
    };
    const auto product_of = [&](const EinsumTerm& term, const EinsumLabels& labels) {
      std::int64_t product = 1;
      for (const int label : labels) product *= size_of(term, label);
      return product;
    };
    const auto append_sizes = [&](OnnxIntegers& dims, const EinsumTerm& term, const EinsumLabels& labels) {
      for (const int label : labels) dims.push_back(size_of(term, label));
    };
    OnnxIntegers batch_sizes;
    append_sizes(batch_sizes, a, batch);
    OnnxIntegers dims = batch_sizes;
    append_sizes(dims, a, rows);
    append_sizes(dims, b, columns);
    const EinsumLabels labels = joined(batch, rows, columns);

    if (inner.empty()) {  // no sums: axes of size 1 make room for those of the other
      OnnxIntegers a_dims = batch_sizes, b_dims = batch_sizes;
      append_sizes(a_dims, a, rows);
      a_dims.resize(dims.size(), 1);
      b_dims.resize(batch.size() + rows.size(), 1);
      append_sizes(b_dims, b, columns);
      const TensorId left = c_.reshape(ordered(a, joined(batch, rows, {})).tensor, a_dims);
      const TensorId right = c_.reshape(ordered(b, joined(batch, columns, {})).tensor, b_dims);
      const TensorId product = c_.make("mul"_op, {left, right});
      return {labels, product};
    }
    OnnxIntegers a_dims = batch_sizes, b_dims = batch_sizes;
    a_dims.insert(a_dims.end(), {product_of(a, rows), product_of(a, inner)});
    b_dims.insert(b_dims.end(), {product_of(a, inner), product_of(b, columns)});
    const TensorId left = c_.reshape(ordered(a, joined(batch, rows, inner)).tensor, a_dims);
    const TensorId right = c_.reshape(ordered(b, joined(batch, inner, columns)).tensor, b_dims);
    return {labels, c_.reshape(import_matmul(c_, left, right), dims)};
  }

  ImportCall& c_;
  std::vector<EinsumTerm> terms_, given_labels_;
  EinsumLabels result_;
  std::int64_t most_dots_ = 0;
};

}  // namespace

void read_einsum(ImportCall& c) { c.finish(Einsum(c).result()); }

}  // namespace webnn::compiler
