// Small pictures that would take much time or memory: strips, and progressive ones with thousands of scans.
#include <doctest/doctest.h>

#include "cli/inputs/image.hpp"
#include "schema/error.hpp"
#include "tests/cli/inputs/jpeg_segment.hpp"
#include "tests/harness/paths.hpp"
#include "tests/security/processor_time.hpp"

namespace webnn::tests::security_pictures_test {
namespace {

/// 8 x 8 grey pixels in progressive scans: the first has the mean, each later one the end of a block.
std::string progressive(int scans) {
  std::string file = "\xff\xd8" + jpeg_segment('\xdb', std::string(1, '\0') + std::string(64, '\1'));
  file += jpeg_segment('\xc2', std::string("\x08\0\x08\0\x08\1\1\x11\0", 9));
  file += jpeg_segment('\xc4', std::string("\0\1", 2) + std::string(15, '\0') + std::string(1, '\0'));  // one bit for 0
  file += jpeg_segment('\xc4', std::string("\x10\1", 2) + std::string(15, '\0') + std::string(1, '\0'));
  file += jpeg_segment('\xda', std::string("\1\1\0\0\0\0", 6)) + '\x7f';
  for (int scan = 1; scan < scans; ++scan) {
    const char place = char(1 + scan % 63);
    file += jpeg_segment('\xda', std::string("\1\1\0", 3) + place + place + '\0') + '\x7f';
  }
  return file + "\xff\xd9";
}

}  // namespace

TEST_CASE("security: a strip of a picture takes no memory or time for the area that it is scaled to") {
  const auto check_strip = [](std::uint32_t width, std::uint32_t height) {
    CAPTURE(width);
    cli::Picture strip{width, height, std::vector<std::uint8_t>(std::size_t(width) * height * 3, 90)};
    cli::Picture scaled;
    const double seconds = processor_seconds_of([&] { scaled = cli::scale(strip, 1024, 1024); });
    CHECK(seconds < most_processor_seconds);
    for (const std::uint8_t value : scaled.rgb) REQUIRE(value == 90);
  };
  check_strip(1, 4'000'000);
  check_strip(4'000'000, 1);
}

TEST_CASE("security: a progressive picture has a limit of scans") {
  const ScratchFolder scratch;
  const auto read = [&](int scans) {
    write_file(scratch.path() / "p.jpg", progressive(scans));
    return cli::read_picture((scratch.path() / "p.jpg").string());
  };
  CHECK(read(90).width == 8);
  CHECK_THROWS_WITH_AS(read(150), doctest::Contains("it has more than 100 scans"), schema::Error);
}

}  // namespace webnn::tests::security_pictures_test
