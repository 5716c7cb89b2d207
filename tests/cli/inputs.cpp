// Where the command line takes input data from: specifications, generators, pictures.
#include <doctest/doctest.h>
#include <fstream>

#include "cli/inputs/generators.hpp"
#include "cli/inputs/image.hpp"
#include "cli/inputs/input_spec.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/summary.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::inputs_test {
namespace {

using namespace schema;
using api::Slot;

std::vector<double> values(const compiler::Tensor& tensor) {
  std::vector<double> result;
  for (std::size_t i = 0; i < element_count(tensor.descriptor.shape); ++i)
    result.push_back(load_element(tensor.descriptor.type, tensor.data.data(), i).as_double());
  return result;
}

const Slot square{"x", {DataType::float32, {2, 2}}};

TEST_CASE("cli input: an argument is split by the graph's names, which may hold '='") {
  const Slot inputs[] = {{"a", {}}, {"a=b", {}}, {"data_0", {}}};
  CHECK(cli::split_input_argument("a=zeros", inputs).input == &inputs[0]);
  CHECK(cli::split_input_argument("a=b=zeros", inputs).input == &inputs[1]);
  CHECK(cli::split_input_argument("a=b=zeros", inputs).spec == "zeros");
  CHECK_THROWS_WITH_AS(cli::split_input_argument("nope", inputs), "'nope' is not of the form NAME=SPEC", Error);
  try {
    cli::split_input_argument("dta_0=zeros", inputs);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(std::string(error.hint()) == "did you mean 'data_0'?");
    CHECK(error.code() == ExitCode::usage);
  }
}

TEST_CASE("cli input: lists, with and without a written descriptor") {
  CHECK(values(cli::read_input("[1, 2.5, -3, 4e1]", square)) == std::vector<double>{1, 2.5, -3, 40});
  CHECK(values(cli::read_input("[[1,2],[3,4]]", square)) == std::vector<double>{1, 2, 3, 4});
  CHECK(values(cli::read_input("2x2:float32=[1,2,3,4]", square)) == std::vector<double>{1, 2, 3, 4});
  const Slot wide{"x", {DataType::uint64, {1}}};
  CHECK(load_element(DataType::uint64, cli::read_input("[18446744073709551615]", wide).data.data(), 0).as_uint64() ==
        18446744073709551615u);
  const Slot nibbles{"x", {DataType::int4, {3}}};
  CHECK(values(cli::read_input("[-8, 7, -1]", nibbles)) == std::vector<double>{-8, 7, -1});
  CHECK_THROWS_AS(cli::read_input("[1,2,3]", square), Error);
  CHECK_THROWS_AS(cli::read_input("[1,2,3,4", square), Error);
  CHECK_THROWS_AS(cli::read_input("[1,2,3,x]", square), Error);
  CHECK_THROWS_AS(cli::read_input("2x3:float32=zeros", square), Error);
  CHECK_THROWS_AS(cli::read_input("2x2:float33=zeros", square), Error);
  CHECK_THROWS_AS(cli::read_input("nonsense", square), Error);
}

TEST_CASE("cli input: generators are deterministic and check their arguments") {
  CHECK(values(cli::read_input("iota", square)) == std::vector<double>{0, 1, 2, 3});
  CHECK(values(cli::read_input("ones", square)) == std::vector<double>{1, 1, 1, 1});
  const auto once = values(cli::read_input("random(seed=7,dist=normal,mean=0,std=1)", square));
  CHECK(once == values(cli::read_input("random(std=1,seed=7,dist=normal)", square)));
  CHECK(once != values(cli::read_input("random(seed=8,dist=normal)", square)));
  for (const char* seed : {"random(seed=-1)", "random(seed=1e30)", "random(seed=1.5)"})
    CHECK_THROWS_AS(cli::read_input(seed, square), schema::Error);
  const Slot many{"x", {DataType::float32, {100000}}};
  const cli::Statistics normal = cli::statistics_of(cli::read_input("random(dist=normal,mean=3,std=2)", many));
  CHECK(normal.mean == doctest::Approx(3).epsilon(0.02));
  const cli::Statistics uniform = cli::statistics_of(cli::read_input("random(low=-1,high=1)", many));
  CHECK(uniform.min.as_double() >= -1);
  CHECK(uniform.max.as_double() <= 1);
  CHECK(uniform.mean == doctest::Approx(0).epsilon(0.02));
  CHECK_THROWS_AS(cli::read_input("random(sed=7)", square), Error);
  CHECK_THROWS_AS(cli::read_input("random(seed=x)", square), Error);
  CHECK_THROWS_AS(cli::read_input("random(dist=cauchy)", square), Error);
  CHECK_THROWS_AS(cli::read_input("random(seed=7", square), Error);
}

TEST_CASE("cli input: raw and .npy files") {
  const ScratchFolder scratch;
  const float data[] = {1, 2, 3, 4};
  write_file(scratch.path() / "x.bin", std::string(reinterpret_cast<const char*>(data), sizeof data));
  CHECK(values(cli::read_input("2x2:float32=@" + (scratch.path() / "x.bin").string(), square)) ==
        std::vector<double>{1, 2, 3, 4});
  cli::write_whole_file(scratch.path() / "x.npy",
                        compiler::npy_bytes(square.descriptor, std::as_bytes(std::span(data))));
  CHECK(values(cli::read_input("@" + (scratch.path() / "x.npy").string(), square)) == std::vector<double>{1, 2, 3, 4});
  const Slot other{"y", {DataType::float32, {4}}};
  CHECK_THROWS_AS(cli::read_input("@" + (scratch.path() / "x.npy").string(), other), Error);
  CHECK_THROWS_AS(cli::read_input("@" + (scratch.path() / "missing.npy").string(), square), Error);
}

TEST_CASE("cli input: a tensor of a safetensors file") {
  const ScratchFolder scratch;
  const float data[] = {1, 2, 3, 4};
  std::string header = R"({"w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}})";
  const std::uint64_t length = header.size();
  write_file(scratch.path() / "w.safetensors", std::string(reinterpret_cast<const char*>(&length), 8) + header +
                                                   std::string(reinterpret_cast<const char*>(data), sizeof data));
  const std::string file = "@" + (scratch.path() / "w.safetensors").string();
  CHECK(values(cli::read_input(file + "#w", square)) == std::vector<double>{1, 2, 3, 4});
  CHECK_THROWS_AS(cli::read_input(file + "#v", square), Error);
  const Slot other{"y", {DataType::float32, {4}}};
  CHECK_THROWS_AS(cli::read_input(file + "#w", other), Error);
}

TEST_CASE("cli output: names become file names that stay in their folder") {
  CHECK(cli::file_name_of("scores") == "scores");
  CHECK(cli::file_name_of("../a/b") == "%2E.%2Fa%2Fb");
  CHECK(cli::file_name_of("input.1") == "input.1");
  CHECK(cli::file_name_of("\xc3\xa4:0") == "%C3%A4%3A0");
  const ScratchFolder scratch;
  cli::write_whole_file(scratch.path() / "new/folder/f", "abc");
  CHECK(read_file(scratch.path() / "new/folder/f") == "abc");
  CHECK_THROWS_AS(cli::write_whole_file(scratch.path() / "new/folder", "abc"), Error);
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path() / "new"), {}) == 1);
}

TEST_CASE("cli summary: statistics leave NaN out, ranking is stable") {
  const auto tensor = cli::read_input("[1, 5, 5, -2]", square);
  CHECK(cli::statistics_of(tensor).max == 5);
  CHECK(cli::statistics_of(tensor).mean == 2.25);
  const auto best = cli::best_elements(tensor, 3);
  REQUIRE(best.size() == 3);
  CHECK(best[0].index == 1);
  CHECK(best[1].index == 2);
  CHECK(best[2].index == 0);
  CHECK(cli::first_values(cli::read_input("[0.1, 2, 3, 4]", square), 2) == "0.1, 2, ...");
}

/// A picture as an uncompressed PNG would need a writer; a PPM-like struct is enough for the scaler.
TEST_CASE("cli picture: scaling keeps flat colour and averages when it shrinks") {
  cli::Picture flat{5, 3, std::vector<std::uint8_t>(45, 200)};
  for (const std::uint8_t value : cli::scale(flat, 9, 7).rgb) CHECK(value == 200);
  cli::Picture stripes{4, 1, {0, 0, 0, 100, 100, 100, 0, 0, 0, 100, 100, 100}};
  const cli::Picture half = cli::scale(stripes, 1, 1);
  CHECK(int(half.rgb[0]) == 50);
}

TEST_CASE("cli picture: a damaged file is an error, not a crash") {
  const ScratchFolder scratch;
  const Slot image{"x", {DataType::float32, {1, 3, 2, 2}}};
  write_file(scratch.path() / "a.jpg", std::string("\xff\xd8\xff\xe0garbage", 11));
  write_file(scratch.path() / "a.png", std::string("\x89PNG\r\n\x1a\ngarbage", 15));
  write_file(scratch.path() / "a.txt", "hello");
  for (const char* name : {"a.jpg", "a.png", "a.txt", "missing.png"})
    CHECK_THROWS_AS(cli::read_picture_input("@" + (scratch.path() / name).string(), image), Error);
}

TEST_CASE("cli input: a picture that is given as an array gets the right option for a hint") {
  const auto hint_of = [](const std::string& spec) {
    try {
      cli::read_input(spec, square);
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string();
  };
  CHECK(hint_of("@photo.jpg") == "--image " + square.name + "=@photo.jpg reads pictures");
}

TEST_CASE("cli picture: one channel is grey, and integer pixels are rounded and kept in range") {
  WEBNN_REQUIRE_CORPUS(corpus);
  const std::string file = "@" + (corpus / "models/squeezenet1.1/goldfish.jpg").string();
  const auto read = [&](schema::DataType type, const schema::Shape& shape, const std::string& parts) {
    return values(cli::read_picture_input(file + parts, Slot{"x", {type, shape}}));
  };
  const auto colours = read(DataType::float32, {1, 16, 20, 3}, "");
  const auto grey = read(DataType::float32, {1, 1, 16, 20}, ",scale:1/255"),
             grey_last = read(DataType::float32, {16, 20, 1}, "");
  const auto bytes = read(DataType::uint8, {1, 16, 20, 3}, ",scale:2"),
             centred = read(DataType::int8, {1, 3, 16, 20}, ",mean:128");
  for (std::size_t i = 0; i < 16 * 20; ++i) {
    const double luma = 0.299 * colours[3 * i] + 0.587 * colours[3 * i + 1] + 0.114 * colours[3 * i + 2];
    CHECK(grey[i] == doctest::Approx(luma / 255));
    CHECK(grey_last[i] == doctest::Approx(luma));
    CHECK(bytes[3 * i] == std::min(2 * colours[3 * i], 255.0));
    CHECK(centred[i] == colours[3 * i] - 128);
  }
  CHECK_THROWS_AS(read(DataType::int32, {1, 3, 16, 20}, ""), Error);
  CHECK_THROWS_AS(read(DataType::float32, {1, 2, 16, 20}, ""), Error);
}

TEST_CASE("cli picture: a real JPEG becomes a normalised tensor") {
  WEBNN_REQUIRE_CORPUS(corpus);
  const std::string file = "@" + (corpus / "models/squeezenet1.1/goldfish.jpg").string();
  const Slot nchw{"x", {DataType::float32, {1, 3, 32, 48}}};
  const Slot nhwc{"x", {DataType::float32, {1, 32, 48, 3}}};
  const auto first = values(cli::read_picture_input(file + ",order:bgr,mean:104:117:123", nchw));
  const auto last = values(cli::read_picture_input(file + ",order:rgb", nhwc));
  for (std::size_t pixel = 0; pixel < 32 * 48; pixel += 97) {
    CHECK(first[pixel] == doctest::Approx(last[pixel * 3 + 2] - 104));
    CHECK(first[2 * 32 * 48 + pixel] == doctest::Approx(last[pixel * 3] - 123));
  }
  CHECK_THROWS_AS(cli::read_picture_input(file + ",size:10x10", nchw), Error);
  CHECK_THROWS_AS(cli::read_picture_input(file + ",colour:bgr", nchw), Error);
  CHECK_THROWS_AS(cli::read_picture_input(file + ",layout:nhwc", nchw), Error);
}

}  // namespace
}  // namespace webnn::tests::inputs_test
