// The proof of a program, and every kind of damage that it must catch.
#include "schema/verify_program.hpp"

#include <doctest/doctest.h>
#include <functional>
#include <string>

#include "api/kernels.hpp"
#include "schema/kernels/line_window.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::verify_program_test {
namespace {

using namespace webnn::schema;

OperandDescriptor f32(std::initializer_list<std::uint32_t> sizes) { return {DataType::float32, Shape(sizes)}; }

Slot place(Slot::Kind kind, std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) {
  return {kind, index, offset, bytes};
}

Attributes absent(OperatorId op) { return Attributes(row(op).attributes.size()); }

Step step(OperatorId op, std::string_view kernel, std::vector<std::uint32_t> inputs,
          std::vector<std::uint32_t> outputs) {
  return {*api::find_kernel(kernel), op, absent(op), {}, std::move(inputs), std::move(outputs),
          std::string(row(op).name)};
}

enum : std::uint32_t { x, w, a, flat, b, c, square, y };

///   a = relu(x)              arena 0
///   flat = reshape(a)        a view of a, no step
///   b = add(flat, w)         arena 64, because a is needed below
///   c = relu(b)              in place over b
///   square = reshape(c)      a view of c, no step
///   y = add(a, square)       the caller's output
Program good_program() {
  Program program;
  program.name = "good";
  program.inputs = {{"x", f32({2, 3}), x}, {"unused", f32({5}), no_index}};
  program.outputs = {{"y", f32({2, 3}), y}};
  program.constants = {Bytes(std::vector<std::byte>(24))};
  program.arena_bytes = 128;
  program.values = {
      {"x", f32({2, 3}), Layout::row_major, place(Slot::Kind::input, 0, 0, 24), no_index},
      {"w", f32({6}), Layout::row_major, place(Slot::Kind::constant, 0, 0, 24), no_index},
      {"a", f32({2, 3}), Layout::row_major, place(Slot::Kind::arena, 0, 0, 24), no_index},
      {"flat", f32({6}), Layout::row_major, place(Slot::Kind::arena, 0, 0, 24), a},
      {"b", f32({6}), Layout::row_major, place(Slot::Kind::arena, 0, 64, 24), no_index},
      {"c", f32({6}), Layout::row_major, place(Slot::Kind::arena, 0, 64, 24), no_index},
      {"square", f32({2, 3}), Layout::row_major, place(Slot::Kind::arena, 0, 64, 24), c},
      {"y", f32({2, 3}), Layout::row_major, place(Slot::Kind::output, 0, 0, 24), no_index},
  };
  program.steps = {
      step("relu"_op, "reference.unary", {x}, {a}),
      step("add"_op, "reference.binary", {flat, w}, {b}),
      step("relu"_op, "reference.unary", {b}, {c}),
      step("add"_op, "reference.binary", {a, square}, {y}),
  };
  return program;
}

/// Each step is maxPool2d of the one before; of all results but the last there are only lines.
///   pooled0 = maxPool2d(x), .. , y = maxPool2d(pooled)
Program program_of_lines(std::size_t steps, DataType type = DataType::float32) {
  const OperandDescriptor image{type, Shape({1, 8, 1, 1})};
  const std::uint64_t bytes = byte_length(image);
  Program program;
  program.inputs = {{"x", image, 0, Layout::channels_last}};
  program.values = {{"x", image, Layout::channels_last, place(Slot::Kind::input, 0, 0, bytes), no_index}};
  const std::string kernel = all_simd_rows(type == DataType::float32 ? "pool2d" : "maxPool2d").back();
  program.target.features = row(*api::find_kernel(kernel)).features;
  for (std::uint32_t i = 0; i < steps; ++i) {
    program.steps.push_back(step("maxPool2d"_op, kernel, {i}, {i + 1}));
    program.values.push_back(
        {"pooled" + std::to_string(i), image, Layout::channels_last, place(Slot::Kind::lines, 0, 0, bytes), no_index});
  }
  program.values.back().slot = place(Slot::Kind::output, 0, 0, bytes);
  program.outputs = {{"y", image, std::uint32_t(steps), Layout::channels_last}};
  return program;
}

std::string all_of(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

}  // namespace

TEST_CASE("verify_program: a correct program has no problems") {
  CHECK(all_of(verify_program(good_program())) == "");
  CHECK(all_of(verify_program(Program{})) == "");
}

TEST_CASE("verify_program: lines pass from a step to the next one alone, and what these steps read stays") {
  CHECK(all_of(verify_program(program_of_lines(2))) == "");
  CHECK(all_of(verify_program(program_of_lines(most_steps_in_bands))) == "");
  const auto problem = [](Program program, void (*damage)(Program&)) {
    damage(program);
    return all_of(verify_program(program));
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  CHECK(has(all_of(verify_program(program_of_lines(most_steps_in_bands + 1))), "steps would run in bands"));
  CHECK(has(all_of(verify_program(program_of_lines(2, DataType::int8))), "do not run in bands"));
  CHECK(has(problem(program_of_lines(3), [](Program& p) { p.steps[2].inputs = {1}; }), "does not read its lines"));
  CHECK(
      has(problem(program_of_lines(3), [](Program& p) { p.steps[2].inputs = {1}; }), "only lines in the step before"));
  CHECK(has(problem(program_of_lines(2), [](Program& p) { p.values[1].slot.index = 1; }), "lines have no index"));
  CHECK(has(problem(program_of_lines(2), [](Program& p) { p.values[1].slot.bytes += 1; }), "its place has 33 bytes"));
  CHECK(has(problem(program_of_lines(2), [](Program& p) { p.values[2].slot.kind = Slot::Kind::lines; }),
            "its value lies elsewhere"));
  CHECK(has(problem(program_of_lines(2),
                    [](Program& p) {
                      p.values.push_back(p.values[1]);
                      p.values.back().view_of = 1;
                    }),
            "there are only lines has no views"));
  // pooled0 in the arena is read until the last step that runs together with its reader.
  const auto overwrite = [](Program& p) {
    const std::uint64_t bytes = p.values[1].slot.bytes;
    p.arena_bytes = 64;
    p.values[1].slot = p.values[3].slot = place(Slot::Kind::arena, 0, 0, bytes);
  };
  CHECK(has(problem(program_of_lines(4), overwrite), "which is still needed"));
  CHECK(problem(program_of_lines(4), [](Program& p) {
          const std::uint64_t bytes = p.values[1].slot.bytes;
          p.arena_bytes = 128;
          p.values[1].slot = p.values[3].slot = place(Slot::Kind::arena, 0, 0, bytes);
          p.values[2].slot = place(Slot::Kind::arena, 0, 64, bytes);
        }) == "");
}

TEST_CASE("verify_program: every damaged field is found") {
  struct Damage {
    std::string_view expected;  // part of a sentence
    std::function<void(Program&)> apply;
  };
  constexpr std::uint32_t far = 1000;
  const std::vector<Damage> damages = {
      // values
      {"unknown data type", [](Program& p) { p.values[a].descriptor.type = DataType(77); }},
      {"value 2 'a'", [](Program& p) { p.values[a].descriptor.shape[0] = 0; }},
      {"value 2 'a'",
       [](Program& p) {
         p.values[a].descriptor.shape = Shape{0x7fffffff, 0x7fffffff, 0x7fffffff};
       }},
      {"its place has 24 bytes, its descriptor 36", [](Program& p) { p.values[a].descriptor.shape[0] = 3; }},
      {"its place has 25 bytes", [](Program& p) { p.values[a].slot.bytes = 25; }},
      {"only a constant has a private form", [](Program& p) { p.values[a].layout = Layout::private_form; }},
      {"no kernel knows its layout", [](Program& p) { p.values[a].layout = Layout(9); }},
      {"unknown kind of place", [](Program& p) { p.values[a].slot.kind = Slot::Kind(9); }},
      {"there is no input 1000", [](Program& p) { p.values[x].slot.index = far; }},
      {"there is no output 1000", [](Program& p) { p.values[y].slot.index = far; }},
      {"there is no constant 1000", [](Program& p) { p.values[w].slot.index = far; }},
      {"constant 0 has 20 bytes", [](Program& p) { p.constants[0] = Bytes(std::vector<std::byte>(20)); }},
      {"there is no constant 0", [](Program& p) { p.constants.clear(); }},
      {"offset 4 is not aligned", [](Program& p) { p.values[c].slot.offset = 4; }},
      {"outside the arena of 128", [](Program& p) { p.values[b].slot.offset = 128; }},
      {"outside the arena of 128", [](Program& p) { p.values[b].slot.offset = ~std::uint64_t{63}; }},
      {"outside the arena of 80", [](Program& p) { p.arena_bytes = 80; }},
      {"an arena of 18446744073709551615 bytes", [](Program& p) { p.arena_bytes = ~std::uint64_t{0}; }},
      {"has no index", [](Program& p) { p.values[b].slot.index = 1; }},
      {"only a place in the arena has an offset", [](Program& p) { p.values[x].slot.offset = 64; }},
      // views
      {"view of a value that does not exist", [](Program& p) { p.values[flat].view_of = far; }},
      {"view of a view", [](Program& p) { p.values[flat].view_of = flat; }},
      {"view of a value in another place", [](Program& p) { p.values[flat].view_of = b; }},
      {"view of a value in another place", [](Program& p) { p.values[flat].slot.offset = 64; }},
      {"view of a value of another type", [](Program& p) { p.values[flat].descriptor.type = DataType::int32; }},
      {"a packed constant has no views",
       [](Program& p) {
         p.values.push_back(p.values[w]);
         p.values.back().view_of = w;
         p.values[w].layout = Layout::private_form;
         p.values[w].form = "blocked";
       }},
      // bindings
      {"bound to a value that does not exist", [](Program& p) { p.inputs[0].value = far; }},
      {"bound to a value that does not exist", [](Program& p) { p.outputs[0].value = no_index; }},
      {"its descriptor is not that of its value",
       [](Program& p) {
         p.inputs[0].descriptor = f32({3, 2});
       }},
      {"its size is not that of output 0",
       [](Program& p) {
         p.outputs[0].descriptor = f32({3, 3});
       }},
      {"its value lies elsewhere", [](Program& p) { p.outputs[0].value = a; }},
      {"input 0 is bound to another value", [](Program& p) { p.inputs[0].value = no_index; }},
      {"its name is taken", [](Program& p) { p.inputs[1].name = "x"; }},
      {"input 'unused': unknown data type", [](Program& p) { p.inputs[1].descriptor.type = DataType(200); }},
      {"its layout is not that of its value", [](Program& p) { p.outputs[0].layout = Layout::channels_last; }},
      {"only a value of rank 4 has channels", [](Program& p) { p.values[y].layout = Layout::channels_last; }},
      {"its private form has no name", [](Program& p) { p.values[w].layout = Layout::private_form; }},
      {"only a private form has a name", [](Program& p) { p.values[w].form = "blocked"; }},
      // steps
      {"unknown device", [](Program& p) { p.target.device = DeviceKind(5); }},
      {"does not take", [](Program& p) { p.target.device = DeviceKind::vulkan; }},
      {"it has no kernel", [](Program& p) { p.steps[0].kernel = {}; }},
      {"kernel reference.binary does not take this relu", [](Program& p) { p.steps[0].kernel = p.steps[1].kernel; }},
      {"operator number 60000 does not exist", [](Program& p) { p.steps[0].op.index = 60000; }},
      {"relu has 0 attributes, found 1", [](Program& p) { p.steps[0].attributes = Attributes(1); }},
      {"add takes 2 operand places, found 1", [](Program& p) { p.steps[1].inputs.pop_back(); }},
      {"add:", [](Program& p) { p.steps[1].inputs[1] = no_index; }},
      {"it reads value 1000, which has no place", [](Program& p) { p.steps[1].inputs[0] = far; }},
      {"which has no place", [](Program& p) { p.values[flat].slot = {}, p.values[flat].view_of = no_index; }},
      {"it writes value 1000, which has no place", [](Program& p) { p.steps[1].outputs[0] = far; }},
      {"relu has 1 output, found 2", [](Program& p) { p.steps[0].outputs.push_back(b); }},
      {"relu has 1 output, found 0", [](Program& p) { p.steps[2].outputs.clear(); }},
      {"it writes value 0 'x', which never changes", [](Program& p) { p.steps[0].outputs[0] = x; }},
      {"it writes value 1 'w', which never changes", [](Program& p) { p.steps[0].outputs[0] = w; }},
      {"it writes value 3 'flat', which is a view", [](Program& p) { p.steps[0].outputs[0] = flat; }},
      {"a second time", [](Program& p) { p.steps[2].outputs[0] = b; }},
      {"output 0 of add is float32[2, 3], found float32[6]",
       [](Program& p) { p.values[y].descriptor = p.outputs[0].descriptor = f32({6}); }},
      {"operand 0 of post-op relu is the result of step 1, which is not before it",
       [](Program& p) { append_post_op(p.steps[0], "relu"_op, {}, {ResultOf{1}}); }},
      {"post-op relu has no operand 1",
       [](Program& p) {
         append_post_op(p.steps[0], "relu"_op, {}, {ResultOf{0}, ResultOf{0}});
       }},
      {"input 1 of a post-op is absent",
       [](Program& p) {
         append_post_op(p.steps[0], "add"_op, {}, {ResultOf{0}, no_index});
       }},
      {"does not take this relu", [](Program& p) { append_post_op(p.steps[0], "tanh"_op, {}, {ResultOf{0}}); }},
      // memory over time
      {"before that is written", [](Program& p) { std::swap(p.steps[0], p.steps[1]); }},
      {"before that is written", [](Program& p) { p.values[flat].view_of = no_index; }},
      {"before that is written", [](Program& p) { p.steps.erase(p.steps.begin() + 2); }},
      {"output 'y' is never written", [](Program& p) { p.steps.pop_back(); }},
      {"over value 2 'a', which is still needed", [](Program& p) { p.values[b].slot.offset = 0; }},
      {"which is still needed",
       [](Program& p) { p.values[b].slot.offset = p.values[c].slot.offset = p.values[square].slot.offset = 0; }},
      {"which is still needed",
       [](Program& p) {
         p.steps[3].inputs[0] = b, p.values[b].descriptor = f32({2, 3}), p.values[c].descriptor = f32({2, 3}),
         p.values[flat].descriptor = f32({2, 3}), p.values[w].descriptor = f32({2, 3});
       }},
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Program program = good_program();
    damages[i].apply(program);
    const std::string problems = all_of(verify_program(program));
    CHECK_MESSAGE(problems.find(damages[i].expected) != std::string::npos, "damage ", i, " should give '",
                  std::string(damages[i].expected), "', found:\n", problems);
  }
}

TEST_CASE("verify_program: in place only where the kernel row allows it") {
  const auto one_step = [](Step step, const OperandDescriptor& result) {
    // t = relu(x) in the arena; y = step(t) over t; a copy of y leaves the program.
    Program program;
    program.inputs = {{"x", f32({4}), 0}};
    program.outputs = {{"out", result, 3}};
    program.arena_bytes = 64;
    program.values = {
        {"x", f32({4}), Layout::row_major, place(Slot::Kind::input, 0, 0, 16), no_index},
        {"t", f32({4}), Layout::row_major, place(Slot::Kind::arena, 0, 0, 16), no_index},
        {"y", result, Layout::row_major, place(Slot::Kind::arena, 0, 0, byte_length(result)), no_index},
        {"out", result, Layout::row_major, place(Slot::Kind::output, 0, 0, byte_length(result)), no_index},
    };
    program.steps = {verify_program_test::step("relu"_op, "reference.unary", {0}, {1}), std::move(step),
                     verify_program_test::step("identity"_op, "reference.copy", {2}, {3})};
    return all_of(verify_program(program));
  };
  CHECK(one_step(step("tanh"_op, "reference.unary", {1}, {2}), f32({4})) == "");
  CHECK(one_step(step("mul"_op, "reference.binary", {1, 1}, {2}), f32({4})) == "");
  CHECK(one_step(step("mul"_op, "reference.binary", {0, 1}, {2}), f32({4})) == "");
  // softmax has no in-place bit, and a comparison's elements are smaller
  Step softmax = step("softmax"_op, "reference.softmax", {1}, {2});
  softmax.attributes[0] = std::int64_t{0};
  CHECK(one_step(softmax, f32({4})).find("which is still needed") != std::string::npos);
  CHECK(one_step(step("equal"_op, "reference.comparison", {1, 1}, {2}), {DataType::uint8, Shape{4}})
            .find("which is still needed") != std::string::npos);
}

}  // namespace webnn::tests::verify_program_test
