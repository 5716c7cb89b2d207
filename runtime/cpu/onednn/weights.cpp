#include "runtime/cpu/onednn/weights.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::memory;

constexpr std::int64_t largest_block = 256;
constexpr std::string_view prefix = "onednn:";

const dnnl_blocking_desc_t& blocking(const memory::desc& desc) { return desc.data.format_desc.blocking; }

/// The number of elements of one block along `axis`, over all levels of blocking.
std::int64_t block_size(const memory::desc& desc, int axis) {
  std::int64_t size = 1;
  for (int i = 0; i < blocking(desc).inner_nblks; ++i)
    if (blocking(desc).inner_idxs[i] == axis) size *= blocking(desc).inner_blks[i];
  return size;
}

/// "Acdb16a"; axes with the same stride (of size 1) keep their own order.
std::string order_text(const memory::desc& desc) {
  const dnnl_blocking_desc_t& blocks = blocking(desc);
  std::vector<int> axes(std::size_t(desc.data.ndims));
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::stable_sort(axes, [&](int a, int b) { return blocks.strides[a] > blocks.strides[b]; });
  std::string text;
  for (const int axis : axes) text += char((block_size(desc, axis) > 1 ? 'A' : 'a') + axis);
  for (int i = 0; i < blocks.inner_nblks; ++i)
    text += std::to_string(blocks.inner_blks[i]) + char('a' + blocks.inner_idxs[i]);
  return text;
}

/// "onednn:64x32x3x3:abcd>", the beginning of the names of all forms of `source`.
std::string name_start(const memory::desc& source) {
  std::string text(prefix);
  for (int i = 0; i < source.data.ndims; ++i) text += (i ? "x" : "") + std::to_string(source.data.dims[i]);
  return text + ":" + order_text(source) + ">";
}

/// The inverse of `order_text` for the sizes of `source`; nullopt when the text does not order all axes.
std::optional<memory::desc> parse_order(std::string_view text, const memory::desc& source) {
  memory::desc desc = source;
  const int rank = source.data.ndims;
  dnnl_blocking_desc_t& blocks = desc.data.format_desc.blocking;
  if (text.size() < std::size_t(rank)) return std::nullopt;
  const std::string_view axes = text.substr(0, std::size_t(rank));
  text.remove_prefix(std::size_t(rank));

  blocks.inner_nblks = 0;
  std::int64_t step = 1;
  while (!text.empty()) {
    std::int64_t size = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (problem != std::errc() || end == text.data() + text.size()) return std::nullopt;
    const int axis = *end - 'a';
    if (size < 2 || size > largest_block || axis < 0 || axis >= rank || blocks.inner_nblks == DNNL_MAX_NDIMS)
      return std::nullopt;
    blocks.inner_blks[blocks.inner_nblks] = size;
    blocks.inner_idxs[blocks.inner_nblks++] = axis;
    step *= size;
    if (step > largest_block * largest_block) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()) + 1);
  }

  unsigned seen = 0;
  for (int i = rank; i-- > 0;) {
    const int axis = std::tolower(static_cast<unsigned char>(axes[std::size_t(i)])) - 'a';
    if (axis < 0 || axis >= rank || (seen >> axis) & 1u) return std::nullopt;
    seen |= 1u << axis;
    const std::int64_t block = block_size(desc, axis);
    const std::int64_t count = div_up(source.data.dims[axis], block);
    blocks.strides[axis] = step;
    desc.data.padded_dims[axis] = count * block;
    if (__builtin_mul_overflow(step, count, &step) || step > std::int64_t(max_tensor_bytes)) return std::nullopt;
  }
  return desc;
}

/// Reorders `from` into `to` now.
void reorder(const memory& from, const memory& to) {
  dnnl::stream stream(engine());
  memory source = from, target = to;
  dnnl::reorder(source, target).execute(stream, source, target);
}

/// Elements that `from` has, in the order `to`; its padding is zeros.
AlignedBytes reordered(const memory& from, const memory::desc& to) {
  AlignedBytes bytes = AlignedBytes::unwritten(to.get_size());  // padding is written, too
  reorder(from, memory(to, engine(), bytes.data()));
  return bytes;
}

/// A view of constant bytes.
memory view(const memory::desc& desc, std::span<const std::byte> bytes) {
  return {desc, engine(), const_cast<std::byte*>(bytes.data())};
}

void check_size(const memory::desc& desc, std::span<const std::byte> bytes, std::string_view name) {
  if (bytes.size() != desc.get_size())
    throw Error(ExitCode::program, "weights in the form " + in_quotes(name) + " have " + std::to_string(bytes.size()) +
                                       " bytes instead of " + std::to_string(desc.get_size()));
}

}  // namespace

bool same_order(const memory::desc& a, const memory::desc& b) {
  const auto &x = a.data, &y = b.data;
  const dnnl_blocking_desc_t &p = blocking(a), &q = blocking(b);
  if (x.ndims != y.ndims || x.format_kind != dnnl_blocked || y.format_kind != dnnl_blocked || x.offset0 != y.offset0 ||
      x.extra.flags != y.extra.flags || p.inner_nblks != q.inner_nblks)
    return false;
  if (!std::equal(p.inner_blks, p.inner_blks + p.inner_nblks, q.inner_blks) ||
      !std::equal(p.inner_idxs, p.inner_idxs + p.inner_nblks, q.inner_idxs))
    return false;
  for (int i = 0; i < x.ndims; ++i) {
    if (x.dims[i] != y.dims[i] || x.padded_dims[i] != y.padded_dims[i]) return false;
    if (x.padded_dims[i] / block_size(a, i) != 1 && p.strides[i] != q.strides[i]) return false;
  }
  return true;
}

std::optional<std::string> form_name(const memory::desc& source, const memory::desc& packed) {
  if (packed.data.format_kind != dnnl_blocked) return std::nullopt;
  const std::string order = order_text(packed);
  const auto read_back = parse_order(order, source);
  if (!read_back || !same_order(*read_back, packed)) return std::nullopt;
  return name_start(source) + order;
}

memory::desc parse_form(std::string_view name, const memory::desc& source) {
  const std::string start = name_start(source);
  const auto desc = name.starts_with(start) ? parse_order(name.substr(start.size()), source) : std::nullopt;
  if (!desc)
    throw Error(ExitCode::program,
                "the form of packed weights is " + in_quotes(name) + ", expected one that begins " + in_quotes(start));
  return *desc;
}

std::optional<PackedConstant> pack_weights(const memory::desc& from, const memory::desc& to,
                                           std::span<const std::byte> bytes) {
  if (same_order(from, to)) return std::nullopt;
  auto name = form_name(from, to);
  if (!name) return std::nullopt;
  return PackedConstant{*std::move(name), reordered(view(from, bytes), to).take()};
}

AlignedBytes unpack_weights(std::string_view form, const memory::desc& source, std::span<const std::byte> bytes) {
  const memory::desc given = form.empty() ? source : parse_form(form, source);
  check_size(given, bytes, form.empty() ? "row-major" : form);
  return reordered(view(given, bytes), source);
}

Weights::Weights(const KernelSpec& spec, std::size_t operand, std::span<const std::byte> constant,
                 const memory::desc& source, const memory::desc& wanted, ScratchLayout& scratch)
    : wanted_(wanted), operand_(operand) {
  const std::string_view form = spec.input_form(operand);
  const memory::desc given = form.empty() ? source : parse_form(form, source);
  if (!form.empty() || !constant.empty()) check_size(given, constant, form.empty() ? "row-major" : form);
  if (same_order(given, wanted)) return;
  if (!constant.empty()) {
    own_ = std::make_shared<const AlignedBytes>(reordered(view(given, constant), wanted));
    return;
  }
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::reorder::primitive_desc described(engine(), given, engine(), wanted, attributes);
  reorder_ = std::make_shared<Execution>(dnnl::reorder(described), described.scratchpad_desc());
  scratchpad_at_ = scratch.add(reorder_->scratchpad_bytes());
  place_ = scratch.add(wanted.get_size());
  reorder_->bind_input(DNNL_ARG_FROM, given, operand);
  reorder_->bind_scratch(DNNL_ARG_TO, wanted, place_);
}

void Weights::bind(Execution& execution, const memory::desc& part, std::size_t from) const {
  if (own_)
    execution.bind(DNNL_ARG_WEIGHTS, memory(wanted_, engine(), const_cast<std::byte*>(own_->data())));
  else if (reorder_)
    execution.bind_scratch(DNNL_ARG_WEIGHTS, wanted_, place_);
  else
    execution.bind_input(DNNL_ARG_WEIGHTS, part, operand_, from);
}

void Weights::bring(const KernelArguments& arguments) const {
  if (reorder_) reorder_->run(arguments, arguments.scratch + scratchpad_at_);
}

}  // namespace webnn::runtime::onednn
