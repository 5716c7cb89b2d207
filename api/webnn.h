/* The W3C Web Neural Network API (https://www.w3.org/TR/webnn/) in C99, on top of the C++ interface in webnn.hpp.
 *
 *   webnn_context* context;
 *   webnn_graph* graph;
 *   check(webnn_context_create(NULL, &context));
 *   check(webnn_graph_load(context, "model.json", NULL, &graph));
 *   ... create tensors, then webnn_context_write_tensor, webnn_context_dispatch, webnn_context_read_tensor
 *
 * Errors. A function that can fail returns NULL on success, otherwise a status with a code, a message and possibly a
 * hint, which the caller releases. A failed call changes nothing and leaves its results as they were, unless documented
 * otherwise.
 *
 * Ownership. An object returned through a `webnn_x**` belongs to the caller until `webnn_x_release`, which also accepts
 * NULL. Objects may be released in any order: what is still needed stays alive. Operands belong to their builder.
 * Strings and arrays passed in are copied before the call returns; those returned belong to the object that they come
 * from.
 *
 * Threads. All functions may be called from any thread, also concurrently, except that a builder and an encoder belong
 * to one thread at a time, and that an object is released once, when no call uses it.
 *
 * Options. A structure begins with its size, so that programs and libraries of different versions work together:
 * `webnn_context_options options = {sizeof options};`. A member that is zero has its default; a null pointer for the
 * structure means all defaults.
 *
 * Text is UTF-8 and zero-terminated. Tensor elements are row-major without gaps, in the machine's byte order; 4-bit
 * elements are packed two per byte, the first in the low half. */
#ifndef WEBNN_H
#define WEBNN_H

#include <stddef.h>
#include <stdint.h>

#include "schema/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct webnn_status webnn_status;
typedef struct webnn_context webnn_context; /* MLContext */
typedef struct webnn_graph webnn_graph;     /* MLGraph */
typedef struct webnn_tensor webnn_tensor;   /* MLTensor */
typedef struct webnn_builder webnn_builder; /* MLGraphBuilder */
typedef struct webnn_operand webnn_operand; /* MLOperand */
typedef struct webnn_bindings webnn_bindings;
typedef struct webnn_encoder webnn_encoder;
typedef struct webnn_command_buffer webnn_command_buffer;
typedef struct webnn_exported_tensor webnn_exported_tensor;

/* The library's version, for example "0.1.0". */
WEBNN_API const char* webnn_version(void);

/* ---- status */

/* The kind of a failure. The values never change, and are equal to the exit codes of webnn-cli. */
typedef enum webnn_code {
  WEBNN_OK = 0,
  WEBNN_USAGE = 2,         /* the call is wrong */
  WEBNN_INVALID_INPUT = 3, /* the graph file is wrong */
  WEBNN_UNSUPPORTED = 4,   /* correct, but not on this device */
  WEBNN_DEVICE = 5,        /* the device is missing or lost */
  WEBNN_IO = 6,
  WEBNN_RESOURCE = 7, /* a limit is exceeded, or memory ran out */
  WEBNN_PROGRAM = 8,  /* a program file is damaged or of another version */
  WEBNN_INTERNAL = 70 /* a mistake in this library */
} webnn_code;

/* NULL means success: WEBNN_OK with empty texts. */
WEBNN_API webnn_code webnn_status_code(const webnn_status* status);
/* One sentence; for a wrong graph file also its diagnostics with their positions, one line each. */
WEBNN_API const char* webnn_status_message(const webnn_status* status);
/* What to do about it; may be empty. */
WEBNN_API const char* webnn_status_hint(const webnn_status* status);
WEBNN_API void webnn_status_release(webnn_status* status);

/* ---- descriptors */

/* An int32_t, so that any number is either valid or clearly rejected, and the size is the same everywhere. */
typedef int32_t webnn_data_type;
enum {
  WEBNN_FLOAT32 = 0,
  WEBNN_FLOAT16 = 1,
  WEBNN_INT32 = 2,
  WEBNN_UINT32 = 3,
  WEBNN_INT64 = 4,
  WEBNN_UINT64 = 5,
  WEBNN_INT8 = 6,
  WEBNN_UINT8 = 7,
  WEBNN_INT4 = 8,
  WEBNN_UINT4 = 9
};

/* Type and shape of an operand, and the name of a graph's input or output. */
typedef struct webnn_descriptor {
  size_t struct_size;
  webnn_data_type data_type;
  uint32_t rank;         /* 0 to 8 */
  const uint32_t* shape; /* `rank` sizes, outermost first */
  const char* name;      /* given out for inputs and outputs of graphs; not read */
} webnn_descriptor;

/* ---- context */

typedef struct webnn_context_options {
  size_t struct_size;
  const char* device;  /* NULL: "cpu"; "cpu:PROVIDER" prefers one provider's kernels; "gpu", "gpu:N"; "auto" is a GPU if
                          there is one that is not software, otherwise the CPU */
  const char* isa;     /* the most that kernels may use: baseline; avx2, avx512, amx; neon; NULL: "native" */
  uint32_t threads;    /* 0: as many as the process may run at once */
  uint32_t reserved;   /* 0 */
  uint64_t max_memory; /* bytes that a graph may take, compiled and run: weights, constants that are computed or packed,
                          intermediates, scratch, prepared tables, inputs and outputs; 0: no limit */
  uint64_t max_work;   /* operations plus bytes of a run, known before anything runs; 0: no limit */
} webnn_context_options;

/* Opens a device. Fails: usage for unknown words, device when it is not available. `options` may be NULL. */
WEBNN_API webnn_status* webnn_context_create(const webnn_context_options* options, webnn_context** context);
WEBNN_API void webnn_context_release(webnn_context* context);

/* Waits for all earlier requests. */
WEBNN_API webnn_status* webnn_context_wait(webnn_context* context);
/* Destroys all tensors and graphs of the context, even if they are not released: pending work fails, and every later
 * request fails with usage. Calling it again does nothing. */
WEBNN_API webnn_status* webnn_context_destroy(webnn_context* context);
/* 1 when the context has been destroyed, otherwise 0. */
WEBNN_API int webnn_context_is_lost(const webnn_context* context);

/* ---- tensors */

enum {
  WEBNN_TENSOR_READABLE = 1,
  WEBNN_TENSOR_WRITABLE = 2,
  WEBNN_TENSOR_EXPORTABLE = 4,
  WEBNN_TENSOR_EXPORTABLE_ON_DEVICE = 8 /* the same for memory of the GPU instead of the host's */
};

typedef struct webnn_tensor_options {
  size_t struct_size;
  webnn_data_type data_type;
  uint32_t rank;
  const uint32_t* shape;
  uint32_t usage;    /* what the caller may do with it: sum of WEBNN_TENSOR_ values */
  uint32_t reserved; /* 0 */
} webnn_tensor_options;

/* A tensor of zeros. Fails: usage for an impossible tensor, resource when memory runs out. */
WEBNN_API webnn_status* webnn_context_create_tensor(webnn_context* context, const webnn_tensor_options* options,
                                                    webnn_tensor** tensor);
/* A tensor for webnn_builder_constant_tensor; `data` has exactly its bytes and is copied. */
WEBNN_API webnn_status* webnn_context_create_constant_tensor(webnn_context* context, const webnn_descriptor* descriptor,
                                                             const void* data, size_t bytes, webnn_tensor** tensor);
/* Frees the memory when the dispatches with the tensor are done; its pending reads fail. */
WEBNN_API void webnn_tensor_release(webnn_tensor* tensor);
/* The caller sets `descriptor->struct_size`; the shape belongs to the tensor. */
WEBNN_API webnn_status* webnn_tensor_descriptor(const webnn_tensor* tensor, webnn_descriptor* descriptor);

/* Sets all elements of a writable tensor; `data` is copied before the call returns. */
WEBNN_API webnn_status* webnn_context_write_tensor(webnn_context* context, webnn_tensor* tensor, const void* data,
                                                   size_t bytes);
/* Waits for all earlier requests, then copies all elements of a readable tensor to `data`. Fails also with the error of
 * the dispatch that should have computed them. */
WEBNN_API webnn_status* webnn_context_read_tensor(webnn_context* context, webnn_tensor* tensor, void* data,
                                                  size_t bytes);

/* Called once, on the context's own thread or on a thread inside webnn_context_compute, with NULL or an error that
 * belongs to the library. It may request more work, but must not wait for the context. */
typedef void (*webnn_callback)(const webnn_status* status, void* user_data);
/* The same without waiting; `data` must stay valid until the callback. */
WEBNN_API webnn_status* webnn_context_read_tensor_async(webnn_context* context, webnn_tensor* tensor, void* data,
                                                        size_t bytes, webnn_callback callback, void* user_data);

/* ---- tensors in shared memory */

/* A tensor in the caller's memory, which has exactly its bytes, aligned to an element. Its content is what the memory
 * holds, and as an output it is computed in place. The memory must stay valid until `released` is called, once, on any
 * thread: after the tensor is released and the work with it is done. The caller accesses the memory only while no work
 * on the tensor is pending. `released` may be NULL. */
WEBNN_API webnn_status* webnn_context_import_memory(webnn_context* context, const webnn_tensor_options* options,
                                                    void* memory, size_t bytes, void (*released)(void* user_data),
                                                    void* user_data, webnn_tensor** tensor);
/* A tensor in the memory of a file or memfd, at byte `offset`, shared with everyone who maps it. The descriptor may be
 * closed afterwards; the file must not shrink. If it is open for reading only, the tensor cannot be an output. */
WEBNN_API webnn_status* webnn_context_import_file(webnn_context* context, const webnn_tensor_options* options,
                                                  int file_descriptor, uint64_t offset, webnn_tensor** tensor);
/* Memory of a GPU that belongs to somebody else: a context's, or a program's with the same driver. What a driver
 * exports tells nothing of itself, so that its exporter has to. */
typedef struct webnn_device_memory {
  size_t struct_size;
  int file_descriptor;  /* VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT; it stays the caller's */
  uint32_t memory_type; /* VkMemoryAllocateInfo::memoryTypeIndex of the exporter */
  uint64_t offset;      /* of the tensor */
  uint64_t bytes;       /* VkMemoryAllocateInfo::allocationSize of the exporter */
} webnn_device_memory;
/* A tensor in memory of the GPU that others export, by the same driver and device, used in place. */
WEBNN_API webnn_status* webnn_context_import_device_memory(webnn_context* context, const webnn_tensor_options* options,
                                                           const webnn_device_memory* memory, webnn_tensor** tensor);
/* Lends an exportable tensor: waits for all earlier work on it. Later work waits until the exported tensor is released.
 */
WEBNN_API webnn_status* webnn_context_export_tensor(webnn_context* context, webnn_tensor* tensor,
                                                    webnn_exported_tensor** exported);
/* The tensor's elements as mapped into this process, none if they are in memory of the GPU; `bytes` may be NULL. */
WEBNN_API webnn_status* webnn_exported_tensor_memory(const webnn_exported_tensor* exported, void** memory,
                                                     size_t* bytes);
/* Shared memory that begins with the elements. It is closed with the exported tensor: duplicate it to keep it longer.
 */
WEBNN_API webnn_status* webnn_exported_tensor_file(const webnn_exported_tensor* exported, int* file_descriptor);
/* The same memory of the GPU, as webnn_context_import_device_memory and Vulkan take it; the caller sets
 * `memory->struct_size`. Fails with usage if the elements are in memory of the host. */
WEBNN_API webnn_status* webnn_exported_tensor_device_memory(const webnn_exported_tensor* exported,
                                                            webnn_device_memory* memory);
/* Gives the tensor back. */
WEBNN_API void webnn_exported_tensor_release(webnn_exported_tensor* exported);

/* ---- graphs */

/* The size of a named dimension of a graph file. */
typedef struct webnn_dimension {
  const char* name;
  uint32_t size;
} webnn_dimension;

typedef struct webnn_load_options {
  size_t struct_size;
  const webnn_dimension* dimensions; /* one for each named dimension of the graph */
  size_t dimension_count;
  const char* weights_file;   /* NULL: found beside the graph file */
  const char* base_directory; /* of the weights of a graph in memory; NULL: such a graph may not name weights files */
  uint64_t max_file_bytes;    /* of the graph file, without weights; 0: 1 GiB */
  uint64_t max_tensor_bytes;  /* of a single tensor; 0: 2^31 - 1 */
  uint32_t max_nodes;         /* 0: 2^20 */
  uint32_t reserved;          /* 0 */
} webnn_load_options;

/* Reads a graph file (webnn-graph-json, .webnn text or binary .wnnb) with its weights and compiles it. Or maps a program
 * file (.wnnc, written by `webnn-cli compile`, recognised by its first bytes), which needs no compilation and must not
 * change while the graph exists. Fails: io when a file cannot be read; invalid input, with all diagnostics in the
 * message; unsupported when the device lacks a kernel; resource when a limit is exceeded; program when a program file
 * is damaged, of another version or for another device; usage for sizes of dimensions that are missing or wrong, for a
 * weights_file that would not be read, and for either with a program. `options` may be NULL. */
WEBNN_API webnn_status* webnn_graph_load(webnn_context* context, const char* file, const webnn_load_options* options,
                                         webnn_graph** graph);
/* The same for the text of a graph file. */
WEBNN_API webnn_status* webnn_graph_load_text(webnn_context* context, const char* text, size_t bytes,
                                              const webnn_load_options* options, webnn_graph** graph);
/* Frees the graph when its dispatches are done. */
WEBNN_API void webnn_graph_release(webnn_graph* graph);

/* Inputs and outputs, in the order of the graph file. A builder's graph has its inputs in the order of the calls and
 * its outputs sorted by name. The caller sets `descriptor->struct_size`; name and shape belong to the graph. */
WEBNN_API size_t webnn_graph_input_count(const webnn_graph* graph);
WEBNN_API size_t webnn_graph_output_count(const webnn_graph* graph);
WEBNN_API webnn_status* webnn_graph_input(const webnn_graph* graph, size_t index, webnn_descriptor* descriptor);
WEBNN_API webnn_status* webnn_graph_output(const webnn_graph* graph, size_t index, webnn_descriptor* descriptor);

/* ---- running graphs */

typedef struct webnn_named_tensor {
  const char* name;
  webnn_tensor* tensor;
} webnn_named_tensor;

/* Requests a run of the graph with these tensors and returns at once. Every input and output is given by its name, with
 * a tensor of the same type and shape; no tensor occurs twice. Anything else fails with usage; later failures make the
 * reads of the outputs fail. */
WEBNN_API webnn_status* webnn_context_dispatch(webnn_context* context, const webnn_graph* graph,
                                               const webnn_named_tensor* inputs, size_t input_count,
                                               const webnn_named_tensor* outputs, size_t output_count);
/* The same, but waits for the end, and fails with the error of the run. */
WEBNN_API webnn_status* webnn_context_compute(webnn_context* context, const webnn_graph* graph,
                                              const webnn_named_tensor* inputs, size_t input_count,
                                              const webnn_named_tensor* outputs, size_t output_count);

/* A graph with the checked tensors of a dispatch: makes repeating the same dispatch cheap. */
WEBNN_API webnn_status* webnn_context_bind(webnn_context* context, const webnn_graph* graph,
                                           const webnn_named_tensor* inputs, size_t input_count,
                                           const webnn_named_tensor* outputs, size_t output_count,
                                           webnn_bindings** bindings);
WEBNN_API webnn_status* webnn_context_dispatch_bindings(webnn_context* context, const webnn_bindings* bindings);
WEBNN_API webnn_status* webnn_context_compute_bindings(webnn_context* context, const webnn_bindings* bindings);
WEBNN_API void webnn_bindings_release(webnn_bindings* bindings);

/* Dispatches recorded once, which can be submitted as a whole any number of times. An encoder prepares every graph
 * before its first dispatch, checks every call at once, and finishes only once. */
WEBNN_API webnn_status* webnn_encoder_create(webnn_context* context, webnn_encoder** encoder);
WEBNN_API webnn_status* webnn_encoder_initialize_graph(webnn_encoder* encoder, const webnn_graph* graph);
WEBNN_API webnn_status* webnn_encoder_dispatch(webnn_encoder* encoder, const webnn_graph* graph,
                                               const webnn_named_tensor* inputs, size_t input_count,
                                               const webnn_named_tensor* outputs, size_t output_count);
WEBNN_API webnn_status* webnn_encoder_finish(webnn_encoder* encoder, webnn_command_buffer** command_buffer);
WEBNN_API void webnn_encoder_release(webnn_encoder* encoder);
WEBNN_API webnn_status* webnn_context_submit(webnn_context* context, const webnn_command_buffer* command_buffer);
WEBNN_API void webnn_command_buffer_release(webnn_command_buffer* command_buffer);

/* ---- building graphs */

/* A builder describes one graph, operator by operator, and compiles it. Every call is checked at once; a wrong one
 * fails with usage and adds nothing. Its operands live as long as the builder. */
WEBNN_API webnn_status* webnn_builder_create(webnn_context* context, webnn_builder** builder);
WEBNN_API void webnn_builder_release(webnn_builder* builder);

WEBNN_API webnn_status* webnn_builder_input(webnn_builder* builder, const char* name,
                                            const webnn_descriptor* descriptor, webnn_operand** operand);
/* `data` has exactly the bytes of the descriptor and is copied. */
WEBNN_API webnn_status* webnn_builder_constant(webnn_builder* builder, const webnn_descriptor* descriptor,
                                               const void* data, size_t bytes, webnn_operand** operand);
/* A tensor from webnn_context_create_constant_tensor; it may be released afterwards. */
WEBNN_API webnn_status* webnn_builder_constant_tensor(webnn_builder* builder, const webnn_tensor* tensor,
                                                      webnn_operand** operand);
/* The caller sets `descriptor->struct_size`; the shape belongs to the builder. */
WEBNN_API webnn_status* webnn_operand_descriptor(const webnn_operand* operand, webnn_descriptor* descriptor);

typedef int32_t webnn_attribute_kind;
enum {
  WEBNN_ATTRIBUTE_BOOLEAN = 0,
  WEBNN_ATTRIBUTE_INTEGER = 1,
  WEBNN_ATTRIBUTE_UNSIGNED = 2, /* for numbers above 2^63 - 1 */
  WEBNN_ATTRIBUTE_REAL = 3,
  WEBNN_ATTRIBUTE_TEXT = 4,
  WEBNN_ATTRIBUTE_DATA_TYPE = 5,
  WEBNN_ATTRIBUTE_INTEGERS = 6,
  WEBNN_ATTRIBUTE_REALS = 7,
  WEBNN_ATTRIBUTE_TEXTS = 8
};

/* A named parameter of an operator that is not an operand; filled in by the functions below. */
typedef struct webnn_attribute {
  const char* name;
  webnn_attribute_kind kind;
  union {
    int boolean;
    int64_t integer;
    uint64_t unsigned_integer;
    double real;
    const char* text;
    webnn_data_type data_type;
    const int64_t* integers;
    const double* reals;
    const char* const* texts;
  } value;
  size_t count; /* of a list */
} webnn_attribute;

/* Calls an operator by the specification's name ("conv2d"), with its row of the operator table (`webnn-cli ops
 * conv2d`). `operands` are in the row's order, with NULL for an optional one that is not given (trailing ones may be
 * left out); for concat they are the whole list. `attributes` are named, in any order: both the required arguments and
 * the members of the options. `label` names the call in messages and profiles, and may be NULL. `outputs` has room for
 * all results of the operator: one, except for split (its parts), gru, lstm and lstmCell.
 *
 *   int64_t strides[] = {2, 2};
 *   webnn_operand* operands[] = {image, filter, bias};
 *   webnn_attribute attributes[] = {webnn_integers("strides", strides, 2), webnn_text("inputLayout", "nhwc")};
 *   webnn_builder_call(builder, "conv2d", operands, 3, attributes, 2, NULL, &result, 1); */
WEBNN_API webnn_status* webnn_builder_call(webnn_builder* builder, const char* op, webnn_operand* const* operands,
                                           size_t operand_count, const webnn_attribute* attributes,
                                           size_t attribute_count, const char* label, webnn_operand** outputs,
                                           size_t output_count);

typedef struct webnn_named_operand {
  const char* name;
  webnn_operand* operand;
} webnn_named_operand;

/* Compiles the graph for these outputs, which must be results of operators. A builder builds only once. Fails: usage
 * for wrong outputs, unsupported when the device lacks a kernel, resource. */
WEBNN_API webnn_status* webnn_builder_build(webnn_builder* builder, const webnn_named_operand* outputs,
                                            size_t output_count, webnn_graph** graph);

/* ---- attributes; lists are not copied before webnn_builder_call */

static inline webnn_attribute webnn_boolean(const char* name, int value) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_BOOLEAN, {0}, 0};
  attribute.value.boolean = value;
  return attribute;
}
static inline webnn_attribute webnn_integer(const char* name, int64_t value) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_INTEGER, {0}, 0};
  attribute.value.integer = value;
  return attribute;
}
static inline webnn_attribute webnn_unsigned(const char* name, uint64_t value) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_UNSIGNED, {0}, 0};
  attribute.value.unsigned_integer = value;
  return attribute;
}
static inline webnn_attribute webnn_real(const char* name, double value) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_REAL, {0}, 0};
  attribute.value.real = value;
  return attribute;
}
static inline webnn_attribute webnn_text(const char* name, const char* value) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_TEXT, {0}, 0};
  attribute.value.text = value;
  return attribute;
}
static inline webnn_attribute webnn_type(const char* name, webnn_data_type value) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_DATA_TYPE, {0}, 0};
  attribute.value.data_type = value;
  return attribute;
}
static inline webnn_attribute webnn_integers(const char* name, const int64_t* values, size_t count) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_INTEGERS, {0}, count};
  attribute.value.integers = values;
  return attribute;
}
static inline webnn_attribute webnn_reals(const char* name, const double* values, size_t count) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_REALS, {0}, count};
  attribute.value.reals = values;
  return attribute;
}
static inline webnn_attribute webnn_texts(const char* name, const char* const* values, size_t count) {
  webnn_attribute attribute = {name, WEBNN_ATTRIBUTE_TEXTS, {0}, count};
  attribute.value.texts = values;
  return attribute;
}

#ifdef __cplusplus
}
#endif

#endif
