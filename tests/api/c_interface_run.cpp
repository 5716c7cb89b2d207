// The C interface: the ways to run a graph, and tensors in memory that others see.
#include <array>
#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <future>
#include <string>

#include "tests/api/c_interface_support.hpp"

namespace webnn::tests::c_interface_run_test {
namespace {

using schema::DataType;
const schema::OperandDescriptor pair{DataType::float32, {2}};
using Pair = std::array<float, 2>;

/// y = x + x
Owned<webnn_graph> doubling(webnn_context* context) {
  const Owned<webnn_builder> builder = make_builder(context);
  const webnn_descriptor descriptor = descriptor_of(pair);
  webnn_operand *x = nullptr, *y = nullptr;
  succeed(webnn_builder_input(builder.get(), "x", &descriptor, &x));
  webnn_operand* const operands[] = {x, x};
  succeed(webnn_builder_call(builder.get(), "add", operands, 2, nullptr, 0, "doubling", &y, 1));
  const webnn_named_operand output{"y", y};
  webnn_graph* graph = nullptr;
  succeed(webnn_builder_build(builder.get(), &output, 1, &graph));
  return Owned<webnn_graph>(graph);
}

void write(webnn_context* context, webnn_tensor* tensor, const Pair& numbers) {
  succeed(webnn_context_write_tensor(context, tensor, numbers.data(), sizeof numbers));
}

Pair read(webnn_context* context, webnn_tensor* tensor) {
  Pair numbers{};
  succeed(webnn_context_read_tensor(context, tensor, numbers.data(), sizeof numbers));
  return numbers;
}

struct Doubling {
  Owned<webnn_context> context = make_context();
  Owned<webnn_graph> graph = doubling(context.get());
  Owned<webnn_tensor> x = make_tensor(context.get(), pair), y = make_tensor(context.get(), pair);
  webnn_named_tensor input{"x", x.get()}, output{"y", y.get()};
};

}  // namespace

TEST_CASE("webnn.h: dispatch, compute, bindings and recorded commands give the same") {
  const Doubling run;
  webnn_context* const context = run.context.get();
  write(context, run.x.get(), {1, 2});
  CHECK(text_of(webnn_context_dispatch(context, run.graph.get(), &run.input, 1, &run.output, 1)).empty());
  CHECK(read(context, run.y.get()) == Pair{2, 4});

  write(context, run.x.get(), {3, 4});
  CHECK(text_of(webnn_context_compute(context, run.graph.get(), &run.input, 1, &run.output, 1)).empty());
  CHECK(read(context, run.y.get()) == Pair{6, 8});

  webnn_bindings* bound = nullptr;
  REQUIRE(text_of(webnn_context_bind(context, run.graph.get(), &run.input, 1, &run.output, 1, &bound)).empty());
  const Owned<webnn_bindings> bindings(bound);
  write(context, run.x.get(), {5, 6});
  CHECK(text_of(webnn_context_dispatch_bindings(context, bindings.get())).empty());
  CHECK(read(context, run.y.get()) == Pair{10, 12});
  write(context, run.x.get(), {7, 8});
  CHECK(text_of(webnn_context_compute_bindings(context, bindings.get())).empty());
  CHECK(read(context, run.y.get()) == Pair{14, 16});

  webnn_encoder* given = nullptr;
  REQUIRE(text_of(webnn_encoder_create(context, &given)).empty());
  const Owned<webnn_encoder> encoder(given);
  CHECK(text_of(webnn_encoder_dispatch(encoder.get(), run.graph.get(), &run.input, 1, &run.output, 1)) ==
        "2: the graph is not initialized");
  CHECK(text_of(webnn_encoder_initialize_graph(encoder.get(), run.graph.get())).empty());
  CHECK(text_of(webnn_encoder_dispatch(encoder.get(), run.graph.get(), &run.input, 1, &run.output, 1)).empty());
  webnn_command_buffer* recorded = nullptr;
  REQUIRE(text_of(webnn_encoder_finish(encoder.get(), &recorded)).empty());
  const Owned<webnn_command_buffer> commands(recorded);
  CHECK(text_of(webnn_encoder_finish(encoder.get(), &recorded)) == "2: the encoder is finished");
  write(context, run.x.get(), {9, 10});
  CHECK(text_of(webnn_context_submit(context, commands.get())).empty());
  CHECK(read(context, run.y.get()) == Pair{18, 20});
}

TEST_CASE("webnn.h: tensors of a dispatch that do not fit are turned down") {
  const Doubling run;
  const auto dispatch = [&](const webnn_named_tensor& input, const webnn_named_tensor& output) {
    return text_of(webnn_context_dispatch(run.context.get(), run.graph.get(), &input, 1, &output, 1));
  };
  CHECK(dispatch({"z", run.x.get()}, run.output).starts_with("2: "));
  CHECK(dispatch(run.input, {"y", run.x.get()}).starts_with("2: "));
  CHECK(dispatch({nullptr, run.x.get()}, run.output) == "2: a tensor's name is null");
  CHECK(dispatch({"x", nullptr}, run.output) == "2: a tensor is null");
  const webnn_named_tensor twice[] = {run.input, run.input};
  CHECK(text_of(webnn_context_dispatch(run.context.get(), run.graph.get(), twice, 2, &run.output, 1)) ==
        "2: inputs has two tensors of one name");
}

TEST_CASE("webnn.h: a read calls back with what went well or wrong") {
  const Doubling run;
  write(run.context.get(), run.x.get(), {1, 2});
  struct Answer {
    std::promise<std::string> text;
    Pair numbers{};
    static void take(const webnn_status* status, void* self) {
      static_cast<Answer*>(self)->text.set_value(webnn_status_message(status));
    }
  } good, bad;
  const auto ask = [&](Answer& answer, std::size_t bytes) {
    return text_of(webnn_context_read_tensor_async(run.context.get(), run.x.get(), answer.numbers.data(), bytes,
                                                   &Answer::take, &answer));
  };
  CHECK(ask(good, sizeof(Pair)).empty());
  CHECK(good.text.get_future().get().empty());
  CHECK(good.numbers == Pair{1, 2});
  CHECK(ask(bad, 3).starts_with("2: "));  // turned down at once: nobody is called
  CHECK(bad.text.get_future().wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  CHECK(text_of(webnn_context_read_tensor_async(run.context.get(), run.x.get(), &bad.numbers, sizeof(Pair), nullptr,
                                                nullptr)) == "2: callback is null");
}

TEST_CASE("webnn.h: releasing a tensor fails its pending reads") {
  const Doubling run;
  const webnn_tensor_options options{sizeof options, WEBNN_FLOAT32, 1, pair.shape.begin(), WEBNN_TENSOR_READABLE, 0};
  webnn_tensor* given = nullptr;
  REQUIRE(text_of(webnn_context_create_tensor(run.context.get(), &options, &given)).empty());
  struct Answers {
    std::promise<void> gate;
    std::promise<std::string> text;
    Pair numbers{};
    static void wait(const webnn_status*, void* self) { static_cast<Answers*>(self)->gate.get_future().wait(); }
    static void take(const webnn_status* status, void* self) {
      static_cast<Answers*>(self)->text.set_value(webnn_status_message(status));
    }
  } answers;
  for (const webnn_callback call : {&Answers::wait, &Answers::take})
    REQUIRE(text_of(webnn_context_read_tensor_async(run.context.get(), given, answers.numbers.data(), sizeof(Pair),
                                                    call, &answers))
                .empty());
  webnn_tensor_release(given);
  answers.gate.set_value();
  CHECK(answers.text.get_future().get() == "the tensor was destroyed before its content was taken");
}

TEST_CASE("webnn.h: the caller's memory is a tensor until it is released") {
  const Doubling run;
  Pair memory{};
  std::atomic<int> releases = 0;
  const webnn_tensor_options options{sizeof options, WEBNN_FLOAT32, 1, pair.shape.begin(), 0, 0};
  webnn_tensor* given = nullptr;
  const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  REQUIRE(text_of(webnn_context_import_memory(run.context.get(), &options, memory.data(), sizeof memory, count,
                                              &releases, &given))
              .empty());
  Owned<webnn_tensor> imported(given);
  write(run.context.get(), run.x.get(), {4, 5});
  const webnn_named_tensor output{"y", imported.get()};
  CHECK(text_of(webnn_context_compute(run.context.get(), run.graph.get(), &run.input, 1, &output, 1)).empty());
  CHECK(memory == Pair{8, 10});
  CHECK(releases == 0);
  imported.reset();
  CHECK(text_of(webnn_context_wait(run.context.get())).empty());
  CHECK(releases == 1);
  CHECK(text_of(webnn_context_import_memory(run.context.get(), &options, memory.data(), 3, nullptr, nullptr, &given))
            .starts_with("2: "));
}

TEST_CASE("webnn.h: an exported tensor's memory is a tensor of another context") {
  const Doubling run, other;
  webnn_tensor_options options{sizeof options, WEBNN_FLOAT32, 1, pair.shape.begin(), WEBNN_TENSOR_EXPORTABLE, 0};
  webnn_tensor *lent = nullptr, *taken = nullptr;
  REQUIRE(text_of(webnn_context_create_tensor(run.context.get(), &options, &lent)).empty());
  const Owned<webnn_tensor> shared(lent);
  webnn_exported_tensor* given = nullptr;
  REQUIRE(text_of(webnn_context_export_tensor(run.context.get(), shared.get(), &given)).empty());
  Owned<webnn_exported_tensor> exported(given);
  void* memory = nullptr;
  std::size_t bytes = 0;
  REQUIRE(text_of(webnn_exported_tensor_memory(exported.get(), &memory, &bytes)).empty());
  REQUIRE(bytes == sizeof(Pair));
  *static_cast<Pair*>(memory) = {6, 7};
  int file = -1;
  REQUIRE(text_of(webnn_exported_tensor_file(exported.get(), &file)).empty());
  options.usage = WEBNN_TENSOR_READABLE;
  REQUIRE(text_of(webnn_context_import_file(other.context.get(), &options, file, 0, &taken)).empty());
  const Owned<webnn_tensor> imported(taken);
  CHECK(read(other.context.get(), imported.get()) == Pair{6, 7});
  exported.reset();  // the file's memory lives on in the import

  const webnn_named_tensor input{"x", shared.get()};
  CHECK(text_of(webnn_context_dispatch(run.context.get(), run.graph.get(), &input, 1, &run.output, 1)).empty());
  CHECK(read(run.context.get(), run.y.get()) == Pair{12, 14});
  CHECK(text_of(webnn_context_export_tensor(run.context.get(), run.x.get(), &given)).starts_with("2: "));
}

TEST_CASE("webnn.h: memory of a device is for devices that have it") {
  const Doubling run;
  webnn_tensor_options options{
      sizeof options, WEBNN_FLOAT32, 1, pair.shape.begin(), WEBNN_TENSOR_EXPORTABLE_ON_DEVICE, 0};
  webnn_tensor* made = nullptr;
  CHECK(text_of(webnn_context_create_tensor(run.context.get(), &options, &made)).starts_with("4: "));
  options.usage = WEBNN_TENSOR_READABLE;
  webnn_device_memory memory{sizeof memory, 0, 0, 0, 64};
  CHECK(text_of(webnn_context_import_device_memory(run.context.get(), &options, &memory, &made)).starts_with("2: "));
  options.usage = WEBNN_TENSOR_EXPORTABLE;
  REQUIRE(text_of(webnn_context_create_tensor(run.context.get(), &options, &made)).empty());
  const Owned<webnn_tensor> shared(made);
  webnn_exported_tensor* given = nullptr;
  REQUIRE(text_of(webnn_context_export_tensor(run.context.get(), shared.get(), &given)).empty());
  const Owned<webnn_exported_tensor> exported(given);
  CHECK(text_of(webnn_exported_tensor_device_memory(exported.get(), &memory)).starts_with("2: "));
}

TEST_CASE("webnn.h: a destroyed context is lost") {
  const Doubling run;
  CHECK(webnn_context_is_lost(run.context.get()) == 0);
  CHECK(text_of(webnn_context_destroy(run.context.get())).empty());
  CHECK(webnn_context_is_lost(run.context.get()) == 1);
  CHECK(text_of(webnn_context_dispatch(run.context.get(), run.graph.get(), &run.input, 1, &run.output, 1))
            .starts_with("2: "));
  CHECK(text_of(webnn_context_destroy(run.context.get())).empty());
}

}  // namespace webnn::tests::c_interface_run_test
