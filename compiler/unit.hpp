// A unit: one compilation, with the graph and everything that passes have found out about it. Passes are functions over
// a Unit.
#pragma once

#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"
#include "schema/diagnostics.hpp"
#include "schema/kernels/cost.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {

/// Side tables, indexed by id. A table is empty until its pass has run. The pass is named behind the semicolon.
struct Plan {
  std::vector<KernelId> kernel;        // by node; select_kernels
  std::vector<Layout> layout;          // by value; assign_layouts
  std::vector<PackedConstant> packed;  // by value: constants in private forms, empty for others; pack_constants
  std::vector<NodeId> order;           // of execution; plan_memory
  std::vector<Slot> slot;              // by value; plan_memory
  std::uint64_t arena_bytes = 0;
};

struct Unit {
  Graph graph;
  Plan plan;
  const Options& options;
  Diagnostics& diagnostics;
  Program program;     // filled by emit_program
  Cost folded_work{};  // of all constants computed ahead, whatever pass asked for them; Options::max_work limits it
};

}  // namespace webnn::compiler
