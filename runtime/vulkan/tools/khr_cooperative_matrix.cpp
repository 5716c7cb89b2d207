#include "runtime/vulkan/tools/khr_cooperative_matrix.hpp"

#include <array>
#include <map>
#include <utility>

#include "runtime/vulkan/kernels/spirv_instructions.hpp"

namespace webnn::runtime::vulkan {
namespace {

using namespace spirv;

enum Operation : Word {
  op_extension = 10,
  op_capability = 17,
  op_type_int = 21,
  op_constant_true = 41,
  op_constant_false = 42,
  op_constant = 43,
  op_spec_constant_op = 52,
  op_decorate = 71,
  op_type_matrix_khr = 4456,
  op_load_khr = 4457,
  op_store_khr = 4458,
  op_mul_add_khr = 4459,
  op_type_matrix_nv = 5358,
  op_load_nv = 5359,
  op_store_nv = 5360,
  op_mul_add_nv = 5361,
  op_length_nv = 5362,
};

constexpr Word capability_nv = 5357, capability_khr = 6022;
constexpr Word decoration_spec_id = 1;
constexpr Word spec_m = 11, spec_n = 12, spec_k = 13;
constexpr char extension_nv[] = "SPV_NV_cooperative_matrix", extension_khr[] = "SPV_KHR_cooperative_matrix";

class Translation {
 public:
  explicit Translation(std::span<const Word> module) : module_(module) {
    for_each(body_of(module), [&](const Instruction& instruction, std::size_t) { learn(instruction); });
    if (uint_type_ == 0) refuse("it has no unsigned integers");
  }

  std::vector<Word> run() {
    result_.assign(module_.begin(), module_.begin() + header_words);
    for_each(body_of(module_), [&](const Instruction& instruction, std::size_t) { translate(instruction); });
    return std::move(result_);
  }

 private:
  static void need(const Instruction& instruction, std::size_t words) {
    if (instruction.words.size() < words) refuse("an instruction is too short");
  }

  void learn(const Instruction& instruction) {
    const auto& w = instruction.words;
    switch (instruction.operation) {
      case op_decorate:
        need(instruction, 3);
        if (w.size() > 3 && w[2] == decoration_spec_id) spec_ids_[w[1]] = w[3];
        break;
      case op_constant_true:
      case op_constant_false:
        need(instruction, 3);
        booleans_[w[2]] = instruction.operation == op_constant_true;
        break;
      case op_type_int:
        need(instruction, 4);
        if (w[2] == 32 && w[3] == 0) uint_type_ = w[1];
        break;
      default:
        break;
    }
  }

  void translate(const Instruction& instruction) {
    const auto& w = instruction.words;
    switch (instruction.operation) {
      case op_capability:
        need(instruction, 2);
        return write(op_capability, {w[1] == capability_nv ? capability_khr : w[1]});
      case op_extension: {
        const std::string name = text_of(w.subspan(1));
        const std::vector<Word> words = literal(name == extension_nv ? extension_khr : name);
        return append(result_, op_extension, words);
      }
      case op_type_matrix_nv:
        need(instruction, 6);
        declare_numbers();
        return write(op_type_matrix_khr, {w[1], w[2], w[3], w[4], w[5], numbers_[use_of(w[4], w[5])]});
      case op_load_nv:
        need(instruction, 6);
        return write(op_load_khr, {w[1], w[2], w[3], layout_of(w[5]), w[4]}, w.subspan(6));
      case op_store_nv:
        need(instruction, 5);
        return write(op_store_khr, {w[1], w[2], layout_of(w[4]), w[3]}, w.subspan(5));
      case op_mul_add_nv:
        need(instruction, 6);
        return write(op_mul_add_khr, {w[1], w[2], w[3], w[4], w[5]});
      case op_length_nv:
        refuse("it asks for the length of a cooperative matrix");
      case op_spec_constant_op:
        need(instruction, 4);
        if (w[3] == op_length_nv) refuse("it asks for the length of a cooperative matrix");
        break;
      default:
        break;
    }
    result_.insert(result_.end(), w.begin(), w.end());
  }

  void write(Word operation, std::initializer_list<Word> operands, std::span<const Word> more = {}) {
    std::vector<Word> all(operands);
    all.insert(all.end(), more.begin(), more.end());
    append(result_, operation, all);
  }

  /// The use of a matrix of this size: 0 the first operand, 1 the second, 2 the sums.
  std::size_t use_of(Word rows, Word columns) const {
    const auto spec_id = [&](Word id) {
      const auto found = spec_ids_.find(id);
      return found == spec_ids_.end() ? 0 : found->second;
    };
    const std::pair size(spec_id(rows), spec_id(columns));
    if (size == std::pair(spec_m, spec_k)) return 0;
    if (size == std::pair(spec_k, spec_n)) return 1;
    if (size == std::pair(spec_m, spec_n)) return 2;
    refuse("a cooperative matrix has sizes that do not tell its use");
  }

  /// The layout as a constant: 0 row-major, 1 column-major.
  Word layout_of(Word is_column_major) const {
    const auto found = booleans_.find(is_column_major);
    if (found == booleans_.end() || numbers_[0] == 0) refuse("the layout of a cooperative matrix is no constant");
    return numbers_[found->second ? 1 : 0];
  }

  /// Declares the constants 0, 1 and 2 before the first type that needs them.
  void declare_numbers() {
    if (numbers_[0] != 0) return;
    for (Word value = 0; value < numbers_.size(); ++value) {
      numbers_[value] = result_[id_bound]++;
      write(op_constant, {uint_type_, numbers_[value], value});
    }
  }

  std::span<const Word> module_;
  std::map<Word, Word> spec_ids_;
  std::map<Word, bool> booleans_;
  Word uint_type_ = 0;
  std::array<Word, 3> numbers_{};
  std::vector<Word> result_;
};

}  // namespace

std::vector<std::uint32_t> with_khr_cooperative_matrices(std::span<const std::uint32_t> module) {
  return Translation(module).run();
}

}  // namespace webnn::runtime::vulkan
