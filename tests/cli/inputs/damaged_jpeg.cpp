// JPEG files that are cut off or damaged, and some that only look so to libjpeg.
#include <doctest/doctest.h>

#include "cli/inputs/image.hpp"
#include "schema/error.hpp"
#include "tests/cli/inputs/jpeg_segment.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::damaged_jpeg_test {
namespace {

/// 64 x 8 grey pixels, with `data` for the 8 blocks: two bits each, 0 for the mean and 0 for the end of the block.
std::string baseline(const std::string& data) {
  const std::string one_code = std::string("\1") + std::string(15, '\0') + '\0';  // one bit for 0
  std::string file = "\xff\xd8" + jpeg_segment('\xdb', std::string(1, '\0') + std::string(64, '\1'));
  file += jpeg_segment('\xc0', std::string("\x08\0\x08\0\x40\1\1\x11\0", 9));
  file += jpeg_segment('\xc4', std::string(1, '\0') + one_code) + jpeg_segment('\xc4', "\x10" + one_code);
  return file + jpeg_segment('\xda', std::string("\1\1\0\0\x3f\0", 6)) + data;
}

const std::string blocks(2, '\0'), end = "\xff\xd9";

cli::Picture read(const ScratchFolder& scratch, const std::string& content) {
  write_file(scratch.path() / "p.jpg", content);
  return cli::read_picture((scratch.path() / "p.jpg").string());
}

}  // namespace

TEST_CASE("cli picture: a JPEG that is cut off or damaged is refused") {
  const ScratchFolder scratch;
  CHECK(read(scratch, baseline(blocks + end)).width == 64);
  for (const std::string& data :
       {std::string(), blocks.substr(1), blocks.substr(1) + end, blocks, "\xfe\xfe\xfe" + end}) {
    CAPTURE(data.size());
    try {
      read(scratch, baseline(data));
      FAIL_CHECK("it is read");
    } catch (const schema::Error& error) {
      CHECK(error.code() == schema::ExitCode::invalid_input);
      CHECK(std::string(error.what()).find("p.jpg' is a damaged picture: ") != std::string::npos);
    }
  }
}

TEST_CASE("cli picture: what stands between the data of a JPEG does no harm") {
  const ScratchFolder scratch;
  CHECK(read(scratch, baseline(blocks + "more" + end)).width == 64);
  CHECK(read(scratch, baseline(blocks + end + "behind it")).width == 64);
}

}  // namespace webnn::tests::damaged_jpeg_test
