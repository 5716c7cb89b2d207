// A result in several steps, each written as text: what is used more than once gets a name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

class ImportFormula {
 public:
  /// ?x stands for the tensor.
  ImportFormula(ImportCall& c, TensorId x) : c_(c) { words_.emplace_back("x", x); }

  /// Numbers in the text get the first tensor's type.
  TensorId operator()(std::string_view text) { return c_.expression(text, words_); }
  /// A name may be given anew.
  void let(std::string_view name, ImportCall::Word value) {
    for (auto& [known, word] : words_)
      if (known == name) {
        word = value;
        return;
      }
    words_.emplace_back(name, value);
  }
  void let(std::string_view name, std::string_view text) { let(name, ImportCall::Word((*this)(text))); }
  /// A polynomial in another name, the highest coefficient first.
  void let_polynomial(std::string_view name, std::string_view in, std::initializer_list<double> coefficients) {
    const TensorId z = std::get<TensorId>(word(in)), like = std::get<TensorId>(words_[0].second);
    TensorId sum = c_.scalar_like(like, *coefficients.begin());
    for (auto at = coefficients.begin() + 1; at != coefficients.end(); ++at)
      sum = c_.make("add"_op, {c_.make("mul"_op, {sum, z}), c_.scalar_like(like, *at)});
    let(name, ImportCall::Word(sum));
  }

 private:
  const ImportCall::Word& word(std::string_view name) const {
    for (const auto& [known, value] : words_)
      if (known == name) return value;
    return words_[0].second;
  }

  ImportCall& c_;
  std::vector<std::pair<std::string_view, ImportCall::Word>> words_;
};

}  // namespace webnn::compiler
