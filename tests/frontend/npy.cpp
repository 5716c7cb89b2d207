// NumPy files: what is read, what is refused, and that written files read back.
#include "compiler/frontend/npy.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::npy_test {
namespace {

using namespace webnn::compiler;

Bytes bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return Bytes(std::vector<std::byte>(first, first + text.size()));
}

/// A .npy file of version 1 with this header and these data.
Bytes npy(std::string header, std::string_view data) {
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += char(header.size() & 255);
  text += char(header.size() >> 8);
  return bytes_of((text += header) += data);
}

std::string refusal(const Bytes& content) {
  try {
    parse_npy(content, "x.npy");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::invalid_input);
    return error.what();
  }
  return "read";
}

std::string text_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()};
}

}  // namespace

TEST_CASE("npy: what is written reads back, for every data type") {
  for (std::size_t i = 0; i < data_type_count; ++i) {
    const auto type = DataType(i);
    if (bits_of(type) == 4) continue;
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}}) {
      const OperandDescriptor descriptor{type, shape};
      std::vector<std::byte> data(byte_length(descriptor));
      for (std::size_t k = 0; k < data.size(); ++k) data[k] = std::byte(k * 7 + i);
      const std::string file = npy_bytes(descriptor, data);
      const auto header_end = file.find('\n');
      CHECK((header_end + 1) % 64 == 0);
      const Tensor tensor = parse_npy(bytes_of(file), "x.npy");
      CHECK(tensor.descriptor == descriptor);
      CHECK(std::ranges::equal(tensor.data.view(), data));
    }
  }
}

TEST_CASE("npy: 4-bit integers are widened to 8 bits") {
  const std::vector<std::byte> packed{std::byte{0xf1}, std::byte{0x08}};  // 1, -1, -8
  const Tensor tensor = parse_npy(bytes_of(npy_bytes({DataType::int4, {3}}, packed)), "x.npy");
  CHECK(tensor.descriptor == OperandDescriptor{DataType::int8, {3}});
  CHECK(text_of(tensor) == "\x01\xff\xf8");
}

TEST_CASE("npy: Fortran order and big-endian numbers are converted") {
  const Tensor columns = parse_npy(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "adbecf"), "x.npy");
  CHECK(text_of(columns) == "abcdef");
  const Tensor big = parse_npy(npy("{'shape': (2,), 'fortran_order': False, 'descr': '>i4', }", "dcbahgfe"), "x.npy");
  CHECK(text_of(big) == "abcdefgh");
  CHECK(big.descriptor.type == DataType::int32);
}

TEST_CASE("npy: anything else is refused with a reason") {
  CHECK(refusal(bytes_of("PK")) == "'x.npy': this is not a .npy file");
  CHECK(refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", "12345678")) ==
        "'x.npy': the element type '<f8' is not supported");
  CHECK(refusal(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "")).find("'|O'") != std::string::npos);
  CHECK(refusal(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "")) ==
        "'x.npy': structured element types are not supported");
  CHECK(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234")) ==
        "'x.npy': float32[2] needs 8 bytes of data, the file has 4");
  CHECK(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", "")).find("dimension 0") !=
        std::string::npos);
  CHECK(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647)}", "")) != "read");
  CHECK(refusal(npy("{'descr': '<f4', 'fortran_order': False}", "")) == "'x.npy': the .npy header has no 'shape'");
  CHECK(refusal(bytes_of(std::string("\x93NUMPY\x02\x00\x00\x00\x00\x7f", 12))).find("longer than 64 KiB") !=
        std::string::npos);
}

TEST_CASE("npy: a file with bytes changed at random never crashes the reader") {
  const std::string good = npy_bytes({DataType::float32, {2, 3}}, std::vector<std::byte>(24));
  std::uint32_t state = 1;
  const auto random = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 5000; ++round) {
    std::string bad = good;
    for (std::size_t edits = 1 + random(4); edits > 0; --edits) bad[random(bad.size())] = char(random(256));
    if (random(4) == 0) bad.resize(random(bad.size()));
    try {
      const Tensor tensor = parse_npy(bytes_of(bad), "x.npy");
      CHECK(tensor.data.size() == byte_length(tensor.descriptor));
    } catch (const Error&) {
    }
  }
}

TEST_CASE("npy: an array over the limit is a matter of resources, not of the file") {
  const std::string six = npy_bytes({DataType::float32, {2, 3}}, std::vector<std::byte>(24));
  CHECK(parse_npy(bytes_of(six), "x.npy", 24).data.size() == 24);
  try {
    parse_npy(bytes_of(six), "x.npy", 23);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::resource);
    CHECK(std::string(error.what()) == "'x.npy': float32[2, 3] takes 24 bytes, but the limit of a tensor is 23");
    CHECK(error.hint() == "--max-tensor-bytes raises the limit");
  }
}

TEST_CASE("mapped file: only files of the folder itself are opened") {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "model";
  write_file(scratch.path() / "secret", "secret");
  write_file(folder / "below" / "a.weights", "abcd");
  write_file(folder / "linked-twice", "x");
  write_file(folder / "empty", "");
  std::filesystem::create_hard_link(folder / "linked-twice", scratch.path() / "elsewhere");
  std::filesystem::create_symlink("../secret", folder / "out");
  std::filesystem::create_symlink("below/a.weights", folder / "in");
  std::filesystem::create_symlink(scratch.path(), folder / "up");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);

  using Status = FileBeneath::Status;
  const auto status = [&](std::string_view name) { return map_beneath(folder, name).status; };
  const FileBeneath file = map_beneath(folder, "below/a.weights");
  REQUIRE(file.status == Status::mapped);
  CHECK(file.bytes.size() == 4);
  CHECK(std::memcmp(file.bytes.data(), "abcd", 4) == 0);
  CHECK(status("empty") == Status::mapped);
  CHECK(status("none") == Status::absent);
  CHECK(status("below/none") == Status::absent);
  CHECK(status("../secret") == Status::unsafe);
  CHECK(status("below/../../secret") == Status::unsafe);
  CHECK(status((scratch.path() / "secret").string()) == Status::unsafe);
  CHECK(status("") == Status::unsafe);
  CHECK(status("out") == Status::unsafe);
  CHECK(status("up/secret") == Status::unsafe);
  CHECK(status("linked-twice") == Status::unsafe);
  CHECK(status("pipe") == Status::unsafe);
  CHECK(status("below") == Status::unsafe);
}

}  // namespace webnn::tests::npy_test
