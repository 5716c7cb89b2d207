// Reference kernels that use several threads give the same bits as with one.
#include "runtime/threads/parallel.hpp"
#include "tests/harness/run_operator.hpp"

namespace reference_threads_test {

using namespace webnn::tests;

TEST_CASE("reference kernels: the number of threads changes no bit") {
  const auto fractions = [](const Shape& shape) {
    Numbers elements;
    for (std::size_t i = 0; i < element_count(shape); ++i) elements.push_back(Number(1.0 / double(i % 97 + 1)));
    return tensor(DataType::float32, shape, elements);
  };
  const TestTensor image = fractions({2, 8, 24, 24});
  const auto run_all = [&] {
    return std::vector<TestTensor>{
        run_operator("conv2d", {image, fractions({16, 8, 3, 3})}, {{"padding", IntegerList{1, 1, 1, 1}}})[0],
        run_operator("convTranspose2d", {image, fractions({8, 16, 2, 2})}, {{"strides", IntegerList{2, 2}}})[0],
        run_operator("averagePool2d", {image}, {{"windowDimensions", IntegerList{5, 5}}})[0],
        run_operator("matmul", {fractions({33, 70}), fractions({70, 300})})[0],
        run_operator("gemm", {fractions({33, 70}), fractions({70, 300})})[0]};
  };
  const std::vector<TestTensor> alone = run_all();
  for (const unsigned threads : {2u, 3u, 7u}) {
    const webnn::runtime::Team team(threads);
    CHECK(run_all() == alone);
  }
}

}  // namespace reference_threads_test
