// Places of boxes: nothing overlaps, arrows point downwards, whatever the graph.
#include "cli/drawing/layered_layout.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

namespace webnn::tests::layered_layout_test {
namespace {

using namespace webnn::cli;

std::vector<BoxSize> equal_boxes(std::size_t count) { return std::vector<BoxSize>(count, {100, 20}); }

/// Pairs of boxes that overlap.
std::size_t overlaps(const std::vector<BoxSize>& sizes, const Layout2d& layout) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t k = i + 1; k < sizes.size(); ++k) {
      const double x = std::abs(layout.boxes[i].x - layout.boxes[k].x),
                   y = std::abs(layout.boxes[i].y - layout.boxes[k].y);
      count += x < (sizes[i].width + sizes[k].width) / 2 - 1e-6 && y < (sizes[i].height + sizes[k].height) / 2 - 1e-6;
    }
  return count;
}

TEST_CASE("layered layout: a chain is a straight line") {
  const std::vector<Arrow> arrows{{0, 1}, {1, 2}, {2, 3}};
  const Layout2d layout = layered_layout(equal_boxes(4), arrows);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(layout.boxes[i].x == doctest::Approx(layout.boxes[0].x));
    CHECK(layout.boxes[i].y > layout.boxes[i - 1].y + 20);
  }
}

TEST_CASE("layered layout: crossing arrows are untangled") {
  // Two chains whose boxes are listed the wrong way round.
  const std::vector<Arrow> arrows{{0, 3}, {1, 2}, {2, 5}, {3, 4}};
  const Layout2d layout = layered_layout(equal_boxes(6), arrows);
  const auto side = [&](int a, int b) { return layout.boxes[a].x < layout.boxes[b].x; };
  CHECK(side(0, 1) == side(3, 2));
  CHECK(side(3, 2) == side(4, 5));
}

TEST_CASE("layered layout: a long arrow goes around the boxes that it passes") {
  const std::vector<Arrow> arrows{{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  const Layout2d layout = layered_layout(equal_boxes(4), arrows);
  const std::vector<Point>& points = layout.arrows[3];
  REQUIRE(points.size() == 6);  // straight down beside each box that it passes
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(std::abs(points[2 * i - 1].x - layout.boxes[i].x) > 50);
    CHECK(points[2 * i - 1].x == points[2 * i].x);
    CHECK(points[2 * i].y - points[2 * i - 1].y == doctest::Approx(20));
  }
}

TEST_CASE("layered layout: random graphs of up to 500 boxes never overlap and point downwards") {
  for (const std::size_t count : {1u, 7u, 60u, 500u}) {
    std::mt19937 engine{std::uint32_t(count)};
    std::vector<BoxSize> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back({40.0 + engine() % 200, 20.0 + engine() % 60});
    std::vector<Arrow> arrows;
    for (std::uint32_t to = 1; to < count; ++to) {
      arrows.push_back({std::uint32_t(to - 1 - engine() % std::min<std::uint32_t>(to, 4)), to});
      if (engine() % 4 == 0) arrows.push_back({std::uint32_t(engine() % to), to});
    }
    const Layout2d layout = layered_layout(sizes, arrows);
    CHECK(overlaps(sizes, layout) == 0);
    for (const auto& points : layout.arrows) {
      REQUIRE(points.size() >= 2);
      for (std::size_t i = 1; i < points.size(); ++i) CHECK(points[i].y > points[i - 1].y);
    }
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(layout.boxes[i].x - sizes[i].width / 2 >= 0);
      CHECK(layout.boxes[i].x + sizes[i].width / 2 <= layout.width);
      CHECK(layout.boxes[i].y + sizes[i].height / 2 <= layout.height);
    }
  }
}

TEST_CASE(
    "layered layout: of very many long arrows some go straight, so that the picture stays as small as the graph") {
  constexpr std::uint32_t count = 20'000;  // 200 million points if each arrow had one in each layer that it passes
  std::vector<Arrow> arrows;
  for (std::uint32_t to = 1; to < count; ++to) {
    arrows.push_back({to - 1, to});
    if (to > 1) arrows.push_back({0, to});
  }
  const Layout2d layout = layered_layout(equal_boxes(count), arrows);
  std::size_t points = 0;
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    points += layout.arrows[i].size();
    REQUIRE(layout.arrows[i].size() >= 2);
    CHECK(layout.arrows[i].front().y < layout.arrows[i].back().y);
  }
  CHECK(points < 200'000);
}

TEST_CASE("layered layout: cycles, loops and arrows to nowhere do no harm") {
  const std::vector<Arrow> arrows{{0, 1}, {1, 2}, {2, 1}, {3, 3}, {0, 9}};
  const Layout2d layout = layered_layout(equal_boxes(4), arrows);
  CHECK(layout.boxes.size() == 4);
  CHECK(layout.arrows[3].empty());
  CHECK(layout.arrows[4].empty());
  CHECK(layered_layout({}, {}).boxes.empty());
}

}  // namespace
}  // namespace webnn::tests::layered_layout_test
