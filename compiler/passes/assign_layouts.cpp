// assign_layouts: decides for every value of rank 4 whether it is row-major or channels-last, so that @reorder has to
// move as few bytes as possible between kernels with different preferences (a minimum cut).
//
//   conv2d that reads channels-last   the choice spreads from it over every kernel that takes both layouts
//   x : row-major, read channels-last -> @reorder, one for each value and layout; a constant is reordered right here
//   transpose between nchw and nhwc   no step at all where its nchw side is channels-last: the same bytes
//   a kernel for row-major only       another row that takes the call channels-last, where that saves reorders
//   conv2d whose operand is row-major another row that reads it so and writes channels-last (LayoutRule::to_channels_last)
//
// If measurements tell how long a call takes in each layout, the difference counts like bytes to reorder.
//
// Graph inputs and outputs are row-major, unless Options::keep_layouts allows both.
#include <algorithm>
#include <array>
#include <map>

#include "compiler/ir/free_name.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/parts/min_cut.hpp"
#include "compiler/passes/parts/planned_spec.hpp"
#include "compiler/passes/passes.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::compiler {
namespace {

/// A group of values and nodes with a common layout: a node of the cut network. The source's part is channels-last.
using Part = std::uint32_t;
constexpr Part always_channels_last = MinCut::source, always_row_major = MinCut::sink;

/// The choice of a node. `kernel` by layout; nullopt: its activations cannot have this layout.
struct Choice {
  std::optional<KernelId> row_major, channels_last;
  std::optional<KernelId> to_channels_last;  // in place of `channels_last`, if the first operand is row-major
  Part part = always_row_major;
};

class LayoutAssigner {
 public:
  explicit LayoutAssigner(Unit& unit)
      : unit_(unit),
        graph_(unit.graph),
        order_(graph_.order()),
        choices_(graph_.node_count()),
        preferences_(graph_.node_count()) {}

  void run() {
    unit_.plan.layout.assign(graph_.value_count(), Layout::row_major);
    part_of_.assign(graph_.value_count(), always_row_major);
    users_.resize(graph_.value_count());
    for (const ValueId input : graph_.inputs())
      if (unit_.options.keep_layouts && has_layouts(input)) part_of_[input.index] = network_.add_node();
    for (const NodeId id : order_) add_choice(id);
    for (const GraphOutput& output : graph_.outputs())
      if (!unit_.options.keep_layouts) users_[output.value.index].push_back(always_row_major);
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (has_layouts({i})) add_arcs({i});
    channels_last_ = network_.source_part();
    set_layouts();
    for (const NodeId id : order_) reorder_inputs(id);
    reorder_outputs();
  }

 private:
  const OperandDescriptor& descriptor(ValueId id) const { return graph_.value(id).descriptor; }
  bool has_layouts(ValueId id) const { return id.valid() && !layouts_coincide(descriptor(id).shape); }
  bool is_constant(ValueId id) const { return graph_.is_constant(id); }

  // ---- the possibilities of each node

  /// Permutations of a transpose from nchw to nhwc, or back, if the transpose is only a matter of layouts.
  static constexpr std::array<std::int64_t, 4> to_nhwc{0, 2, 3, 1}, to_nchw{0, 3, 1, 2};
  bool transposes_by(const Node& node, const std::array<std::int64_t, 4>& permutation) const {
    if (node.op != "transpose"_op || !node.post_ops.empty() || !node.attributes[0]) return false;
    const ValueId nchw = permutation == to_nhwc ? node.inputs[0] : node.outputs[0];
    return has_layouts(nchw) && std::ranges::equal(std::get<IntegerList>(*node.attributes[0]), permutation);
  }

  /// Whether the operand is read in the node's own layout; otherwise it is row-major.
  bool follows(const Node& node, const KernelSpec& spec, std::size_t input) const {
    if (transposes_by(node, to_nchw)) return false;
    return has_layouts(node.inputs[input]) && spec.is_activation(input);
  }
  bool output_follows(const Node& node, ValueId output) const {
    return has_layouts(output) && !transposes_by(node, to_nhwc);
  }

  bool is_free_transpose(const Node& node) const {
    return transposes_by(node, to_nchw) || transposes_by(node, to_nhwc);
  }

  /// Whether its row reads and writes activations in any layout. Not for a reshape, which must be a view.
  bool takes_any(NodeId id) const {
    const Node& node = graph_.node(id);
    return row(unit_.plan.kernel[id.index]).layouts == LayoutRule::any && row(node.op).family != Family::view &&
           !is_free_transpose(node);
  }

  /// The node's own row if it takes the call in this layout; for channels-last possibly another one.
  std::optional<KernelId> kernel_for(NodeId id, const KernelSpec& plain, Layout layout) const {
    const Node& node = graph_.node(id);
    const KernelId chosen = unit_.plan.kernel[id.index];
    if (is_free_transpose(node)) {
      // Channels-last it is a view of its operand. Between buffers of the caller it still runs, as a copy.
      if (layout == Layout::row_major) return chosen;
      KernelSpec copy = plain;
      copy.input_layouts = {transposes_by(node, to_nhwc) ? Layout::channels_last : Layout::row_major};
      copy.output_layouts = {transposes_by(node, to_nchw) ? Layout::channels_last : Layout::row_major};
      return choose_variant(copy, unit_.options, chosen, slowness(row(chosen), plain, unit_.options.target));
    }
    if (row(node.op).family == Family::view) return layout == Layout::row_major ? std::optional(chosen) : std::nullopt;
    const KernelSpec spec = in_layout(plain, layout);
    if (const CallPreference* preference = preferences_[id.index]) {
      const auto& preferred = layout == Layout::channels_last ? preference->channels_last : preference->row_major;
      if (preferred && may_choose(*preferred, spec, unit_.options) && takes_layouts(row(*preferred), spec))
        return preferred;
    }
    if (layout == Layout::channels_last)
      return choose_variant(spec, unit_.options, chosen, slowness(row(chosen), plain, unit_.options.target));
    return takes_layouts(row(chosen), spec) ? std::optional(chosen) : std::nullopt;
  }

  /// A row that reads the first operand row-major, is otherwise channels-last, and is not slower. None in place of a row that
  /// measurements prefer, and none for one channel, whose layouts coincide: no reorder is saved, and with few filters on
  /// large images the other kernels are faster.
  std::optional<KernelId> kernel_to_channels_last(NodeId id, const KernelSpec& plain, KernelId channels_last) const {
    const auto rows = unit_.options.kernel_table.rows_for(plain.op);
    const auto has_rule = [](const KernelRow* row) { return row->layouts == LayoutRule::to_channels_last; };
    if (std::ranges::none_of(rows, has_rule) || !follows(graph_.node(id), plain, 0)) return std::nullopt;
    if (const CallPreference* preference = preferences_[id.index];
        preference && preference->channels_last == channels_last)
      return std::nullopt;
    KernelSpec spec = in_layout(plain, Layout::channels_last);
    spec.input_layouts[0] = Layout::row_major;
    const double usual = slowness(row(channels_last), plain, unit_.options.target);
    const auto variant = choose_variant(spec, unit_.options, channels_last, usual);
    return variant && slowness(row(*variant), spec, unit_.options.target) <= usual ? variant : std::nullopt;
  }

  /// The cost of the layout that measurements do not prefer.
  void add_preference(NodeId id, Part part) {
    const std::int64_t bytes = preferences_[id.index] ? preferences_[id.index]->channels_last_bytes : 0;
    if (bytes > 0) network_.add_arc(always_channels_last, part, std::uint64_t(bytes));
    if (bytes < 0) network_.add_arc(part, always_row_major, std::uint64_t(-bytes));
  }

  void add_choice(NodeId id) {
    const Node& node = graph_.node(id);
    preferences_[id.index] = preference_of(graph_, id, unit_.options);
    const KernelSpec spec = graph_.spec(id);
    const bool any = takes_any(id);
    bool matters = false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) matters = matters || follows(node, spec, i);
    for (const ValueId output : node.outputs) matters = matters || output_follows(node, output);
    Choice& choice = choices_[id.index];
    if (matters && !any) {
      choice.row_major = kernel_for(id, spec, Layout::row_major);
      choice.channels_last = kernel_for(id, spec, Layout::channels_last);
      if (choice.row_major && choice.channels_last) {
        choice.part = network_.add_node();
        add_preference(id, choice.part);
      } else if (choice.channels_last) {
        choice.part = always_channels_last;
        choice.to_channels_last = kernel_to_channels_last(id, spec, *choice.channels_last);
      }
      if (is_free_transpose(node) && choice.channels_last)
        network_.add_arc(always_channels_last, choice.part, byte_length(descriptor(node.outputs[0])));
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (has_layouts(node.inputs[i]) && !is_constant(node.inputs[i]) && !(any && spec.is_activation(i)) &&
          !(i == 0 && choice.to_channels_last))
        users_[node.inputs[i].index].push_back(follows(node, spec, i) ? choice.part : always_row_major);
    for (const ValueId output : node.outputs)
      if (output_follows(node, output)) part_of_[output.index] = any ? network_.add_node() : choice.part;
  }

  /// A value costs its bytes once if any of its users is in another part than its producer.
  void add_arcs(ValueId id) {
    std::vector<Part>& users = users_[id.index];
    std::ranges::sort(users);
    users.erase(std::unique(users.begin(), users.end()), users.end());
    const Part producer = part_of_[id.index];
    std::erase(users, producer);
    const std::uint64_t bytes = byte_length(descriptor(id));
    if (users.size() == 1) {
      network_.add_arc(producer, users[0], bytes);
      network_.add_arc(users[0], producer, bytes);
    } else if (users.size() > 1) {
      const Part any_row_major = network_.add_node(), any_channels_last = network_.add_node();
      network_.add_arc(producer, any_row_major, bytes);
      network_.add_arc(any_channels_last, producer, bytes);
      for (const Part user : users) {
        network_.add_arc(any_row_major, user, MinCut::never);
        network_.add_arc(user, any_channels_last, MinCut::never);
      }
    }
  }

  // ---- applying the cut

  Layout layout_of_part(Part part) const { return channels_last_[part] ? Layout::channels_last : Layout::row_major; }

  /// Whether the node takes a row-major operand in place of a reordered one.
  bool reads_row_major(NodeId id) const {
    return choices_[id.index].to_channels_last &&
           unit_.plan.layout[graph_.node(id).inputs[0].index] == Layout::row_major;
  }

  void set_layouts() {
    for (std::uint32_t i = 0; i < part_of_.size(); ++i)
      if (has_layouts({i}) && !is_constant({i})) unit_.plan.layout[i] = layout_of_part(part_of_[i]);
    for (const NodeId id : order_) {
      const Choice& choice = choices_[id.index];
      const auto& kernel = reads_row_major(id)                                    ? choice.to_channels_last
                           : layout_of_part(choice.part) == Layout::channels_last ? choice.channels_last
                                                                                  : choice.row_major;
      if (kernel) unit_.plan.kernel[id.index] = *kernel;
    }
  }

  void reorder_inputs(NodeId id) {
    const KernelSpec spec = graph_.spec(id);
    const bool any = takes_any(id);
    for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
      const Node& node = graph_.node(id);  // read again, because reordering adds nodes
      const ValueId input = node.inputs[i];
      if (!has_layouts(input) || (any && spec.is_activation(i)) || (i == 0 && reads_row_major(id))) continue;
      const Layout wanted = follows(node, spec, i) ? layout_of_part(choices_[id.index].part) : Layout::row_major;
      if (unit_.plan.layout[input.index] == wanted) continue;
      graph_.set_input(id, i, reordered(input, wanted));
      if (is_constant(input)) graph_.let_go(input);
    }
  }

  void reorder_outputs() {
    if (unit_.options.keep_layouts) return;
    for (std::size_t i = 0; i < graph_.outputs().size(); ++i)
      if (const ValueId value = graph_.outputs()[i].value; unit_.plan.layout[value.index] != Layout::row_major)
        graph_.set_output(i, reordered(value, Layout::row_major));
  }

  ValueId reordered(ValueId value, Layout layout) {
    const auto [found, is_new] = reordered_.try_emplace({value, layout});
    if (!is_new) return found->second;
    const std::string name =
        derived_name(graph_.value(value).name, layout == Layout::channels_last ? "_nhwc" : "_nchw");
    if (is_constant(value)) found->second = reordered_constant(value, layout, name);
    if (!found->second.valid()) {
      const NodeId node = graph_.add_node("@reorder"_op, {value}, {}, {&name, 1}, name);
      found->second = graph_.node(node).outputs[0];
      set_layout(found->second, layout);
      unit_.plan.kernel.resize(graph_.node_count());
      const auto kernel = choose_kernel(planned_spec(unit_, node), unit_.options);
      if (!kernel)
        unit_.diagnostics.error(Code::no_kernel, {}, "no kernel reorders " + descriptor(value).text());
      else
        unit_.plan.kernel[node.index] = *kernel;
    }
    set_layout(found->second, layout);
    return found->second;
  }

  void set_layout(ValueId id, Layout layout) {
    unit_.plan.layout.resize(graph_.value_count(), Layout::row_major);
    unit_.plan.layout[id.index] = layout;
  }

  /// Invalid when there is no function to compute constants.
  ValueId reordered_constant(ValueId value, Layout layout, const std::string& name) {
    KernelSpec spec;
    spec.op = "@reorder"_op;
    spec.inputs = {descriptor(value)};
    spec.outputs = {descriptor(value)};
    spec.input_layouts = {unit_.plan.layout[value.index]};
    spec.output_layouts = {layout};
    if (!unit_.options.evaluate) return {};
    AlignedBytes result = AlignedBytes::unwritten(byte_length(descriptor(value)));
    const std::span<const std::byte> input = graph_.value(value).data.view();
    const std::span<std::byte> output = result.view();
    if (!unit_.options.evaluate(spec, {&input, 1}, {&output, 1})) return {};
    return graph_.add_constant(name, descriptor(value), std::move(result).take());
  }

  Unit& unit_;
  Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<Choice> choices_;                     // by node
  std::vector<const CallPreference*> preferences_;  // by node; null: none
  MinCut network_;
  std::vector<Part> part_of_;             // by value: of its producer
  std::vector<std::vector<Part>> users_;  // by value
  std::vector<bool> channels_last_;       // by part
  std::map<std::pair<ValueId, Layout>, ValueId> reordered_;
};

}  // namespace

void assign_layouts(Unit& unit) { LayoutAssigner(unit).run(); }

}  // namespace webnn::compiler
