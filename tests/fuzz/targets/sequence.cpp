// Calls of the C interface in any order, on several threads that share a context, a graph and tensors.
#include <array>
#include <cstring>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "api/webnn.h"
#include "schema/operators/operator_table.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/whole_targets.hpp"

namespace webnn::tests {
namespace {

using fuzz::Choices;

/// Objects of one kind that one thread owns; each is released once.
template <typename Object, void (*release)(Object*)>
struct Owned {
  std::vector<Object*> all;
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    for (Object* object : all) release(object);
  }
  void keep(Object* object) {
    if (object) all.push_back(object);
  }
  Object* any(Choices& choices) const { return all.empty() ? nullptr : all[choices.below(std::uint32_t(all.size()))]; }
  void drop(Choices& choices) {
    if (all.empty()) return;
    const std::size_t at = choices.below(std::uint32_t(all.size()));
    release(all[at]);
    all.erase(all.begin() + std::ptrdiff_t(at));
  }
};

constexpr const char* graph_text =
    "webnn_graph \"g\" v1 {\n"
    "  inputs { x: f32[2, 3]; }\n"
    "  nodes { y = relu(x); z = add(y, x); }\n"
    "  outputs { z }\n"
    "}\n";

struct Shared {
  webnn_context* context = nullptr;
  webnn_graph* graph = nullptr;
  webnn_tensor* tensors[3] = {};
  Shared() {
    webnn_context_options options{};
    options.struct_size = sizeof options;
    options.threads = 2;
    options.max_memory = 1 << 22;
    webnn_status_release(webnn_context_create(&options, &context));
    webnn_status_release(webnn_graph_load_text(context, graph_text, std::strlen(graph_text), nullptr, &graph));
    const std::uint32_t shape[] = {2, 3};
    webnn_tensor_options tensor{};
    tensor.struct_size = sizeof tensor;
    tensor.rank = 2;
    tensor.shape = shape;
    tensor.usage = WEBNN_TENSOR_READABLE | WEBNN_TENSOR_WRITABLE | WEBNN_TENSOR_EXPORTABLE;
    for (webnn_tensor*& one : tensors) webnn_status_release(webnn_context_create_tensor(context, &tensor, &one));
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    for (webnn_tensor* one : tensors) webnn_tensor_release(one);
    webnn_graph_release(graph);
    webnn_context_release(context);
  }
};

/// What one thread does.
class Caller {
 public:
  Caller(const Shared& shared, std::string_view bytes) : shared_(shared), choices_(bytes) {}
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() {
    for (webnn_context* context : contexts_.all) webnn_status_release(webnn_context_wait(context));
    webnn_status_release(webnn_context_wait(shared_.context));  // asynchronous reads write to `reads_`
  }

  void run() {
    for (int calls = 0; calls < 40 && !choices_.used_up(); ++calls) call();
  }
  const std::string& broken() const { return broken_; }

 private:
  using Step = void (Caller::*)();

  void call() {
    static constexpr Step steps[] = {
        &Caller::create_context, &Caller::create_tensor, &Caller::create_tensor,  &Caller::write,
        &Caller::read,           &Caller::read_later,    &Caller::create_builder, &Caller::add_input,
        &Caller::add_constant,   &Caller::add_node,      &Caller::add_node,       &Caller::build,
        &Caller::dispatch,       &Caller::dispatch,      &Caller::bind,           &Caller::run_bindings,
        &Caller::encode,         &Caller::submit,        &Caller::lend,           &Caller::load,
        &Caller::describe,       &Caller::release,       &Caller::destroy,        &Caller::wait};
    (this->*steps[choices_.below(std::size(steps))])();
  }

  /// Releases a status; an error must be one of the documented codes, with a sentence.
  bool ok(webnn_status* status) {
    const webnn_code code = webnn_status_code(status);
    if (code == WEBNN_INTERNAL) broken_ = std::string("an internal error: ") + webnn_status_message(status);
    if (status && webnn_status_message(status)[0] == '\0') broken_ = "an error without a message";
    webnn_status_release(status);
    return code == WEBNN_OK;
  }

  webnn_context* context() {
    webnn_context* const own = contexts_.any(choices_);
    return own && choices_.below(3) == 0 ? own : shared_.context;
  }
  webnn_tensor* tensor() {
    webnn_tensor* const own = tensors_.any(choices_);
    return own && choices_.below(2) ? own : shared_.tensors[choices_.below(3)];
  }
  webnn_graph* graph() {
    webnn_graph* const own = graphs_.any(choices_);
    return own && choices_.below(2) ? own : shared_.graph;
  }
  std::uint32_t size() { return choices_.below(8) == 0 ? choices_() : choices_.below(5); }
  webnn_descriptor descriptor() {
    for (std::uint32_t& one : shape_) one = size();
    webnn_descriptor made{};
    made.struct_size = sizeof made;
    made.data_type = choices_.below(4) ? WEBNN_FLOAT32 : webnn_data_type(choices_.below(12)) - 1;
    made.rank = choices_.below(16) ? choices_.below(4) : choices_();
    made.shape = shape_.data();
    return made;
  }

  void create_context() {
    if (contexts_.all.size() > 2) return;
    struct Newer {
      webnn_context_options known{};
      std::uint64_t later[2] = {};
    } newer;
    webnn_context_options& options = newer.known;
    options.struct_size = choices_.below(4) ? sizeof options : choices_.below(sizeof newer);
    options.threads = choices_.below(3);
    options.isa = choices_.below(3) == 0 ? "baseline" : nullptr;
    options.max_memory = choices_.below(3) == 0 ? choices_.below(100000) : 0;
    webnn_context* made = nullptr;
    if (ok(webnn_context_create(&options, &made))) contexts_.keep(made);
  }
  void create_tensor() {
    const webnn_descriptor of = descriptor();
    webnn_tensor_options options{};
    options.struct_size = sizeof options;
    options.data_type = of.data_type;
    options.rank = of.rank;
    options.shape = of.shape;
    options.usage = choices_.below(8);
    webnn_tensor* made = nullptr;
    if (bytes_of(of) > most_bytes) return;
    if (ok(choices_.below(4)
               ? webnn_context_create_tensor(context(), &options, &made)
               : webnn_context_create_constant_tensor(context(), &of, some_bytes(bytes_of(of)), bytes_of(of), &made)))
      tensors_.keep(made);
  }
  void write() {
    webnn_tensor* const to = tensor();
    const std::size_t bytes = choices_.below(4) ? bytes_of(to) : choices_.below(100);
    ok(webnn_context_write_tensor(context(), to, some_bytes(bytes), bytes));
  }
  void read() {
    webnn_tensor* const from = tensor();
    std::vector<char> into(bytes_of(from));
    ok(webnn_context_read_tensor(context(), from, into.data(), into.size()));
  }
  void read_later() {
    webnn_tensor* const from = tensor();
    std::vector<char>& into = reads_.emplace_back(bytes_of(from));
    ok(webnn_context_read_tensor_async(
        context(), from, into.data(), into.size(), [](const webnn_status*, void*) {}, nullptr));
  }
  void create_builder() {
    webnn_builder* made = nullptr;
    if (builders_.all.size() < 3 && ok(webnn_builder_create(context(), &made))) {
      builders_.keep(made);
      operands_.emplace_back();
    }
  }
  /// A builder's place; false when there is none.
  bool choose_builder() {
    if (builders_.all.empty()) return false;
    builder_ = choices_.below(std::uint32_t(builders_.all.size()));
    return true;
  }
  webnn_operand* operand() {
    auto& of = operands_[choices_.below(16) ? builder_ : choices_.below(std::uint32_t(operands_.size()))];
    return of.empty() ? nullptr : of[choices_.below(std::uint32_t(of.size()))];
  }
  void add_input() {
    static constexpr const char* names[] = {"x", "y", "z", "", "x"};
    webnn_operand* made = nullptr;
    const webnn_descriptor of = descriptor();
    if (choose_builder() &&
        ok(webnn_builder_input(builders_.all[builder_], names[choices_.below(std::size(names))], &of, &made)))
      operands_[builder_].push_back(made);
  }
  void add_constant() {
    webnn_operand* made = nullptr;
    const webnn_descriptor of = descriptor();
    const std::size_t bytes = bytes_of(of);
    if (!choose_builder() || bytes > most_bytes) return;
    if (ok(choices_.below(4) ? webnn_builder_constant(builders_.all[builder_], &of, some_bytes(bytes), bytes, &made)
                             : webnn_builder_constant_tensor(builders_.all[builder_], tensor(), &made)))
      operands_[builder_].push_back(made);
  }
  void add_node() {
    if (!choose_builder()) return;
    const auto all = schema::operator_table();
    const schema::Operator& op = all[choices_.below(std::uint32_t(all.size()))];
    const std::string name(op.name);
    std::vector<webnn_operand*> of(choices_.below(5));
    for (webnn_operand*& one : of) one = operand();
    std::vector<std::string> names;
    names.reserve(4);
    std::vector<webnn_attribute> attributes;
    const std::int64_t integers[] = {std::int64_t(size()), std::int64_t(size()), 1, 1};
    for (std::uint32_t count = choices_.below(3); count > 0 && op.attributes.size() != 0; --count) {
      names.emplace_back(op.attributes[choices_.below(std::uint32_t(op.attributes.size()))].name);
      const char* const of_row = names.back().c_str();
      switch (choices_.below(5)) {
        case 0:
          attributes.push_back(webnn_integers(of_row, integers, choices_.below(5)));
          break;
        case 1:
          attributes.push_back(webnn_integer(of_row, integers[0]));
          break;
        case 2:
          attributes.push_back(webnn_boolean(of_row, int(choices_.below(2))));
          break;
        case 3:
          attributes.push_back(webnn_real(of_row, 0.5));
          break;
        default:
          attributes.push_back(webnn_text(of_row, "nhwc"));
      }
    }
    webnn_operand* made[4] = {};
    const std::size_t wanted = choices_.below(16) ? 1 : choices_.below(5);
    if (ok(webnn_builder_call(builders_.all[builder_], name.c_str(), of.data(), of.size(), attributes.data(),
                              attributes.size(), nullptr, made, wanted)))
      for (std::size_t i = 0; i < wanted; ++i) operands_[builder_].push_back(made[i]);
  }
  void build() {
    webnn_graph* made = nullptr;
    if (!choose_builder()) return;
    const webnn_named_operand outputs[] = {{"out", operand()}, {"more", operand()}};
    if (!outputs[0].operand || !outputs[1].operand) return;
    if (ok(webnn_builder_build(builders_.all[builder_], outputs, 1 + choices_.below(2), &made))) graphs_.keep(made);
  }

  /// Tensors for the inputs and outputs of a graph: of its names, or not.
  struct Bound {
    std::vector<webnn_named_tensor> inputs, outputs;
  };
  Bound bound(const webnn_graph* of) {
    Bound made;
    const auto add = [&](auto count, auto describe, std::vector<webnn_named_tensor>& to) {
      for (std::size_t i = 0; i < count(of); ++i) {
        webnn_descriptor about{};
        about.struct_size = sizeof about;
        if (ok(describe(of, i, &about))) to.push_back({choices_.below(16) ? about.name : "nobody", tensor()});
      }
      if (!to.empty() && choices_.below(16) == 0) to.pop_back();
    };
    add(webnn_graph_input_count, webnn_graph_input, made.inputs);
    add(webnn_graph_output_count, webnn_graph_output, made.outputs);
    return made;
  }
  void dispatch() {
    webnn_graph* const of = graph();
    const Bound to = bound(of);
    ok((choices_.below(2) ? webnn_context_dispatch : webnn_context_compute)(
        context(), of, to.inputs.data(), to.inputs.size(), to.outputs.data(), to.outputs.size()));
  }
  void bind() {
    webnn_graph* const of = graph();
    const Bound to = bound(of);
    webnn_bindings* made = nullptr;
    if (ok(webnn_context_bind(context(), of, to.inputs.data(), to.inputs.size(), to.outputs.data(), to.outputs.size(),
                              &made)))
      bindings_.keep(made);
  }
  void run_bindings() {
    if (webnn_bindings* const of = bindings_.any(choices_))
      ok((choices_.below(2) ? webnn_context_dispatch_bindings : webnn_context_compute_bindings)(context(), of));
  }
  void encode() {
    webnn_encoder* made = nullptr;
    webnn_command_buffer* commands = nullptr;
    if (!ok(webnn_encoder_create(context(), &made))) return;
    webnn_graph* const of = graph();
    ok(webnn_encoder_initialize_graph(made, of));
    for (std::uint32_t count = choices_.below(3); count > 0; --count) {
      const Bound to = bound(of);
      ok(webnn_encoder_dispatch(made, of, to.inputs.data(), to.inputs.size(), to.outputs.data(), to.outputs.size()));
    }
    if (ok(webnn_encoder_finish(made, &commands))) commands_.keep(commands);
    webnn_encoder_release(made);
  }
  void submit() {
    if (webnn_command_buffer* const of = commands_.any(choices_)) ok(webnn_context_submit(context(), of));
  }
  /// An exported tensor is given back at once: the shared tensors must not stay lent.
  void lend() {
    webnn_exported_tensor* made = nullptr;
    if (!ok(webnn_context_export_tensor(context(), tensor(), &made))) return;
    void* memory = nullptr;
    std::size_t bytes = 0;
    if (ok(webnn_exported_tensor_memory(made, &memory, &bytes)) && bytes != 0) static_cast<char*>(memory)[0] = 1;
    webnn_exported_tensor_release(made);
  }
  void load() {
    std::string text = graph_text;
    if (choices_.below(2)) text[choices_.below(std::uint32_t(text.size()))] = char(choices_.byte());
    webnn_graph* made = nullptr;
    if (ok(webnn_graph_load_text(context(), text.data(), text.size(), nullptr, &made))) graphs_.keep(made);
  }
  void describe() {
    webnn_descriptor about{};
    about.struct_size = choices_.below(4) ? sizeof about : choices_.below(48);
    ok(webnn_tensor_descriptor(tensor(), &about));
    about.struct_size = sizeof about;
    ok(webnn_graph_output(graph(), choices_.below(4), &about));
    if (choose_builder())
      if (const webnn_operand* const of = operand()) ok(webnn_operand_descriptor(of, &about));
  }
  void release() {
    switch (choices_.below(5)) {
      case 0:
        return tensors_.drop(choices_);
      case 1:
        return graphs_.drop(choices_);
      case 2:
        return bindings_.drop(choices_);
      case 3:
        return commands_.drop(choices_);
      default:
        for (webnn_context* context : contexts_.all) ok(webnn_context_wait(context));  // for asynchronous reads
        return contexts_.drop(choices_);
    }
  }
  void destroy() {
    if (webnn_context* const of = contexts_.any(choices_)) {
      ok(webnn_context_destroy(of));
      if (!webnn_context_is_lost(of)) broken_ = "a destroyed context is not lost";
    }
  }
  void wait() { ok(webnn_context_wait(context())); }

  static constexpr std::size_t most_bytes = 1 << 16;

  static std::size_t bytes_of(const webnn_descriptor& of) {
    if (of.rank > 8) return most_bytes;
    std::size_t bytes = 8;
    for (std::uint32_t i = 0; i < of.rank && bytes <= most_bytes; ++i) bytes *= of.shape[i];
    constexpr std::size_t bits[] = {32, 16, 32, 32, 64, 64, 8, 8, 4, 4};
    if (of.data_type < 0 || of.data_type > 9) return 8;
    return bytes > most_bytes ? bytes : (bytes / 8 * bits[of.data_type] + 7) / 8;
  }
  std::size_t bytes_of(const webnn_tensor* of) {
    webnn_descriptor about{};
    about.struct_size = sizeof about;
    return ok(webnn_tensor_descriptor(of, &about)) ? bytes_of(about) : 0;
  }
  const void* some_bytes(std::size_t count) {
    bytes_.assign(count, char(choices_.byte()));
    return bytes_.data();
  }

  const Shared& shared_;
  Choices choices_;
  std::string broken_;
  std::array<std::uint32_t, 16> shape_{};
  std::vector<char> bytes_;
  std::deque<std::vector<char>> reads_;
  std::size_t builder_ = 0;
  std::vector<std::vector<webnn_operand*>> operands_;  // by builder, which all live to the end
  Owned<webnn_context, webnn_context_release> contexts_;
  Owned<webnn_builder, webnn_builder_release> builders_;
  Owned<webnn_graph, webnn_graph_release> graphs_;
  Owned<webnn_tensor, webnn_tensor_release> tensors_;
  Owned<webnn_bindings, webnn_bindings_release> bindings_;
  Owned<webnn_command_buffer, webnn_command_buffer_release> commands_;
};

}  // namespace

std::string fuzz_sequence(std::string_view content) {
  if (content.empty()) return {};
  const std::size_t threads = 1 + std::uint8_t(content[0]) % 3, part = content.size() / threads;
  const Shared shared;
  std::deque<Caller> callers;
  for (std::size_t i = 0; i < threads; ++i) callers.emplace_back(shared, content.substr(i * part, part));
  std::vector<std::thread> running;
  for (std::size_t i = 1; i < threads; ++i) running.emplace_back([&, i] { callers[i].run(); });
  callers[0].run();
  for (std::thread& thread : running) thread.join();
  for (const Caller& caller : callers)
    if (!caller.broken().empty()) return caller.broken();
  return {};
}

}  // namespace webnn::tests
