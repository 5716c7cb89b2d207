// Renders digits from the stroke table below; see the header.
#include "models/trainer/glyphs.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace webnn::models {
namespace {

/// One way to write a digit. Strokes are paths in a box of 100 x 100, y downwards:
/// M x y = lift the pen and move, L x y = line, Q cx cy x y = curve with one control point.
struct Style {
  std::uint32_t digit;
  const char* path;
};

constexpr Style styles[] = {
    {0, "M 50 5 Q 15 5 15 50 Q 15 95 50 95 Q 85 95 85 50 Q 85 5 50 5"},
    {0, "M 50 5 Q 28 8 26 50 Q 28 94 50 95 Q 72 94 74 50 Q 72 8 50 5"},
    {1, "M 50 5 L 50 95"},
    {1, "M 30 26 L 55 5 L 55 95"},
    {1, "M 32 22 L 52 5 L 52 95 M 28 95 L 76 95"},
    {2, "M 18 28 Q 20 5 50 5 Q 82 5 80 32 Q 78 52 18 95 L 84 95"},
    {2, "M 22 22 Q 34 4 54 5 Q 84 8 76 38 Q 66 62 20 94 Q 50 84 84 94"},
    {3, "M 20 12 Q 45 0 62 8 Q 88 22 72 40 Q 62 48 42 48 Q 68 48 78 60 Q 90 82 65 92 Q 42 100 18 88"},
    {3, "M 20 6 L 78 6 L 48 42 Q 84 44 82 70 Q 78 96 45 95 Q 28 94 18 84"},
    {4, "M 62 95 L 62 5 L 15 68 L 86 68"},
    {4, "M 25 8 L 20 55 L 82 55 M 70 10 L 68 95"},
    {5, "M 78 6 L 28 6 L 24 45 Q 48 34 66 42 Q 86 52 80 74 Q 72 96 44 95 Q 28 94 18 84"},
    {5, "M 30 6 L 26 44 Q 76 34 80 66 Q 78 96 42 95 Q 26 93 18 86 M 30 6 L 80 8"},
    {6, "M 72 8 Q 22 25 20 68 Q 22 95 50 95 Q 80 95 80 70 Q 80 46 52 46 Q 26 46 20 68"},
    {6, "M 58 4 Q 20 40 22 72 Q 24 96 50 96 Q 78 94 76 70 Q 72 50 50 52 Q 28 54 22 74"},
    {7, "M 16 6 L 82 6 L 42 95"},
    {7, "M 16 8 L 82 6 Q 56 45 44 95"},
    {7, "M 16 6 L 82 6 L 44 95 M 34 50 L 76 50"},
    {8,
     "M 50 48 Q 22 42 24 24 Q 28 5 50 5 Q 72 5 76 24 Q 78 42 50 48 Q 16 54 18 74 Q 22 95 50 95 Q 78 95 82 74 "
     "Q 84 54 50 48"},
    {8,
     "M 74 18 Q 62 4 46 5 Q 24 8 28 26 Q 32 40 52 48 Q 80 58 78 76 Q 72 96 48 95 Q 22 92 24 74 Q 28 56 52 46 "
     "Q 76 34 74 18"},
    {9, "M 78 30 Q 76 5 50 5 Q 20 5 20 30 Q 20 54 48 54 Q 76 54 78 30 Q 80 70 66 95"},
    {9, "M 76 28 Q 72 5 48 5 Q 22 6 22 30 Q 24 52 48 52 Q 72 50 76 28 L 76 95"},
};

struct Point {
  float x = 0, y = 0;
};
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(float s, Point a) { return {s * a.x, s * a.y}; }
float dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

struct Segment {
  Point from, to;
};

/// From the box of strokes to pixels: x' = a x + b y + c, y' = d x + e y + f.
struct Affine {
  float a, b, c, d, e, f;
  Point operator()(Point p) const { return {a * p.x + b * p.y + c, d * p.x + e * p.y + f}; }
};

/// Size, slant, turn and place of a digit, all random within what people write.
Affine random_placement(Random& random) {
  const float width = random.uniform(0.10f, 0.15f), height = random.uniform(0.13f, 0.175f);  // pixels per unit
  const float slant = random.uniform(-0.25f, 0.25f);
  const float t = random.uniform(-0.1f, 0.1f);  // tangent of half the angle: up to 11 degrees either way
  const float cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
  Affine m{};
  m.a = cosine * width;
  m.b = cosine * slant * height - sine * height;
  m.d = sine * width;
  m.e = sine * slant * height + cosine * height;
  const float centre = float(image_size) / 2;
  m.c = centre + random.uniform(-1.5f, 1.5f) - 50 * (m.a + m.b);
  m.f = centre + random.uniform(-1.5f, 1.5f) - 50 * (m.d + m.e);
  return m;
}

/// The path as short segments in pixels. Every point is moved a little, as a hand does.
std::vector<Segment> trace(const char* path, const Affine& place, Random& random) {
  std::istringstream words(path);
  const auto next_point = [&] {
    Point p;
    words >> p.x >> p.y;
    return place(p + Point{random.uniform(-4, 4), random.uniform(-4, 4)});
  };
  std::vector<Segment> segments;
  Point pen;
  char command = 0;
  while (words >> command) {
    if (command == 'M') {
      pen = next_point();
    } else if (command == 'L') {
      const Point end = next_point();
      segments.push_back({pen, end});
      pen = end;
    } else {  // Q
      const Point start = pen, control = next_point(), end = next_point();
      constexpr int pieces = 6;
      for (int i = 1; i <= pieces; ++i) {
        const float t = float(i) / pieces, u = 1 - t;
        const Point to = u * u * start + (2 * u * t) * control + t * t * end;
        segments.push_back({pen, to});
        pen = to;
      }
    }
  }
  return segments;
}

float squared_distance(Point p, const Segment& segment) {
  const Point along = segment.to - segment.from, offset = p - segment.from;
  const float length = dot(along, along);
  const float t = length > 0 ? std::clamp(dot(offset, along) / length, 0.0f, 1.0f) : 0.0f;
  const Point rest = offset - t * along;
  return dot(rest, rest);
}

const char* random_style(std::uint32_t digit, Random& random) {
  const auto of_digit = [&](const Style& style) { return style.digit == digit; };
  const auto first = std::find_if(std::begin(styles), std::end(styles), of_digit);
  const auto count = std::uint32_t(std::count_if(std::begin(styles), std::end(styles), of_digit));
  return first[random.below(count)].path;
}

}  // namespace

Image render_digit(std::uint32_t digit, Random& random) {
  const char* style = random_style(digit, random);
  const Affine place = random_placement(random);
  const std::vector<Segment> segments = trace(style, place, random);
  const float radius = random.uniform(0.5f, 1.4f);  // of the pen, in pixels
  const float ink = random.uniform(0.7f, 1.0f), noise = random.uniform(0.0f, 0.12f);

  Image image(image_size * image_size);
  for (std::uint32_t y = 0; y < image_size; ++y) {
    for (std::uint32_t x = 0; x < image_size; ++x) {
      float nearest = 1e6f;
      for (const Segment& segment : segments)
        nearest = std::min(nearest, squared_distance({float(x) + 0.5f, float(y) + 0.5f}, segment));
      const float coverage = std::clamp(radius + 0.5f - std::sqrt(nearest), 0.0f, 1.0f);
      image[y * image_size + x] = std::clamp(ink * coverage + noise * random.normal(), 0.0f, 1.0f);
    }
  }
  return image;
}

LabelledImage render_any(Random& random) {
  const std::uint32_t digit = random.below(digit_count);
  return {render_digit(digit, random), digit};
}

}  // namespace webnn::models
