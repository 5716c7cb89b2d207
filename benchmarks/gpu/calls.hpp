// The calls that benchmark-gpu measures.
#pragma once

#include <string_view>

namespace webnn::benchmarks {

struct GpuCall {
  std::string_view name;
  std::string_view inputs;  // "NAME TYPE[SIZES]", divided by semicolons
  std::string_view call;    // in the text format of graphs
  bool quick = false;       // small enough for a GPU that is software
};

inline constexpr GpuCall gpu_calls[] = {
    // Products.
    {"matmul 256 float32", "a float32[256, 256]; b float32[256, 256]", "matmul(%a, %b)", true},
    {"matmul 512 float32", "a float32[512, 512]; b float32[512, 512]", "matmul(%a, %b)"},
    {"matmul 1024 float32", "a float32[1024, 1024]; b float32[1024, 1024]", "matmul(%a, %b)"},
    {"matmul 2048 float32", "a float32[2048, 2048]; b float32[2048, 2048]", "matmul(%a, %b)"},
    {"matmul 4096 float32", "a float32[4096, 4096]; b float32[4096, 4096]", "matmul(%a, %b)"},
    {"matmul 256 float16", "a float16[256, 256]; b float16[256, 256]", "matmul(%a, %b)", true},
    {"matmul 1024 float16", "a float16[1024, 1024]; b float16[1024, 1024]", "matmul(%a, %b)"},
    {"matmul 2048 float16", "a float16[2048, 2048]; b float16[2048, 2048]", "matmul(%a, %b)"},
    {"matmul 4096 float16", "a float16[4096, 4096]; b float16[4096, 4096]", "matmul(%a, %b)"},
    {"matmul 1021 float32", "a float32[1021, 1021]; b float32[1021, 1021]", "matmul(%a, %b)"},
    {"matmul 128 x 3072 x 768 float32", "a float32[128, 768]; b float32[768, 3072]", "matmul(%a, %b)"},
    {"matmul of 12 heads float32", "a float32[12, 384, 64]; b float32[12, 64, 384]", "matmul(%a, %b)"},
    {"gemm 1024 of two transposed float16", "a float16[1024, 1024]; b float16[1024, 1024]",
     "gemm(%a, %b) {aTranspose=true, bTranspose=true}"},
    {"attention of 12 heads, 384 x 64 float32",
     "q float32[12, 384, 64]; k float32[12, 384, 64]; v float32[12, 384, 64]", "@attention(%q, %k, %v) {scale=0.125}"},
    {"attention of 16 heads, 2048 x 64 float16",
     "q float16[16, 2048, 64]; k float16[16, 2048, 64]; v float16[16, 2048, 64]",
     "@attention(%q, %k, %v) {scale=0.125}"},
    // Few rows.
    {"matmul 1 x 4096 x 4096 float32", "a float32[1, 4096]; b float32[4096, 4096]", "matmul(%a, %b)", true},
    {"matmul 1 x 4096 x 4096 float16", "a float16[1, 4096]; b float16[4096, 4096]", "matmul(%a, %b)"},
    {"matmul 4 x 4096 x 4096 float16", "a float16[4, 4096]; b float16[4096, 4096]", "matmul(%a, %b)"},
    {"matmul 8 x 4096 x 4096 float16", "a float16[8, 4096]; b float16[4096, 4096]", "matmul(%a, %b)"},
    {"gemm 1 x 1000 x 2048 transposed float32", "a float32[1, 2048]; b float32[1000, 2048]",
     "gemm(%a, %b) {bTranspose=true}", true},
    {"gemm 1 x 32000 x 2048 transposed float16", "a float16[1, 2048]; b float16[32000, 2048]",
     "gemm(%a, %b) {bTranspose=true}"},
    // The convolutions of resnet50.
    {"conv2d 7x7 / 2, 3 to 64 at 224", "x float32[1, 3, 224, 224]; w float32[64, 3, 7, 7]",
     "conv2d(%x, %w) {padding=[3, 3, 3, 3], strides=[2, 2]}"},
    {"conv2d 1x1, 64 to 64 at 56", "x float32[1, 64, 56, 56]; w float32[64, 64, 1, 1]", "conv2d(%x, %w)", true},
    {"conv2d 3x3, 64 at 56", "x float32[1, 64, 56, 56]; w float32[64, 64, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"conv2d 1x1, 64 to 256 at 56", "x float32[1, 64, 56, 56]; w float32[256, 64, 1, 1]", "conv2d(%x, %w)"},
    {"conv2d 3x3, 128 at 28", "x float32[1, 128, 28, 28]; w float32[128, 128, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"conv2d 1x1, 512 to 128 at 28", "x float32[1, 512, 28, 28]; w float32[128, 512, 1, 1]", "conv2d(%x, %w)"},
    {"conv2d 3x3, 256 at 14", "x float32[1, 256, 14, 14]; w float32[256, 256, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"conv2d 1x1, 1024 to 256 at 14", "x float32[1, 1024, 14, 14]; w float32[256, 1024, 1, 1]", "conv2d(%x, %w)"},
    {"conv2d 3x3, 512 at 7", "x float32[1, 512, 7, 7]; w float32[512, 512, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"conv2d 1x1, 2048 to 512 at 7", "x float32[1, 2048, 7, 7]; w float32[512, 2048, 1, 1]", "conv2d(%x, %w)", true},
    {"conv2d 3x3, 64 at 56, batch 32", "x float32[32, 64, 56, 56]; w float32[64, 64, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"conv2d 3x3, 256 at 14, batch 32", "x float32[32, 256, 14, 14]; w float32[256, 256, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"conv2d 3x3, 64 at 56, batch 32, float16", "x float16[32, 64, 56, 56]; w float16[64, 64, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1]}"},
    {"depthwise 3x3, 96 at 112", "x float32[1, 96, 112, 112]; w float32[96, 1, 3, 3]",
     "conv2d(%x, %w) {padding=[1, 1, 1, 1], groups=96}", true},
    // Bound by memory.
    {"add of 16 Mi", "a float32[16777216]; b float32[16777216]", "add(%a, %b)"},
    {"add of 16 Mi float16", "a float16[16777216]; b float16[16777216]", "add(%a, %b)"},
    {"add of a bias to 4096 rows of 4096", "a float32[4096, 4096]; b float32[4096]", "add(%a, %b)"},
    {"add of 1 Mi", "a float32[1048576]; b float32[1048576]", "add(%a, %b)", true},
    {"add of a bias to 64 channels at 56", "x float32[1, 64, 56, 56]; b float32[64, 1, 1]", "add(%x, %b)", true},
    {"relu of 16 Mi float16", "x float16[16777216]", "relu(%x)"},
    {"relu of 1 Mi float16", "x float16[1048576]", "relu(%x)", true},
    {"cast of 16 Mi float32 to float16", "x float32[16777216]", "cast(%x) {dataType=float16}"},
    {"gelu of 1 Mi", "x float32[1048576]", "gelu(%x)", true},
    {"softmax of 4096 rows of 1024", "x float32[4096, 1024]", "softmax(%x) {axis=1}"},
    {"softmax of 64 rows of 333", "x float32[64, 333]", "softmax(%x) {axis=1}", true},
    {"layerNormalization of 4096 rows of 768", "x float32[4096, 768]", "layerNormalization(%x) {axes=[1]}"},
    {"reduceSum of 16 Mi", "x float32[16777216]", "reduceSum(%x) {axes=[0]}"},
    {"reduceMean of 1 Mi", "x float32[1048576]", "reduceMean(%x) {axes=[0]}", true},
    {"argMax of 32000", "x float32[1, 32000]", "argMax(%x) {axis=1}", true},
    {"cumulativeSum of 1 Mi", "x float32[1048576]", "cumulativeSum(%x) {axis=0}"},
    {"transpose of 4096 x 4096", "x float32[4096, 4096]", "transpose(%x) {permutation=[1, 0]}"},
    {"transpose of 257 x 129", "x float32[257, 129]", "transpose(%x) {permutation=[1, 0]}", true},
    {"slice of 2048 x 2048 of 4096 x 4096", "x float32[4096, 4096]",
     "slice(%x) {starts=[1024, 1024], sizes=[2048, 2048]}"},
    {"gather of 256 rows of 1024", "x float32[1000, 1024]; i int32[256]", "gather(%x, %i) {axis=0}", true},
    {"gather of 1024 rows of 4096", "x float32[32000, 4096]; i int32[1024]", "gather(%x, %i) {axis=0}"},
};

}  // namespace webnn::benchmarks
