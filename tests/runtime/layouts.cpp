// Tensors that keep the layout in which a program left them, until somebody needs another.
#include <cstring>
#include <doctest/doctest.h>
#include <memory>

#include "api/kernels.hpp"
#include "runtime/context.hpp"
#include "runtime/tensors/layout_copy.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/operators/operator_table.hpp"
#include "tests/harness/run_operator.hpp"
#include "tests/runtime/hand_made.hpp"

namespace layouts_test {

using namespace webnn;
using namespace webnn::runtime;
using namespace webnn::tests;

namespace {

constexpr OperandDescriptor image{DataType::float32, Shape{2, 3, 2, 2}};
constexpr TensorDescriptor image_tensor{image, true, true};

/// y = x for a caller whose x lies in one layout and y in another.
Program copy_program(const OperandDescriptor& descriptor, Layout from, Layout to) {
  Program program;
  const std::uint64_t bytes = byte_length(descriptor);
  program.values.push_back({"x", descriptor, from, {Slot::Kind::input, 0, 0, bytes}});
  program.values.push_back({"y", descriptor, to, {Slot::Kind::output, 0, 0, bytes}});
  program.inputs.push_back({"x", descriptor, 0, from});
  program.outputs.push_back({"y", descriptor, 1, to});
  program.steps.push_back(
      {*api::find_kernel("reference.reorder"), *find_any_operator("@reorder"), {}, {}, {0}, {1}, "copy"});
  return program;
}

/// A context and the graphs that read and write one layout.
struct Loaded {
  Loaded() {
    auto owned = std::make_unique<ScriptedDevice>();
    device = owned.get();
    context = std::make_unique<Context>(std::move(owned), 2);
    produce = context->load(copy_program(image, Layout::row_major, Layout::channels_last));
    keep = context->load(copy_program(image, Layout::channels_last, Layout::channels_last));
    consume = context->load(copy_program(image, Layout::channels_last, Layout::row_major));
    plain = context->load(copy_program(image, Layout::row_major, Layout::row_major));
    x = context->create_tensor(image_tensor);
    context->write(x, content.data);
  }
  void run(ExecutableId graph, TensorId from, TensorId to) {
    const NamedTensor in[] = {{"x", from}}, out[] = {{"y", to}};
    context->dispatch(graph, in, out);
  }
  bool holds_content(TensorId tensor) { return context->read(tensor).get() == content.data; }

  tests::TestTensor content = counting(DataType::float32, image.shape);
  ScriptedDevice* device;
  std::unique_ptr<Context> context;
  ExecutableId produce, keep, consume, plain;
  TensorId x;
};

/// Element by element, from the definition of the layouts.
std::vector<std::byte> channels_last_of(const tests::TestTensor& tensor) {
  const Shape& shape = tensor.descriptor.shape;
  std::vector<std::byte> result(tensor.data.size());
  std::size_t index = 0;
  for (std::size_t n = 0; n < shape[0]; ++n)
    for (std::size_t position = 0; position < std::size_t{shape[2]} * shape[3]; ++position)
      for (std::size_t c = 0; c < shape[1]; ++c) {
        const std::size_t from = (n * shape[1] + c) * shape[2] * shape[3] + position;
        const DataType type = tensor.descriptor.type;
        store_element(load_element(type, tensor.data.data(), from), type, result.data(), index++);
      }
  return result;
}

}  // namespace

TEST_CASE("layouts: elements of every size change their order and come back") {
  const Team team(2);
  for (const DataType type :
       {DataType::int4, DataType::uint4, DataType::int8, DataType::float16, DataType::float32, DataType::int64})
    for (const Shape& shape : {Shape{2, 3, 5, 7}, Shape{1, 40, 33, 1}, Shape{3, 1, 4, 4}, Shape{1, 5, 1, 1},
                               Shape{1, 64, 100, 90}, Shape{3, 3, 1, 3}}) {
      const tests::TestTensor row_major = counting(type, shape);
      std::vector<std::byte> last(row_major.data.size()), back(row_major.data.size());
      copy_layout(last, Layout::channels_last, row_major.data, Layout::row_major, row_major.descriptor);
      CHECK(last == channels_last_of(row_major));
      copy_layout(back, Layout::row_major, last, Layout::channels_last, row_major.descriptor);
      CHECK(back == row_major.data);
    }
}

TEST_CASE("layouts: a chain of graphs keeps the kernels' order; a read gives row-major") {
  Loaded loaded;
  Context& context = *loaded.context;
  const TensorId a = context.create_tensor(image_tensor), b = context.create_tensor(image_tensor),
                 c = context.create_tensor(image_tensor);
  loaded.run(loaded.produce, loaded.x, a);
  loaded.run(loaded.keep, a, b);
  loaded.run(loaded.consume, b, c);
  for (const TensorId tensor : {loaded.x, a, b, c}) CHECK(loaded.holds_content(tensor));
  std::vector<std::byte> memory(byte_length(image));
  context.read(b, memory).get();
  CHECK(memory == loaded.content.data);
}

TEST_CASE("layouts: an input in the other order is converted once") {
  Loaded loaded;
  Context& context = *loaded.context;
  const TensorId y = context.create_tensor(image_tensor);
  loaded.run(loaded.keep, loaded.x, y);  // x is row-major now
  context.wait();
  const int before = loaded.device->allocations;
  for (int i = 0; i < 5; ++i) loaded.run(loaded.keep, loaded.x, y);
  CHECK(loaded.holds_content(y));
  CHECK(loaded.holds_content(loaded.x));
  for (int i = 0; i < 5; ++i) {  // graphs that disagree convert to and fro, in memory of the pool
    loaded.run(loaded.plain, loaded.x, y);
    loaded.run(loaded.keep, loaded.x, y);
  }
  CHECK(loaded.holds_content(y));
  CHECK(loaded.device->allocations == before);
}

TEST_CASE("layouts: a write makes a tensor row-major again, zeros are the same in every order") {
  Loaded loaded;
  Context& context = *loaded.context;
  const TensorId y = context.create_tensor(image_tensor), zeros = context.create_tensor(image_tensor);
  loaded.run(loaded.produce, zeros, y);
  CHECK(context.read(y).get() == std::vector<std::byte>(byte_length(image)));
  context.write(y, loaded.content.data);
  CHECK(loaded.holds_content(y));
  loaded.run(loaded.consume, y, zeros);
  CHECK(loaded.holds_content(zeros));
}

TEST_CASE("layouts: memory that others see is always row-major") {
  Loaded loaded;
  Context& context = *loaded.context;
  std::vector<std::byte> memory(byte_length(image));
  const TensorId imported = context.import_tensor(image_tensor, memory);
  const TensorId exportable = context.create_tensor({image, true, true, true});
  const TensorId y = context.create_tensor(image_tensor);

  loaded.run(loaded.produce, loaded.x, imported);
  loaded.run(loaded.keep, imported, exportable);
  loaded.run(loaded.consume, exportable, y);
  context.wait();
  CHECK(memory == loaded.content.data);
  CHECK(loaded.holds_content(y));
  TensorExport exported = context.export_tensor(exportable).get();
  CHECK(std::vector<std::byte>(exported.memory().begin(), exported.memory().end()) == loaded.content.data);
}

TEST_CASE("layouts: a run that fails leaves memory that others see as it was") {
  Loaded loaded;
  Context& context = *loaded.context;
  std::vector<std::byte> memory = loaded.content.data;
  const TensorId imported = context.import_tensor(image_tensor, memory);
  loaded.device->before_submit = [] { throw Error(ExitCode::device, "the device is lost"); };
  const NamedTensor in[] = {{"x", loaded.x}}, out[] = {{"y", imported}};
  CHECK_THROWS_WITH_AS(context.compute(loaded.produce, in, out), "the device is lost", Error);
  CHECK(memory == loaded.content.data);
  CHECK_THROWS_WITH_AS(context.read(imported).get(), "the device is lost", Error);
  loaded.device->before_submit = nullptr;
  context.compute(loaded.produce, in, out);
  CHECK(loaded.holds_content(imported));
}

}  // namespace layouts_test
