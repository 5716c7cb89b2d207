// A stranger's graph that was made to have the checksums of a trusted one must not decide the trusted one's results:
// XXH3 shows damage, but its second preimages are linear algebra.
#include <array>
#include <cstring>
#include <doctest/doctest.h>

#define XXH_STATIC_LINKING_ONLY
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "schema/file/checksum.hpp"
#include "schema/file/keyed_hash.hpp"
#include "schema/text.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::same_checksum_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::schema;

std::uint64_t word_at(const void* place) {
  std::uint64_t word;
  std::memcpy(&word, place, sizeof word);
  return word;
}

/// Content with the same XXH3 whose first 14 stripes of 64 bytes are `wanted`; the next two make up for that. An
/// accumulator of XXH3 adds one word and the product of the halves of its neighbour: with halves chosen so that the
/// product is 0 or known, the sums are solved lane by lane.
std::string forged(const std::string& content, float wanted) {
  const auto* const secret = reinterpret_cast<const unsigned char*>(XXH3_kSecret);
  std::string result = content;
  for (std::size_t at = 0; at < 14 * 64; at += sizeof wanted) std::memcpy(result.data() + at, &wanted, sizeof wanted);
  std::array<std::uint64_t, 8> right{}, wrong{};
  for (int stripe = 0; stripe < 16; ++stripe)
    for (int lane = 0; lane < 8; ++lane) {
      const std::uint64_t key = word_at(secret + 8 * stripe + 8 * lane);
      const auto add = [&](std::array<std::uint64_t, 8>& sums, const std::string& from) {
        const std::uint64_t word = word_at(from.data() + 64 * stripe + 8 * lane), mixed = word ^ key;
        sums[std::size_t(lane ^ 1)] += word;
        sums[std::size_t(lane)] += (mixed & 0xffffffff) * (mixed >> 32);
      };
      add(right, content);
      if (stripe < 14) add(wrong, result);
    }
  for (int lane = 0; lane < 8; ++lane) {
    const std::uint64_t missing = right[std::size_t(lane ^ 1)] - wrong[std::size_t(lane ^ 1)];
    const std::uint64_t high = word_at(secret + 8 * 14 + 8 * lane) >> 32;
    const std::uint64_t low = word_at(secret + 8 * 15 + 8 * lane) & 0xffffffff;
    const std::uint64_t rest = missing - low - (high << 32);
    const std::uint64_t first = (rest & 0xffffffff) | (high << 32), second = low | (rest >> 32 << 32);
    std::memcpy(result.data() + 64 * 14 + 8 * lane, &first, sizeof first);
    std::memcpy(result.data() + 64 * 15 + 8 * lane, &second, sizeof second);
  }
  return result;
}

std::string run(const fs::path& graph, const char* cache) {
  const CommandResult result = webnn_cli(
      {"run", graph.string(), "--fill", "ones", "--output-format", "json", std::string("--no-cache=") + cache});
  CAPTURE(result.err);
  CHECK(result.code == 0);
  return result.out;
}

HashKey key_of(std::uint8_t seed) {
  std::array<std::byte, HashKey::bytes> secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = std::byte((i * 167 + 13 + seed) * (i + 7 + seed) >> 3);
  return HashKey(secret);
}

}  // namespace

TEST_CASE("security: a graph with the checksums of a trusted one does not decide its results through the cache") {
  const ScratchFolder scratch;
  setenv("XDG_CACHE_HOME", scratch.path().c_str(), 1);
  const fs::path trusted = scratch.path() / "trusted.wnnb", forgery = scratch.path() / "forgery.wnnb";
  std::string bytes;
  for (int i = 0; i < 2048; ++i) bytes += (i ? "," : "") + std::to_string(i * 37 % 64);
  write_file(scratch.path() / "g.json", R"({"format":"webnn-graph-json","version":2,
    "inputs":{"x":{"dataType":"float32","shape":[1,16]}},
    "consts":{"w":{"dataType":"float32","shape":[16,32],"init":{"kind":"inlineBytes","bytes":[)" +
                                            bytes + R"(]}}},
    "nodes":[{"id":"y","op":"matmul","inputs":["x","w"]}],"outputs":{"y":"y"}})");
  REQUIRE(webnn_cli({"convert", (scratch.path() / "g.json").string(), "-o", trusted.string()}).code == 0);
  std::string file = read_file(trusted);
  const std::size_t at = file.size() - 2048;
  const std::string other = forged(file.substr(at), -666);
  REQUIRE(checksum_of(other) == checksum_of(file.substr(at)));
  REQUIRE(other != file.substr(at));
  write_file(forgery, file.substr(0, at) + other);

  const std::string right = run(trusted, "true");
  CHECK(run(forgery, "false") != right);
  CHECK(run(trusted, "false") == right);
  CHECK(run(trusted, "false") == right);
  setenv("XDG_CACHE_HOME", "/nonexistent/cache-of-tests", 1);
}

TEST_CASE("security: hashes for strangers' content differ where the content does, and with the key") {
  const HashKey key = key_of(1);
  std::string content(4096, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = char(i * i >> 4);
  const std::string whole = key.hash_of(content);
  CHECK(whole.size() == 32);
  CHECK(whole == key.hash_of(content));
  CHECK(whole != key_of(2).hash_of(content));
  for (const std::size_t length : {0, 1, 8, 1023, 1024, 1025, 2048, 4095}) {
    const std::string start = content.substr(0, std::size_t(length));
    CHECK(key.hash_of(start) != whole);
    CHECK(key.hash_of(start + '\0') != key.hash_of(start));  // zeros count
  }
  for (std::size_t i = 0; i < content.size(); i += 41) {
    std::string changed = content;
    changed[i] ^= 1;
    CHECK(key.hash_of(changed) != whole);
  }
  CHECK(key.hash_of(forged(content, 1)) != whole);
}

TEST_CASE("security: the hash for strangers' content is the polynomial that it is said to be") {
  // With all pairs of the key 0, NH of a block is the sum of the products of its words; here the only block is 3 * 5.
  std::array<std::byte, HashKey::bytes> secret{};
  const std::uint64_t point = 1000;
  std::memcpy(secret.data() + 1024, &point, sizeof point);
  const std::uint64_t words[] = {3, 5};
  // ((1 * 1000 + 15) * 1000 + 0) * 1000 + 16
  CHECK(HashKey(secret).hash_of(std::as_bytes(std::span(words))) == "0000000000000000000000003c7fabd0");
  // 2^126 * 2 is 1 modulo 2^127 - 1.
  const std::uint64_t high = std::uint64_t{1} << 62;
  std::memcpy(secret.data() + 1024, "\0\0\0\0\0\0\0\0", 8);
  std::memcpy(secret.data() + 1032, &high, sizeof high);
  const std::uint64_t two[] = {1, 0};  // NH is 0: 1 * k * k * k + 16 with k = 2^126, whose cube is 2^(378 mod 127)
  const std::string hash = HashKey(secret).hash_of(std::as_bytes(std::span(two)));
  const bool is_expected = hash == "10000000000000000000000000000010";
  CHECK_MESSAGE(is_expected, hash);
}

}  // namespace webnn::tests::same_checksum_test
