// Laws of the kernel table.
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "api/kernels.hpp"
#include "schema/kernels/kernel_table.hpp"

namespace webnn::tests::kernel_table_test {

using namespace webnn::schema;

namespace {

/// The least spec of an operator whose first operand has `type`.
KernelSpec spec_for(OperatorId op, DataType type) {
  KernelSpec spec;
  spec.op = op;
  spec.attributes = Attributes(row(op).attributes.size());
  spec.inputs.push_back(OperandDescriptor{type, Shape::filled(row(op).operands[0].min_rank, 1)});
  return spec;
}

bool is_reference(const KernelRow& kernel) { return kernel.provider() == "reference"; }

}  // namespace

TEST_CASE("kernel table: names are unique, have a provider, and find their row") {
  std::set<std::string_view> names;
  for (const KernelRow& kernel : api::kernel_table()) {
    CAPTURE(kernel.name);
    CHECK(names.insert(kernel.name).second);
    CHECK_FALSE(kernel.provider().empty());
    CHECK(kernel.provider().size() < kernel.name.size());
    REQUIRE(api::find_kernel(kernel.name));
    CHECK(api::find_kernel(kernel.name)->row == &kernel);
  }
  CHECK_FALSE(api::find_kernel("reference.nothing"));
}

TEST_CASE("kernel table: every row is for an operator or a family that exists, and for types that it can get") {
  for (const KernelRow& kernel : api::kernel_table()) {
    CAPTURE(kernel.name);
    bool listed = false;
    for (std::uint16_t i = 0; i < all_operators().size(); ++i) {
      const auto rows = api::kernel_table().rows_for({i});
      const bool found = std::ranges::find(rows, &kernel) != rows.end();
      const Operator& op = row(OperatorId{i});
      bool typed = false;
      for (std::size_t type = 0; type < data_type_count; ++type)
        typed = typed || (kernel.types.contains(DataType(type)) && op.operands[0].types.contains(DataType(type)));
      CAPTURE(op.name);
      CHECK(found == ((kernel.op.empty() ? op.family == kernel.family : op.name == kernel.op) && typed));
      listed = listed || found;
    }
    CHECK(listed);
  }
}

TEST_CASE("kernel table: a row that may write over an operand names one that its operators have") {
  for (const KernelRow& kernel : api::kernel_table())
    for (const Operator& op : operator_table()) {
      if (!is_for(kernel, op)) continue;
      CAPTURE(kernel.name);
      CAPTURE(op.name);
      // A family's row may speak of operands that its shorter members lack (logicalNot).
      std::size_t most = 0;
      for (const Operator& member : operator_table())
        if (member.family == op.family) most = std::max(most, member.operands.size());
      if (!kernel.can_apply) CHECK((kernel.in_place >> most) == 0);  // else the bits after them are post-ops' operands'
    }
}

TEST_CASE("kernel table: every operator has a reference kernel on the cpu for every type that it allows") {
  for (std::size_t i = 0; i < operator_table().size(); ++i) {
    const OperatorId op{std::uint16_t(i)};
    for (std::size_t t = 0; t < data_type_count; ++t) {
      const auto type = DataType(t);
      if (!row(op).operands[0].types.contains(type)) continue;
      CAPTURE(row(op).name);
      CAPTURE(name_of(type));
      CHECK(std::ranges::any_of(api::kernel_table(), [&](const KernelRow& kernel) {
        return is_reference(kernel) && takes(kernel, spec_for(op, type), Target{});
      }));
    }
  }
}

TEST_CASE("kernel table: every operator has a kernel on the gpu for every type that it allows") {
  const Target gpu{DeviceKind::vulkan, Feature::none};
  for (std::uint16_t i = 0; i < operator_table().size(); ++i)
    for (std::size_t t = 0; t < data_type_count; ++t) {
      if (!row(OperatorId{i}).operands[0].types.contains(DataType(t))) continue;
      CAPTURE(row(OperatorId{i}).name);
      CAPTURE(name_of(DataType(t)));
      CHECK(std::ranges::any_of(api::kernel_table(), [&](const KernelRow& kernel) {
        return takes(kernel, spec_for(OperatorId{i}, DataType(t)), gpu);
      }));
    }
}

TEST_CASE("kernel table: reference rows are the last resort of every processor") {
  bool reference_seen = false;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.device != DeviceKind::cpu) continue;
    CAPTURE(kernel.name);
    CHECK((kernel.factor >= slow) == is_reference(kernel));
    if (!is_reference(kernel)) continue;
    reference_seen = true;
    CHECK(kernel.features == Feature::none);
    CHECK_FALSE(bool(kernel.can));
  }
  CHECK(reference_seen);
}

TEST_CASE("kernel table: a row is refused on another device, without its features and for another type") {
  KernelRow kernel{.name = "test.add", .op = "add", .types = DataType::float32, .features = Feature::avx2};
  const Target plain{DeviceKind::cpu, Feature::none}, avx2{DeviceKind::cpu, Feature::avx2 | Feature::avx512};
  CHECK(takes(kernel, spec_for("add"_op, DataType::float32), avx2));
  CHECK_FALSE(takes(kernel, spec_for("add"_op, DataType::float32), plain));
  CHECK_FALSE(takes(kernel, spec_for("add"_op, DataType::float32), {DeviceKind::vulkan, Feature::avx2}));
  CHECK_FALSE(takes(kernel, spec_for("add"_op, DataType::int32), avx2));
  CHECK_FALSE(takes(kernel, spec_for("sub"_op, DataType::float32), avx2));
  kernel.can = [](const KernelSpec& spec) { return spec.inputs[0]->shape.rank() == 2; };
  CHECK_FALSE(takes(kernel, spec_for("add"_op, DataType::float32), avx2));
}

TEST_CASE("kernel table: a row is refused in layouts and with post-ops that it does not take") {
  KernelRow kernel{.name = "test.conv2d", .op = "conv2d", .types = DataType::float32};
  const OperandDescriptor square{DataType::float32, Shape({1, 4, 4, 4})};
  KernelSpec spec;
  spec.op = "conv2d"_op;
  spec.attributes = Attributes(row(spec.op).attributes.size());
  spec.inputs = {square, square, std::nullopt};
  spec.outputs = {square};
  CHECK(takes_layouts(kernel, spec));
  spec.input_layouts = {Layout::channels_last, Layout::row_major, Layout::row_major};
  spec.output_layouts = {Layout::channels_last};
  CHECK_FALSE(takes_layouts(kernel, spec));
  kernel.layouts = LayoutRule::channels_last;
  CHECK(takes_layouts(kernel, spec));
  spec.output_layouts = {Layout::row_major};
  CHECK_FALSE(takes_layouts(kernel, spec));
  kernel.layouts = LayoutRule::to_channels_last;
  CHECK_FALSE(takes_layouts(kernel, spec));
  spec.output_layouts = {Layout::channels_last};
  CHECK_FALSE(takes_layouts(kernel, spec));
  spec.input_layouts[0] = Layout::row_major;
  CHECK(takes_layouts(kernel, spec));
  spec.output_layouts = {Layout::row_major};
  CHECK_FALSE(takes_layouts(kernel, spec));
  kernel.layouts = LayoutRule::any;
  CHECK(takes_layouts(kernel, spec));
  spec.input_layouts[0] = Layout::channels_last;
  CHECK(takes_layouts(kernel, spec));
  spec.input_layouts[1] = Layout::private_form;
  spec.input_forms = {"", "blocked", ""};
  CHECK_FALSE(takes_layouts(kernel, spec));
  kernel.packs = 0b10;
  CHECK(takes_layouts(kernel, spec));

  CHECK(takes(kernel, spec, Target{}));
  append_post_op(spec, "relu"_op, {}, {running_result(spec)});
  CHECK_FALSE(takes(kernel, spec, Target{}));
  kernel.can_apply = [](const KernelSpec& call) { return call.post_ops.size() == 1; };
  CHECK(takes(kernel, spec, Target{}));
}

TEST_CASE("target: features are named in the order of the table") {
  CHECK(text_of(Feature::none) == "none");
  CHECK(text_of(Feature::avx512_vnni | Feature::avx2) == "avx2 avx512_vnni");
  CHECK(name_of(DeviceKind::vulkan) == "vulkan");
}

}  // namespace webnn::tests::kernel_table_test
