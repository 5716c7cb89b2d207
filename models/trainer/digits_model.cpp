// The network once more, as the operators of a graph file; see the header.
#include "models/trainer/digits_model.hpp"

namespace webnn::models {
namespace {

void write_graph(const Parameters& parameters, const std::filesystem::path& folder) {
  GraphWriter graph(folder, "digits");
  std::array<Tensor, parameter_count> constants;
  for (std::size_t i = 0; i < parameter_count; ++i)
    constants[i] = graph.constant(parameter_table()[i].name, parameter_table()[i].shape, parameters[i]);

  const auto add_stage = [&](const std::string& number, const ConvolutionStage& stage, const Tensor& input,
                             const Tensor& filter, const Tensor& bias) {
    const Shape full{1, stage.out_channels, stage.size, stage.size};
    const Shape half{1, stage.out_channels, stage.pooled_size(), stage.pooled_size()};
    const Tensor convolved =
        graph.node("convolution_" + number, "conv2d", {input, filter, bias}, full, {{"padding", {1, 1, 1, 1}}});
    const Tensor activated = graph.node("activation_" + number, "relu", {convolved}, full);
    return graph.node("pooling_" + number, "maxPool2d", {activated}, half,
                      {{"windowDimensions", {2, 2}}, {"strides", {2, 2}}});
  };
  const Tensor image = graph.input("image", {1, 1, image_size, image_size});
  const Tensor pooled_1 = add_stage("1", stage_1, image, constants[filter_1], constants[bias_1]);
  const Tensor pooled_2 = add_stage("2", stage_2, pooled_1, constants[filter_2], constants[bias_2]);
  const Tensor features =
      graph.node("features", "reshape", {pooled_2}, {1, feature_count}, {{"newShape", {1, feature_count}}});
  const Tensor logits = graph.node("logits", "gemm", {features, constants[dense_weight]}, {1, digit_count},
                                   {{"c", parameter_table()[dense_bias].name}});
  graph.node("probabilities", "softmax", {logits}, {1, digit_count}, {{"axis", 1}});
  graph.output("probabilities", "probabilities");
  graph.finish();
}

}  // namespace

void write_digits_model(const Parameters& parameters, const std::filesystem::path& folder) {
  write_graph(parameters, folder);

  Random random(7);
  const Image seven = render_digit(7, random);
  const auto probabilities = forward<double>(parameters, seven).probabilities;
  write_whole_file(folder / "digits.input.image.npy", npy_of({1, 1, image_size, image_size}, seven));
  write_whole_file(folder / "digits.expected.probabilities.npy",
                   npy_of({1, digit_count}, std::vector<float>(probabilities.begin(), probabilities.end())));
  write_whole_file(folder / "labels.txt", "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
}

}  // namespace webnn::models
