#include "cli/drawing/layered_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace webnn::cli {
namespace {

constexpr double gap_x = 24, gap_y = 34, margin = 20;
constexpr double point_width = 6;   // of a long arrow that passes a layer
constexpr double point_weight = 8;  // how much straighter long arrows should be than boxes below each other
constexpr std::size_t ordering_sweeps = 16, placing_sweeps = 12;
constexpr std::size_t most_points = 50'000;  // in all, since a graph of n boxes may have n arrows past n layers

/// A box, or a point where an arrow passes a layer.
struct Item {
  double width = point_width, height = 0, weight = point_weight;
  std::size_t layer = 0;
  std::vector<std::size_t> above, below;  // neighbours in the adjacent layers
  double x = 0;
};

/// The nondecreasing values that are closest to `wanted` (weighted isotonic regression); runs of equal values form
/// blocks.
std::vector<double> rising_fit(const std::vector<double>& wanted, const std::vector<double>& weights) {
  struct Block {
    double sum, weight;
    std::size_t count;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    blocks.push_back({wanted[i] * weights[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> fitted;
  for (const Block& block : blocks) fitted.insert(fitted.end(), block.count, block.mean());
  return fitted;
}

/// Pairs of which the greater number comes first; all are less than `end`.
std::size_t inversions(const std::vector<std::size_t>& numbers, std::size_t end) {
  std::vector<std::size_t> counts(end + 1);  // a Fenwick tree: [i] counts the numbers in the i & -i places up to i
  std::size_t pairs = 0;
  for (std::size_t seen = 0; seen < numbers.size(); ++seen) {
    pairs += seen;
    for (std::size_t i = numbers[seen] + 1; i > 0; i &= i - 1) pairs -= counts[i];  // those that are not greater
    for (std::size_t i = numbers[seen] + 1; i <= end; i += i & -i) ++counts[i];
  }
  return pairs;
}

class Drawing {
 public:
  Drawing(std::span<const BoxSize> boxes, std::span<const Arrow> arrows) : boxes_(boxes), arrows_(arrows) {
    for (const BoxSize& box : boxes) items_.push_back({box.width, box.height, 1, 0, {}, {}, 0});
  }

  Layout2d run() {
    find_layers();
    pass_layers();
    order_layers();
    place();
    return finish();
  }

 private:
  // ---- layers

  bool usable(const Arrow& arrow) const {
    return arrow.from < boxes_.size() && arrow.to < boxes_.size() && arrow.from != arrow.to;
  }

  /// The layer of a box is one below the lowest box with an arrow to it. Boxes without incoming arrows move down to
  /// just above the boxes that they point to.
  void find_layers() {
    std::vector<std::vector<std::size_t>> out(boxes_.size());
    std::vector<std::size_t> waiting(boxes_.size());
    for (const Arrow& arrow : arrows_)
      if (usable(arrow)) {
        out[arrow.from].push_back(arrow.to);
        ++waiting[arrow.to];
      }
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      if (waiting[i] == 0) ready.push_back(i);
    const std::vector<std::size_t> sources = ready;
    sorted_.assign(boxes_.size(), false);
    for (std::size_t next = 0; next < ready.size(); ++next) {
      sorted_[ready[next]] = true;
      for (const std::size_t to : out[ready[next]]) {
        items_[to].layer = std::max(items_[to].layer, items_[ready[next]].layer + 1);
        if (--waiting[to] == 0) ready.push_back(to);
      }
    }
    for (const std::size_t source : sources) {
      std::size_t lowest = 0;
      bool leads = false;
      for (const std::size_t to : out[source]) {
        if (!sorted_[to]) continue;
        lowest = leads ? std::min(lowest, items_[to].layer) : items_[to].layer;
        leads = true;
      }
      if (leads && lowest > 0) items_[source].layer = lowest - 1;
    }
  }

  /// Arrows that find no points left go straight, over the boxes between.
  void pass_layers() {
    paths_.resize(arrows_.size());
    for (std::size_t i = 0; i < arrows_.size(); ++i) {
      const auto [from, to] = arrows_[i];
      if (!usable(arrows_[i]) || !sorted_[from] || !sorted_[to]) continue;
      if (items_.size() + items_[to].layer - items_[from].layer > boxes_.size() + most_points + 1) {
        paths_[i] = {from, to};
        continue;
      }
      std::size_t last = from;
      paths_[i].push_back(from);
      for (std::size_t layer = items_[from].layer + 1; layer < items_[to].layer; ++layer) {
        items_.push_back({});
        items_.back().layer = layer;
        join(last, items_.size() - 1);
        last = items_.size() - 1;
        paths_[i].push_back(last);
      }
      join(last, to);
      paths_[i].push_back(to);
    }
    std::size_t depth = 0;
    for (const Item& item : items_) depth = std::max(depth, item.layer + 1);
    layers_.resize(depth);
    for (std::size_t i = 0; i < items_.size(); ++i) layers_[items_[i].layer].push_back(i);
  }

  void join(std::size_t upper, std::size_t lower) {
    items_[upper].below.push_back(lower);
    items_[lower].above.push_back(upper);
  }

  // ---- orders

  void order_layers() {
    places_.resize(items_.size());
    note_places();
    auto best = layers_;
    std::size_t least = crossings();
    for (std::size_t sweep = 0; sweep < ordering_sweeps && least != 0; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t i = 1; i < layers_.size(); ++i)
        sort_by_median(down ? i : layers_.size() - 1 - i, down ? &Item::above : &Item::below);
      if (const std::size_t now = crossings(); now < least) {
        least = now;
        best = layers_;
      }
    }
    layers_ = std::move(best);
    note_places();
  }

  void note_places() {
    for (const auto& layer : layers_)
      for (std::size_t place = 0; place < layer.size(); ++place) places_[layer[place]] = place;
  }

  void sort_by_median(std::size_t layer, std::vector<std::size_t> Item::*neighbours) {
    std::vector<std::pair<double, std::size_t>> keyed;
    for (const std::size_t item : layers_[layer]) {
      std::vector<std::size_t> near;
      for (const std::size_t other : items_[item].*neighbours) near.push_back(places_[other]);
      std::ranges::sort(near);
      const double key =
          near.empty() ? double(places_[item]) : double(near[(near.size() - 1) / 2] + near[near.size() / 2]) / 2;
      keyed.emplace_back(key, item);
    }
    std::ranges::stable_sort(keyed, {}, [](const auto& entry) { return entry.first; });
    for (std::size_t place = 0; place < keyed.size(); ++place) {
      layers_[layer][place] = keyed[place].second;
      places_[keyed[place].second] = place;
    }
  }

  std::size_t crossings() const {
    std::size_t count = 0;
    for (std::size_t above = 0; above + 1 < layers_.size(); ++above) {
      const auto& layer = layers_[above];
      std::vector<std::size_t> ends;
      for (const std::size_t item : layer) {
        std::vector<std::size_t> below;
        for (const std::size_t other : items_[item].below) below.push_back(places_[other]);
        std::ranges::sort(below);
        ends.insert(ends.end(), below.begin(), below.end());
      }
      count += inversions(ends, layers_[above + 1].size());
    }
    return count;
  }

  // ---- positions

  void place() {
    for (const auto& layer : layers_) {
      double x = 0;
      for (const std::size_t item : layer) {
        items_[item].x = x + items_[item].width / 2;
        x += items_[item].width + gap_x;
      }
    }
    for (std::size_t sweep = 0; sweep < placing_sweeps; ++sweep)
      for (std::size_t i = 0; i < layers_.size(); ++i)
        place_layer(sweep % 2 == 0 ? layers_[i] : layers_[layers_.size() - 1 - i]);
  }

  void place_layer(const std::vector<std::size_t>& layer) {
    std::vector<double> offsets, wanted, weights;
    double offset = 0;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const Item& item = items_[layer[i]];
      if (i != 0) offset += (items_[layer[i - 1]].width + item.width) / 2 + gap_x;
      double sum = 0;
      for (const auto* near : {&item.above, &item.below})
        for (const std::size_t other : *near) sum += items_[other].x;
      const std::size_t count = item.above.size() + item.below.size();
      offsets.push_back(offset);
      wanted.push_back((count ? sum / double(count) : item.x) - offset);
      weights.push_back(item.weight);
    }
    const std::vector<double> fitted = rising_fit(wanted, weights);
    for (std::size_t i = 0; i < layer.size(); ++i) items_[layer[i]].x = fitted[i] + offsets[i];
  }

  Layout2d finish() {
    Layout2d layout;
    double left = std::numeric_limits<double>::infinity(), right = -left;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      left = std::min(left, items_[i].x - items_[i].width / 2);
      right = std::max(right, items_[i].x + items_[i].width / 2);
    }
    std::vector<double> middle, half;  // of each layer
    double y = margin;
    for (const auto& layer : layers_) {
      double height = 0;
      for (const std::size_t item : layer) height = std::max(height, items_[item].height);
      middle.push_back(y + height / 2);
      half.push_back(height / 2);
      y += height + gap_y;
    }
    const auto at = [&](std::size_t item) { return Point{items_[item].x - left + margin, middle[items_[item].layer]}; };
    for (std::size_t i = 0; i < boxes_.size(); ++i) layout.boxes.push_back(at(i));
    for (const auto& path : paths_) {
      std::vector<Point> points;
      for (const std::size_t item : path) {
        const Point here = at(item);
        const double above = item < boxes_.size() ? items_[item].height / 2 : half[items_[item].layer];
        if (item != path.front()) points.push_back({here.x, here.y - above});
        if (item != path.back() && (item == path.front() || above > 0)) points.push_back({here.x, here.y + above});
      }
      layout.arrows.push_back(std::move(points));
    }
    layout.width = (items_.empty() ? 0 : right - left) + 2 * margin;
    layout.height = layers_.empty() ? 2 * margin : y - gap_y + margin;
    return layout;
  }

  std::span<const BoxSize> boxes_;
  std::span<const Arrow> arrows_;
  std::vector<Item> items_;                       // the boxes, then points
  std::vector<bool> sorted_;                      // by box: reachable without a cycle
  std::vector<std::vector<std::size_t>> paths_;   // by arrow: items from box to box
  std::vector<std::vector<std::size_t>> layers_;  // items from left to right
  std::vector<std::size_t> places_;               // by item: index in its layer
};

}  // namespace

Layout2d layered_layout(std::span<const BoxSize> boxes, std::span<const Arrow> arrows) {
  return Drawing(boxes, arrows).run();
}

}  // namespace webnn::cli
