// Constant weights in the order that a primitive wants, and the names of their forms.
//
// A name describes the complete order of bytes in oneDNN's notation:
//   "onednn:64x32x3x3:abcd>Acdb16a"   a filter of 64x32x3x3 that was row-major (abcd: the last letter varies fastest);
//                                     now the axes are in the order a c d b, with innermost blocks of 16 along axis a
// A capital letter marks an axis that is divided into blocks; an axis that is not a multiple of the block size is
// padded with zeros.
#pragma once

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/kernel.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::runtime::onednn {

/// The name of the form; nullopt for an order without a name.
std::optional<std::string> form_name(const dnnl::memory::desc& source, const dnnl::memory::desc& packed);
/// The order named `name`, for weights that are `source` when row-major. Throws Error(program) when it is not such a
/// name.
dnnl::memory::desc parse_form(std::string_view name, const dnnl::memory::desc& source);
/// Whether both place equal elements at equal addresses.
bool same_order(const dnnl::memory::desc& a, const dnnl::memory::desc& b);

/// Reorders `bytes` from the order `from`. Nullopt when `to` is the same order or has no name.
std::optional<PackedConstant> pack_weights(const dnnl::memory::desc& from, const dnnl::memory::desc& to,
                                           std::span<const std::byte> bytes);

/// The inverse: the weights of a constant in the form `form`, row-major as `source` describes them.
schema::AlignedBytes unpack_weights(std::string_view form, const dnnl::memory::desc& source,
                                    std::span<const std::byte> bytes);

/// The weights of a call in the order that its primitives want.
class Weights {
 public:
  /// For operand `operand`, which is `source` when row-major. It is used as it is, reordered now (a constant), or
  /// reordered by `bring` before each run (all others).
  Weights(const KernelSpec& spec, std::size_t operand, std::span<const std::byte> constant,
          const dnnl::memory::desc& source, const dnnl::memory::desc& wanted, ScratchLayout& scratch);

  void bind(Execution& execution) const { bind(execution, wanted_, 0); }
  /// Binds a part of the weights, from byte `from` of the operand on. The weights must be used as they are or as a
  /// whole.
  void bind(Execution& execution, const dnnl::memory::desc& part, std::size_t from) const;
  /// Reorders them before a run, if necessary.
  void bring(const KernelArguments& arguments) const;

 private:
  dnnl::memory::desc wanted_;
  std::size_t operand_;
  std::shared_ptr<const schema::AlignedBytes> own_;
  std::shared_ptr<Execution> reorder_;
  std::size_t place_ = 0, scratchpad_at_ = 0;  // offsets in scratch memory
};

}  // namespace webnn::runtime::onednn
