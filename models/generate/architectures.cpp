#include "models/generate/architectures.hpp"

namespace webnn::models {
namespace {

constexpr Architecture table[] = {
    {"elementwise_4", "4 elementwise operators on 1024 x 1024 numbers", write_elementwise_4},
    {"elementwise_16", "16 elementwise operators on 1024 x 1024 numbers", write_elementwise_16},
    {"tiny_bert", "encoder, 2 layers of 64 with 2 heads, from 16 tokens, 0.2 M parameters", write_tiny_bert},
    {"gru", "2 layers, 64 steps, 256 inputs, 256 hidden", write_gru},
    {"lstm", "2 layers, 64 steps, 256 inputs, 256 hidden", write_lstm},
    {"squeezenet1.1", "image classifier, 1.2 M parameters, 0.35 G multiply-adds", write_squeezenet, false, true},
    {"squeezenet1.1_half", "the same in float16", write_squeezenet, true, true},
    {"mobilenet_v2", "image classifier, 3.5 M parameters, 0.30 G multiply-adds", write_mobilenet_v2, false, true},
    {"mobilenet_v2_int8", "mobilenet_v2 with int8 weights and activations, as quantize and dequantize pairs",
     write_mobilenet_v2_int8},
    {"mobilenet_v3_small", "image classifier, 2.5 M parameters, 0.06 G multiply-adds", write_mobilenet_v3_small},
    {"efficientnet_lite0", "image classifier, 4.7 M parameters, 0.39 G multiply-adds", write_efficientnet_lite0},
    {"yolov8n_320", "detector, 3.2 M parameters, 1.1 G multiply-adds", write_yolov8n_320},
    {"yolov8n_640", "the same on larger images, 4.4 G multiply-adds", write_yolov8n_640},
    {"smollm2_block", "one of 30 layers of a language model, 576 with 9 heads, 128 tokens", write_smollm2_block},
    {"feed_forward_int4", "feed_forward with weights in 4 bits, a scale for each block of 32", write_feed_forward_int4},
    {"bert_small", "encoder, 6 layers of 384 with 6 heads, 128 tokens", write_bert_small},
    {"whisper_tiny_encoder", "speech encoder, 4 layers of 384 with 6 heads, 1500 tokens", write_whisper_tiny_encoder},
    {"minilm_l6", "sentences to vectors, 6 layers of 384 with 12 heads, 128 tokens", write_minilm_l6},
    {"resnet50_int8", "resnet50 with int8 weights and activations, as quantize and dequantize pairs",
     write_resnet50_int8},
    {"resnet50", "image classifier (version 1.5), 25.6 M parameters, 4.1 G multiply-adds", write_resnet50, false, true},
    {"feed_forward", "8 feed-forward layers of 768 and 3072, one token, 37.7 M parameters", write_feed_forward},
    {"bert_base", "encoder, 12 layers of 768 with 12 heads, 128 tokens", write_bert_base},
};

}  // namespace

std::span<const Architecture> architectures() { return table; }

}  // namespace webnn::models
