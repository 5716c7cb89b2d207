// Loads the graph file that its argument names and prints its inputs and outputs; a broken one gives an Error.
#include <cstdio>
#include <webnn/load.hpp>
#include <webnn/webnn.hpp>

namespace {

void print(const char* kind, const std::vector<webnn::NamedDescriptor>& list) {
  for (const webnn::NamedDescriptor& descriptor : list) {
    std::printf("%s %s:", kind, descriptor.name.c_str());
    for (const std::uint32_t size : descriptor.shape) std::printf(" %u", size);
    std::printf("\n");
  }
}

}  // namespace

int main(int, char** argv) {
  try {
    const webnn::Context context;
    const webnn::Graph graph = webnn::loadGraph(context, argv[1]);
    print("input", graph.inputs());
    print("output", graph.outputs());
  } catch (const webnn::Error& error) {
    std::printf("code %d\n", static_cast<int>(error.code()));
  }
}
