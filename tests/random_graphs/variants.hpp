// The ways in which one network is computed: devices, providers, instruction sets, levels of optimisation, threads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/context.hpp"
#include "tests/random_graphs/network.hpp"

namespace webnn::tests {

struct Variant {
  std::string name;
  std::string device = "cpu";  // as in ContextOptions
  std::string isa = "native";
  unsigned threads = 1;
  unsigned level = 2;         // -O
  bool through_file = false;  // the program is written and read again
  bool validated = false;     // the GPU is watched by the validation layers
  bool passes_lines = false;  // results of any size pass on line by line where kernels can
  bool any_kernels = false;   // a third of all kernels is missing, another one for each graph
  std::string same_as = {};   // an earlier variant of the list, which gives the same bits; empty: none
};

/// What this machine's CPU can be asked for.
std::vector<Variant> cpu_variants();
std::vector<Variant> gpu_variants();

/// What is damaged on purpose, to see that it is found; null: nothing.
struct Damage {
  std::function<void(Program&)> program = nullptr;                                      // what the compiler gave
  std::function<void(KernelSpec&)> spec = nullptr;                                      // what a kernel is prepared for
  std::function<runtime::Kernel(const KernelSpec&, runtime::Kernel)> kernel = nullptr;  // the kernel itself
};

/// A variant with its context, for many networks.
class VariantRunner {
 public:
  /// Throws Error where the machine lacks the device.
  explicit VariantRunner(Variant variant, Damage damage = {});

  const Variant& variant() const { return variant_; }
  /// The outputs, in the order of the graph. A second run must give the same bits. Throws std::runtime_error or Error
  /// for whatever keeps a valid graph from running.
  std::vector<TestTensor> run(const Network& network);

 private:
  Variant variant_;
  Damage damage_;
  std::string provider_;
  std::unique_ptr<runtime::Context> context_;
};

}  // namespace webnn::tests
