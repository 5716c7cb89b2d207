// The benchmark architectures: well-known networks with seeded random weights.
//
// Weights are scaled so that activations keep their size from the first layer to the last when the inputs are normally
// distributed; nothing is trained, so the outputs mean nothing.
#pragma once

#include <span>
#include <string_view>

#include "models/writer/graph_writer.hpp"

namespace webnn::models {

struct Architecture {
  std::string_view name;  // also the name of its files
  std::string_view description;
  void (*write)(GraphWriter&);  // everything but `finish`
  bool half = false;            // numbers are stored as float16
  bool batches = false;         // takes any number of images (GraphWriter::batch)
};

/// All architectures, small ones first.
std::span<const Architecture> architectures();

// elementwise.cpp
void write_elementwise_4(GraphWriter&);
void write_elementwise_16(GraphWriter&);
// recurrent.cpp
void write_lstm(GraphWriter&);
void write_gru(GraphWriter&);
// feed_forward.cpp
void write_feed_forward(GraphWriter&);
void write_feed_forward_int4(GraphWriter&);
// yolov8n.cpp
void write_yolov8n_320(GraphWriter&);
void write_yolov8n_640(GraphWriter&);
// one file each
void write_mobilenet_v3_small(GraphWriter&);
void write_efficientnet_lite0(GraphWriter&);
void write_minilm_l6(GraphWriter&);
void write_tiny_bert(GraphWriter&);
void write_whisper_tiny_encoder(GraphWriter&);
void write_smollm2_block(GraphWriter&);
void write_squeezenet(GraphWriter&);
void write_mobilenet_v2(GraphWriter&);
void write_resnet50(GraphWriter&);
void write_resnet50_int8(GraphWriter&);
void write_mobilenet_v2_int8(GraphWriter&);
// bert.cpp
void write_bert_small(GraphWriter&);
void write_bert_base(GraphWriter&);

}  // namespace webnn::models
