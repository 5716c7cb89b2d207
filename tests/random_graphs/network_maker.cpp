#include "tests/random_graphs/network_maker.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "api/oracle/evaluate.hpp"
#include "cli/compare/subgraph.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/harness/random/seed_of_bytes.hpp"

namespace webnn::tests {

using namespace webnn::compiler;

void Draft::set(std::string_view name, AttributeValue value) {
  const int index = row(op).attribute_index(name);
  if (index < 0) throw std::runtime_error(std::string(row(op).name) + " has no attribute " + std::string(name));
  attributes[std::size_t(index)] = std::move(value);
}

void Draft::set_list(std::string_view name, const std::vector<std::uint32_t>& list) {
  set(name, IntegerList(list.begin(), list.end()));
}

ValueId Draft::first(NetworkMaker& maker) {
  if (inputs.empty()) inputs.push_back(maker.value_for(op));
  return inputs[0];
}

NetworkMaker::NetworkMaker(std::uint32_t seed, const NetworkOptions& options)
    : options_(options), engine_(seed), most_elements_(options.small ? 2048 : 4096) {
  network_.specials = chance(4);
  if (!options.small && chance(8)) most_elements_ = 30000;
}

// ---- chance

std::uint32_t NetworkMaker::size() {
  static constexpr std::array<std::uint32_t, 14> primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 53};
  static constexpr std::array<std::uint32_t, 6> large_primes = {61, 97, 127, 193, 257, 293};
  switch (below(12)) {
    case 0:
      return 16 * (1 + below(6));
    case 1:
      return any_of(large_primes);
    case 2:
      return 1 + below(300);
    case 3:
    case 4:
    case 5:
    case 6:
      return any_of(primes);
    default:
      return 1 + below(6);
  }
}

Shape NetworkMaker::shape(unsigned rank) {
  Shape shape;
  for (unsigned i = 0; i < rank; ++i) shape.push_back(size());
  while (element_count(shape) > most_elements_) {
    const auto largest = unsigned(std::max_element(shape.begin(), shape.end()) - shape.begin());
    shape[largest] = 1 + below(shape[largest] - 1);
  }
  return shape;
}

std::vector<std::uint32_t> NetworkMaker::permutation(unsigned count) {
  std::vector<std::uint32_t> list(count);
  std::iota(list.begin(), list.end(), 0u);
  // std::shuffle gives other orders in other libraries.
  for (unsigned left = count; left > 1; --left) std::swap(list[left - 1], list[below(left)]);
  return list;
}

std::vector<std::uint32_t> NetworkMaker::some_axes(unsigned of_rank) {
  std::vector<std::uint32_t> axes = permutation(of_rank);
  axes.resize(of_rank == 0 ? 0 : below(of_rank + 1));
  return axes;
}

Shape NetworkMaker::broadcastable(const Shape& shape) {
  Shape part;
  for (unsigned i = chance(3) ? below(shape.rank() + 1) : 0; i < shape.rank(); ++i)
    part.push_back(chance(3) ? 1 : shape[i]);
  return part;
}

// ---- operands

ValueId NetworkMaker::value(DataTypes types, unsigned least_rank, unsigned most_rank) {
  std::vector<DataType> allowed;
  for (std::size_t i = 0; i < data_type_count; ++i)
    if (types.contains(DataType(i))) allowed.push_back(DataType(i));
  const DataType chosen = any_of(allowed);
  const bool any_type = chance(4);  // else those that there are, or float32
  if (any_type) types = chosen;
  std::vector<ValueId> candidates;
  for (std::uint32_t i = 0; i < network_.graph.value_count(); ++i) {
    const OperandDescriptor& there = descriptor({i});
    if (values_[i] && types.contains(there.type) && there.shape.rank() >= least_rank && there.shape.rank() <= most_rank)
      candidates.push_back({i});
  }
  if (!candidates.empty() && !chance(6)) {
    const auto count = std::uint32_t(candidates.size());
    return candidates[chance(3) ? below(count) : count - 1 - below(std::min(count, 3u))];
  }
  const DataType type = types.contains(DataType::float32) ? DataType::float32 : any_of(allowed);
  return fresh({any_type ? chosen : type, shape(least_rank + below(most_rank - least_rank + 1))}, Domain::any, 0);
}

ValueId NetworkMaker::value_for(OperatorId op, std::size_t place) {
  const OperandRow& operand = row(op).operands[place];
  // One after the other: compilers differ in the order of arguments.
  const unsigned most_rank = std::min<unsigned>(operand.max_rank, chance(10) ? 8 : 5);
  const unsigned least_rank = std::max<unsigned>(operand.min_rank, chance(8) ? 0 : 1);
  return value(operand.types, least_rank, most_rank);
}

ValueId NetworkMaker::like(DataType type, const Shape& shape, Domain domain, std::uint32_t limit) {
  if (domain == Domain::any && chance(2)) {
    std::vector<ValueId> candidates;
    for (std::uint32_t i = 0; i < network_.graph.value_count(); ++i)
      if (values_[i] && descriptor({i}) == OperandDescriptor{type, shape}) candidates.push_back({i});
    if (!candidates.empty()) return any_of(candidates);
  }
  return fresh({type, shape}, domain, limit);
}

ValueId NetworkMaker::maybe_like(DataType type, const Shape& shape, Domain domain) {
  return chance(3) ? ValueId{} : like(type, shape, domain);
}

ValueId NetworkMaker::fresh(const OperandDescriptor& made, Domain domain, std::uint32_t limit) {
  TestTensor tensor = elements(made, domain, limit);
  const bool constant = domain == Domain::any ? chance(3) : !chance(4);
  ValueId id;
  if (constant) {
    id = network_.graph.add_constant("c", made, Bytes(tensor.data));
  } else {
    id = network_.graph.add_input("in", made);
  }
  values_.resize(network_.graph.value_count());
  values_[id.index] = std::move(tensor);
  return id;
}

Number NetworkMaker::element(DataType type, Domain domain, std::uint32_t limit, double magnitude) {
  if (domain == Domain::indices) {
    if (chance(40) && bits_of(type) > 8)
      return Number(std::int64_t(below(3 * limit)) - (is_signed(type) ? std::int64_t(limit) : 0));
    return Number(std::int64_t(below(limit)));
  }
  if (!is_float(type)) {
    const unsigned bits = bits_of(type);
    if (domain == Domain::positive) return Number(std::int64_t(1 + below(7)));
    if (bits <= 8) return Number(std::int64_t(below(1u << bits)) - (is_signed(type) ? 1 << (bits - 1) : 0));
    const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
    if (network_.specials && chance(30)) return Number(is_signed(type) ? least : -1);
    return Number(std::int64_t(below(200)) - (is_signed(type) ? 100 : 0));
  }
  if (network_.specials && chance(25)) {
    const bool half = type == DataType::float16;
    const std::array<double, 8> specials = {
        not_a_number,         infinity, -infinity, 0.0, -0.0, half ? 65504 : 3.4028234663852886e38, half ? 6e-8 : 1e-42,
        half ? -6e-8 : -1e-42};
    return Number(any_of(specials));
  }
  const double unit = double(engine_() & 0xffffff) / double(0x1000000);
  if (domain == Domain::positive) return Number(magnitude * (0.1 + unit));
  return Number(magnitude * (2 * unit - 1));
}

TestTensor NetworkMaker::elements(const OperandDescriptor& made, Domain domain, std::uint32_t limit) {
  static constexpr std::array<double, 6> magnitudes = {1, 2, 2, 0.5, 8, 0.1};
  double magnitude = any_of(magnitudes);
  if (domain == Domain::weights) magnitude = 0.5;
  const bool coarse = chance(3);  // multiples of 1/8: ties, equal elements, exact sums
  TestTensor tensor{made, std::vector<std::byte>(byte_length(made))};
  for (std::size_t i = 0; i < element_count(made.shape); ++i) {
    Number number = element(made.type, domain, limit, magnitude);
    if (coarse && is_float(made.type) && number.is_finite() && std::abs(number.as_double()) < 100)
      number = Number((std::round(number.as_double() * 8) + (domain == Domain::positive ? 1 : 0)) / 8);
    store_element(number, made.type, tensor.data.data(), i);
  }
  return tensor;
}

void NetworkMaker::draw(Draft& draft, std::string_view attribute) {
  const auto index = std::size_t(row(draft.op).attribute_index(attribute));
  const OperandDescriptor first = draft.inputs[0].valid() ? descriptor(draft.inputs[0]) : OperandDescriptor{};
  draft.attributes[index] = random_attribute(engine_, row(draft.op).attributes[index], first);
}

// ---- nodes

bool NetworkMaker::is_worth_looking_at(const TestTensor& result) {
  if (element_count(result.descriptor.shape) > most_elements_ * 2) return false;
  if (!is_float(result.descriptor.type) || chance(10)) return true;
  const double most = result.descriptor.type == DataType::float16 ? 3e4 : 1e6;
  std::size_t odd = 0;
  const std::size_t count = element_count(result.descriptor.shape);
  for (std::size_t i = 0; i < count; ++i)
    odd += !(std::abs(load_element(result.descriptor.type, result.data.data(), i).as_double()) < most);
  return odd * (network_.specials ? 2 : 10) <= count;
}

NodeId NetworkMaker::add(Draft draft) {
  Graph& graph = network_.graph;
  const NodeId id = graph.add_node(draft.op, std::move(draft.inputs), std::move(draft.attributes), {}, "");
  if (!id.valid()) return id;
  const KernelSpec spec = graph.spec(id);
  const Node& node = graph.node(id);
  values_.resize(graph.value_count());
  std::vector<TestTensor> results;
  for (const ValueId output : node.outputs) {
    const OperandDescriptor& made = descriptor(output);
    if (element_count(made.shape) > 2 * most_elements_) return graph.erase(id), NodeId{};
    results.push_back({made, std::vector<std::byte>(byte_length(made))});
  }
  std::vector<std::span<const std::byte>> operands;
  for (const ValueId input : node.inputs)
    operands.push_back(input.valid() ? std::span<const std::byte>(values_[input.index]->data)
                                     : std::span<const std::byte>());
  std::vector<std::span<std::byte>> outputs;
  for (TestTensor& result : results) outputs.emplace_back(result.data);
  api::run_once(api::find_reference_kernel(spec), spec, operands, outputs);
  if (!std::ranges::all_of(results, [&](const TestTensor& result) { return is_worth_looking_at(result); })) {
    graph.erase(id);
    return {};
  }
  for (std::size_t i = 0; i < results.size(); ++i) values_[node.outputs[i].index] = std::move(results[i]);
  ++nodes_;
  return id;
}

bool NetworkMaker::add_any_node() {
  // Half of the operators are those of which networks are made.
  static constexpr std::array<OperatorId, 20> common = {
      "conv2d"_op, "conv2d"_op,     "matmul"_op,  "gemm"_op,   "add"_op,     "mul"_op,          "sub"_op,
      "relu"_op,   "sigmoid"_op,    "clamp"_op,   "concat"_op, "reshape"_op, "split"_op,        "transpose"_op,
      "tanh"_op,   "reduceMean"_op, "softmax"_op, "slice"_op,  "cast"_op,    "averagePool2d"_op};
  const OperatorId op = chance(2) ? any_of(common) : OperatorId{std::uint16_t(below(operator_count))};
  return add(draft_call(*this, op)).valid();
}

namespace {

/// The patterns of all rewrites: what the compiler looks for shall be there.
const std::vector<Pattern>& motifs() {
  static const std::vector<Pattern> patterns = [] {
    std::vector<Pattern> all;
    for (const auto rows : {simplify_rewrites(), decompose_rewrites(), recognise_rewrites(), attention_rewrites(),
                            reductions_rewrites(), sink_transposes_rewrites(), quantize_rewrites(),
                            fold_into_rewrites(), divide_concats_rewrites(), block_quantize_rewrites()})
      for (const Rewrite& rewrite : rows)
        for (const std::string& form : forms_of(rewrite.pattern)) {
          std::string error;
          if (auto pattern = parse_pattern(form, error)) all.push_back(std::move(*pattern));
        }
    return all;
  }();
  return patterns;
}

bool names_internal(const Pattern& pattern) {
  return (pattern.op && row(*pattern.op).internal()) || std::ranges::any_of(pattern.operands, names_internal);
}

}  // namespace

/// A result that is used by one operator and, next to it, by another one: f(g(x), h(g(x))).
bool NetworkMaker::add_diamond() {
  static constexpr std::array<OperatorId, 8> unaries = {"sigmoid"_op, "tanh"_op,     "abs"_op,    "relu"_op,
                                                        "neg"_op,     "softplus"_op, "linear"_op, "hardSwish"_op};
  static constexpr std::array<OperatorId, 5> binaries = {"sub"_op, "mul"_op, "add"_op, "max"_op, "min"_op};
  const auto apply = [&](OperatorId op, std::vector<ValueId> inputs) {
    const NodeId id = add({op, std::move(inputs), Attributes(row(op).attributes.size())});
    return id.valid() ? network_.graph.node(id).outputs[0] : ValueId{};
  };
  const ValueId x = value({DataType::float32, DataType::float16});
  const ValueId shared = apply(any_of(unaries), {x});
  const ValueId other = shared.valid() ? apply(any_of(unaries), {shared}) : ValueId{};
  return other.valid() && apply(any_of(binaries), {shared, other}).valid();
}

bool NetworkMaker::add_motif() {
  if (chance(3)) return add_diamond();
  const Pattern& pattern = any_of(motifs());
  Captures captures;
  return !names_internal(pattern) && motif_value(pattern, captures).valid();
}

ValueId NetworkMaker::scalar(DataType type, double number) {
  const OperandDescriptor made{type, Shape{}};
  TestTensor tensor{made, std::vector<std::byte>(byte_length(made))};
  store_element(Number(number), type, tensor.data.data(), 0);
  const ValueId id = network_.graph.add_constant("c", made, Bytes(tensor.data));
  values_.resize(network_.graph.value_count());
  values_[id.index] = std::move(tensor);
  return id;
}

/// A value that the pattern may match: its calls are drafted as any others, and then given the pattern's operands.
/// Invalid when these do not fit together.
ValueId NetworkMaker::motif_value(const Pattern& pattern, Captures& captures) {
  if (const auto known = captures.find(pattern.capture); known != captures.end()) return known->second;
  std::vector<OperatorId> members;
  if (pattern.op) members = {*pattern.op};
  for (std::uint16_t i = 0; i < operator_count && !pattern.op; ++i)
    if (row(OperatorId{i}).family == pattern.family) members.push_back({i});
  const auto operand_value = [&](const Pattern& operand, ValueId drafted) -> ValueId {
    const DataType type = drafted.valid() ? type_of(drafted) : DataType::float32;
    switch (operand.kind) {
      case Pattern::Kind::absent:
        return {};
      case Pattern::Kind::literal:
        return scalar(type, std::stod(operand.literal));
      case Pattern::Kind::call:
        return motif_value(operand, captures);
      case Pattern::Kind::value:
      case Pattern::Kind::constant:
      case Pattern::Kind::optional:
        if (operand.capture.empty()) return drafted;
        return captures.try_emplace(operand.capture, drafted).first->second;
    }
    return {};
  };
  const bool starts_with_call = !pattern.operands.empty() && pattern.operands[0].kind == Pattern::Kind::call;
  const ValueId first = starts_with_call ? motif_value(pattern.operands[0], captures) : ValueId{};
  if (starts_with_call && !first.valid()) return {};
  Draft draft = draft_call(*this, any_of(members), first);
  for (std::size_t i = starts_with_call ? 1 : 0; i < draft.inputs.size() && i < pattern.operands.size(); ++i)
    draft.inputs[i] = operand_value(pattern.operands[i], draft.inputs[i]);
  for (const auto& attribute : pattern.attributes)
    if (attribute.capture.empty()) draft.attributes[attribute.index] = attribute.value;
  const NodeId id = add(std::move(draft));
  if (!id.valid()) return {};
  const ValueId result = network_.graph.node(id).outputs[0];
  if (!pattern.capture.empty()) captures.emplace(pattern.capture, result);
  return result;
}

void NetworkMaker::finish() {
  const Graph& graph = network_.graph;
  const std::vector<NodeId> order = graph.order();
  std::vector<ValueId> outputs;
  for (const NodeId id : order)
    for (const ValueId result : graph.node(id).outputs)
      if (graph.use_count(result) == 0 || chance(6)) outputs.push_back(result);
  cli::Subgraph part = cli::part_of(graph, order, outputs);
  for (std::size_t i = 0; i < part.inputs.size(); ++i)
    network_.inputs.emplace_back(part.graph.value(part.graph.inputs()[i]).name, *values_[part.inputs[i].index]);
  network_.graph = std::move(part.graph);
}

bool NetworkMaker::attempt_nodes() { return chance(8) ? add_motif() : add_any_node(); }

Network NetworkMaker::run() {
  network_.graph.name = "random";
  const std::uint32_t wanted = 2 + (options_.small ? below(11) : chance(3) ? below(39) : below(12));
  for (unsigned attempt = 0; nodes_ < wanted && attempt < wanted * 20; ++attempt) attempt_nodes();
  finish();
  return std::move(network_);
}

Network NetworkMaker::run(const std::vector<std::uint32_t>& seeds) {
  network_.graph.name = "random";
  for (const std::uint32_t seed : seeds) {
    engine_.seed(seed);
    for (int attempt = 0; attempt < 20 && !attempt_nodes(); ++attempt) {
    }
  }
  finish();
  return std::move(network_);
}

Network random_network(std::uint32_t seed, const NetworkOptions& options) { return NetworkMaker(seed, options).run(); }

Network network_of_bytes(std::string_view bytes) {
  constexpr std::size_t most_nodes = 12, least_length = 2;
  const std::size_t length = std::max(least_length, (bytes.size() + most_nodes - 1) / most_nodes);
  std::vector<std::uint32_t> seeds;
  for (std::size_t at = 0; at < bytes.size(); at += length) seeds.push_back(seed_of_bytes(bytes.substr(at, length)));
  return NetworkMaker(bytes.empty() ? 0 : seeds[0], {.small = true}).run(seeds);
}

}  // namespace webnn::tests
