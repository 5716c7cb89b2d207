// Constant weights in the order that a primitive wants, and the names of such orders.
//
// A name tells the whole order of bytes, by oneDNN's own way of writing it:
//   "onednn:64x32x3x3:abcd>Acdb16a"   a filter of 64x32x3x3 that was row-major (abcd: the last letter varies fastest);
//                                     now the axes come in the order a c d b, and innermost are blocks of 16 of axis a
// A capital letter marks an axis that is divided into blocks; an axis that its blocks do not divide is padded with
// zeros.
#pragma once

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

/// Nullopt for an order that cannot be written so.
std::optional<std::string> form_name(const dnnl::memory::desc& source, const dnnl::memory::desc& packed);
/// The order that `name` tells for weights that are `source` when they are row-major. Throws Error(program) when it is
/// no such name.
dnnl::memory::desc parse_form(std::string_view name, const dnnl::memory::desc& source);
/// Whether both put equal elements at equal places.
bool same_order(const dnnl::memory::desc& a, const dnnl::memory::desc& b);

/// `bytes` are in the order `from`. Nullopt when that is what `to` is, or when its name cannot be written.
std::optional<PackedConstant> pack_weights(const dnnl::memory::desc& from, const dnnl::memory::desc& to,
                                           std::span<const std::byte> bytes);

/// The weights of a call in the order that its primitives want.
class Weights {
 public:
  /// Of operand `operand`, which is `source` where it is row-major: as it is, reordered now (a constant), or reordered
  /// by `bring` (all others).
  Weights(const KernelSpec& spec, std::size_t operand, std::span<const std::byte> constant,
          const dnnl::memory::desc& source, const dnnl::memory::desc& wanted, ScratchPlan& scratch);

  void bind(Execution& execution) const { bind(execution, wanted_, 0); }
  /// A part of them, from byte `from` of the operand on, of weights that are used as they are or as a whole.
  void bind(Execution& execution, const dnnl::memory::desc& part, std::size_t from) const;
  /// Brings them in order, before a run.
  void bring(const KernelArguments& arguments) const;

 private:
  dnnl::memory::desc wanted_;
  std::size_t operand_;
  std::optional<dnnl::memory> own_;
  std::shared_ptr<Execution> reorder_;
  std::size_t place_ = 0, scratchpad_at_ = 0;  // in scratch memory
};

}  // namespace webnn::runtime::onednn
