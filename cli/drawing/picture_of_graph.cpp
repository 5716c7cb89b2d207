#include "cli/drawing/picture_of_graph.hpp"

#include <algorithm>
#include <ostream>
#include <set>

#include "cli/drawing/markup.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace compiler;

constexpr double line_height = 18, letter_width = 6.6, padding = 8;
constexpr std::size_t longest_text = 60;

/// At most `longest_text` bytes, truncated at a character boundary.
std::string shortened(std::string text) {
  if (text.size() <= longest_text) return text;
  std::size_t end = longest_text - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string sizes_text(const Shape& shape) {
  std::string text;
  for (const std::uint32_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

class PictureMaker {
 public:
  explicit PictureMaker(const Graph& graph) : graph_(graph), box_(graph.node_count()) { picture_.name = graph.name; }

  GraphPicture run() {
    std::vector<std::uint32_t> input_box(graph_.value_count());
    for (const ValueId id : graph_.inputs()) {
      input_box[id.index] = add_box(true);
      picture_.boxes.back().lines.push_back(
          {graph_.value(id).name, graph_.value(id).descriptor.text(), "input " + graph_.value(id).name, "#ffffff", {}});
    }
    const std::vector<NodeId> order = graph_.order();
    for (const NodeId id : order) {
      const NodeId before = only_producer(id);
      if (before.valid() && picture_.boxes[box_[before.index]].lines.size() < longest_box)
        box_[id.index] = box_[before.index];
      else
        box_[id.index] = add_box(false);
      picture_.boxes[box_[id.index]].lines.push_back(line_of(id));
    }
    const auto source = [&](ValueId value) {
      return graph_.value(value).kind == Value::Kind::input ? input_box[value.index]
                                                            : box_[graph_.value(value).producer.index];
    };
    for (const NodeId id : order)
      for (const ValueId input : graph_.node(id).inputs)
        if (input.valid() && !graph_.is_constant(input)) add_arrow(source(input), box_[id.index], input);
    for (const GraphOutput& output : graph_.outputs()) {
      const std::uint32_t box = add_box(true);
      picture_.boxes.back().lines.push_back(
          {output.name, graph_.value(output.value).descriptor.text(), "output " + output.name, "#ffffff", {}});
      if (!graph_.is_constant(output.value)) add_arrow(source(output.value), box, output.value);
    }
    return std::move(picture_);
  }

 private:
  std::uint32_t add_box(bool is_rounded) {
    picture_.boxes.push_back({is_rounded, {}});
    return std::uint32_t(picture_.boxes.size() - 1);
  }

  void add_arrow(std::uint32_t from, std::uint32_t to, ValueId value) {
    if (from == to || !arrows_.insert({from, to, value.index}).second) return;
    picture_.arrows.push_back({from, to});
    picture_.labels.push_back(sizes_text(graph_.value(value).descriptor.shape));
  }

  /// The producer of the only operand, if nothing else uses its result.
  NodeId only_producer(NodeId id) const {
    ValueId operand;
    for (const ValueId input : graph_.node(id).inputs) {
      if (!input.valid() || graph_.is_constant(input)) continue;
      if (operand.valid() && operand != input) return {};
      operand = input;
    }
    if (!operand.valid() || graph_.value(operand).kind != Value::Kind::result || graph_.is_output(operand) ||
        graph_.users(operand).size() != 1)
      return {};
    const NodeId producer = graph_.value(operand).producer;
    return graph_.node(producer).outputs.size() == 1 ? producer : NodeId();
  }

  PictureLine line_of(NodeId id) const {
    const Node& node = graph_.node(id);
    PictureLine line{std::string(row(node.op).name), {}, print_line(id), colour_of(row(node.op).family), node.label};
    for (const PostOp& post : node.post_ops) line.text += " + " + std::string(row(post.op).name);
    for (const ValueId input : node.inputs)
      if (graph_.is_constant(input) && !graph_.value(input).descriptor.shape.empty())
        line.detail += (line.detail.empty() ? "" : ", ") + sizes_text(graph_.value(input).descriptor.shape);
    if (!line.detail.empty()) line.detail += " ";
    line.detail += "-> " + sizes_text(graph_.value(node.outputs[0]).descriptor.shape);
    if (node.outputs.size() > 1) line.detail += " and " + std::to_string(node.outputs.size() - 1) + " more";
    return line;
  }

  std::string print_line(NodeId id) const {
    const Node& node = graph_.node(id);
    std::string text = node.label + ": " + std::string(row(node.op).name) + " of";
    for (const ValueId input : node.inputs)
      if (input.valid()) text += " " + graph_.value(input).name + " (" + graph_.value(input).descriptor.text() + ")";
    return text;
  }

  struct Key {
    std::uint32_t from, to, value;
    auto operator<=>(const Key&) const = default;
  };

  const Graph& graph_;
  GraphPicture picture_;
  std::vector<std::uint32_t> box_;  // by node
  std::set<Key> arrows_;
};

BoxSize size_of(const PictureBox& box) {
  std::size_t letters = 4;
  for (const PictureLine& line : box.lines)
    letters = std::max(letters, shortened(line.text).size() + 2 + shortened(line.detail).size());
  return {double(letters) * letter_width + 2 * padding, double(box.lines.size()) * line_height};
}

/// A smooth curve through the points.
std::string path_of(const std::vector<Point>& points) {
  std::string path = "M" + coordinate(points[0].x) + " " + coordinate(points[0].y);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point &a = points[i - 1], &b = points[i];
    const double middle = (a.y + b.y) / 2;
    path += "C" + coordinate(a.x) + " " + coordinate(middle) + " " + coordinate(b.x) + " " + coordinate(middle) + " " +
            coordinate(b.x) + " " + coordinate(b.y);
  }
  return path;
}

std::string svg_box(const PictureBox& box, const Point& middle, const BoxSize& size) {
  const double left = middle.x - size.width / 2, top = middle.y - size.height / 2;
  const std::string radius = box.is_rounded ? "9" : "3";
  std::string svg = "<g class=\"box\">";
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    const PictureLine& line = box.lines[i];
    const double y = top + double(i) * line_height;
    svg += "<g class=\"line\" data-key=\"" + markup_text(line.key) + "\"><title>" + markup_text(line.tooltip) +
           "</title><rect x=\"" + coordinate(left) + "\" y=\"" + coordinate(y) + "\" width=\"" +
           coordinate(size.width) + "\" height=\"" + coordinate(line_height) + "\" fill=\"" + markup_text(line.colour) +
           "\" rx=\"" + radius + "\"/><text x=\"" + coordinate(left + padding) + "\" y=\"" + coordinate(y + 13) +
           "\">" + markup_text(shortened(line.text)) + " <tspan class=\"detail\">" +
           markup_text(shortened(line.detail)) + "</tspan></text></g>";
  }
  return svg + "<rect class=\"frame\" x=\"" + coordinate(left) + "\" y=\"" + coordinate(top) + "\" width=\"" +
         coordinate(size.width) + "\" height=\"" + coordinate(size.height) + "\" rx=\"" + radius + "\"/></g>\n";
}

/// A quoted DOT string.
std::string dot_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : schema::escaped(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::string colour_of(Family family) {
  switch (family) {
    case Family::convolution:
    case Family::contraction:
    case Family::recurrent:
      return "#cfe2ff";
    case Family::normalization:
    case Family::softmax:
    case Family::reduction:
    case Family::arg_reduction:
    case Family::scan:
      return "#e2d9f3";
    case Family::window:
    case Family::resample:
      return "#d1e7dd";
    case Family::view:
    case Family::movement:
    case Family::indexed:
      return "#f1f3f5";
    case Family::quantization:
    case Family::cast:
      return "#f8d7da";
    default:
      return "#fff3cd";
  }
}

GraphPicture picture_of(const Graph& graph) { return PictureMaker(graph).run(); }

std::string svg_of(const GraphPicture& picture) {
  std::vector<BoxSize> sizes;
  for (const PictureBox& box : picture.boxes) sizes.push_back(size_of(box));
  const Layout2d layout = layered_layout(sizes, picture.arrows);
  const std::string width = coordinate(layout.width), height = coordinate(layout.height);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" width=\"" + width + "\" height=\"" +
                    height + "\" viewBox=\"0 0 " + width + " " + height +
                    "\" font-family=\"ui-monospace, monospace\" font-size=\"11\">\n"
                    "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
                    "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#888\"/></marker></defs>\n";
  for (std::size_t i = 0; i < layout.arrows.size(); ++i)
    if (!layout.arrows[i].empty())
      svg += "<path class=\"arrow\" fill=\"none\" stroke=\"#888\" marker-end=\"url(#tip)\" d=\"" +
             path_of(layout.arrows[i]) + "\"><title>" + markup_text(picture.labels[i]) + "</title></path>\n";
  for (std::size_t i = 0; i < picture.boxes.size(); ++i) svg += svg_box(picture.boxes[i], layout.boxes[i], sizes[i]);
  return svg + "</svg>\n";
}

void print_dot(std::ostream& out, const GraphPicture& picture) {
  out << "digraph " << dot_text(picture.name.empty() ? "graph" : picture.name) << " {\n"
      << "  rankdir=TB; node [fontname=\"Helvetica\", fontsize=10]; edge [fontname=\"Helvetica\", fontsize=8];\n";
  for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
    const PictureBox& box = picture.boxes[i];
    if (box.is_rounded) {
      out << "  n" << i << " [shape=ellipse, label=" << dot_text(box.lines[0].text)
          << ", tooltip=" << dot_text(box.lines[0].detail) << "];\n";
      continue;
    }
    out << "  n" << i << " [shape=plain, label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">";
    for (const PictureLine& line : box.lines)
      out << "<tr><td align=\"left\" bgcolor=\"" << line.colour << "\" title=\"" << markup_text(line.tooltip)
          << "\" href=\"#\">" << markup_text(line.text) << " <font color=\"#666666\">" << markup_text(line.detail)
          << "</font></td></tr>";
    out << "</table>>];\n";
  }
  for (std::size_t i = 0; i < picture.arrows.size(); ++i)
    out << "  n" << picture.arrows[i].from << " -> n" << picture.arrows[i].to
        << " [label=" << dot_text(picture.labels[i]) << "];\n";
  out << "}\n";
}

}  // namespace webnn::cli
