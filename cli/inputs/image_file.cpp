// Decodes PNG and JPEG files with libpng and libjpeg.
// clang-format off
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <memory>

#include <jpeglib.h>  // relies on <cstdio>

#include <jerror.h>  // relies on <jpeglib.h>
// clang-format on

#include "cli/inputs/image.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

constexpr std::uint64_t most_file_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t most_pixels = 64'000'000;

void check_size(std::uint64_t width, std::uint64_t height, const std::string& name) {
  if (width == 0 || height == 0 || width * height > most_pixels)
    throw Error(ExitCode::resource, in_quotes(name) + " is " + std::to_string(width) + "x" + std::to_string(height) +
                                        " pixels; between 1 and 64 million are read");
}

[[noreturn]] void damaged(const std::string& name, const std::string& why) {
  throw Error(ExitCode::invalid_input, in_quotes(name) + " is a damaged picture: " + why);
}

Picture decode_png(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> guard(&image, png_image_free);
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) damaged(name, image.message);
  check_size(image.width, image.height, name);
  image.format = PNG_FORMAT_RGB;
  Picture picture{image.width, image.height, std::vector<std::uint8_t>(std::size_t(image.width) * image.height * 3)};
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, picture.rgb.data(), 0, nullptr)) damaged(name, image.message);
  return picture;
}

/// Each scan of a progressive picture takes time for all pixels, however short it is; real ones have about ten.
constexpr int most_scans = 100;

struct JpegErrors {
  jpeg_error_mgr manager;  // first, so that libjpeg's pointer to it also points to this
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX] = {};
  jpeg_progress_mgr progress = {};
};

void end_after_scans(j_common_ptr common) {
  auto* self = reinterpret_cast<JpegErrors*>(common->err);
  if (reinterpret_cast<j_decompress_ptr>(common)->input_scan_number <= most_scans) return;
  std::snprintf(self->message, sizeof self->message, "it has more than %d scans", most_scans);
  std::longjmp(self->escape, 1);
}

[[noreturn]] void end_with_message(j_common_ptr common) {
  auto* self = reinterpret_cast<JpegErrors*>(common->err);
  self->manager.format_message(common, self->message);
  std::longjmp(self->escape, 1);
}

/// Whether libjpeg made up pixels after this warning, because the data of the picture are cut off or changed. Others are
/// about what stands between the data, and many cameras cause them.
bool means_damage(int warning) {
  return warning == JWRN_JPEG_EOF || warning == JWRN_HIT_MARKER || warning == JWRN_HUFF_BAD_CODE ||
         warning == JWRN_ARITH_BAD_CODE || warning == JWRN_MUST_RESYNC;
}

/// `level`: -1 for a warning, from 0 on for what it traces.
void end_with_damage(j_common_ptr common, int level) {
  if (level < 0 && means_damage(common->err->msg_code)) end_with_message(common);
}

/// The function with setjmp: only trivial objects may live here. False: `errors.message` says why.
bool decode_jpeg_rows(jpeg_decompress_struct& state, JpegErrors& errors, const std::vector<std::uint8_t>& bytes,
                      Picture& picture, bool header_only) {
  if (setjmp(errors.escape)) return false;
  if (header_only) {
    jpeg_mem_src(&state, bytes.data(), bytes.size());
    jpeg_read_header(&state, TRUE);
    return true;
  }
  state.out_color_space = JCS_RGB;
  jpeg_start_decompress(&state);
  while (state.output_scanline < state.output_height) {
    JSAMPROW row = picture.rgb.data() + std::size_t(state.output_scanline) * picture.width * 3;
    jpeg_read_scanlines(&state, &row, 1);
  }
  jpeg_finish_decompress(&state);
  return true;
}

Picture decode_jpeg(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  JpegErrors errors;
  jpeg_decompress_struct state{};
  state.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = end_with_message;
  errors.manager.emit_message = end_with_damage;
  jpeg_create_decompress(&state);
  errors.progress.progress_monitor = end_after_scans;
  state.progress = &errors.progress;
  const std::unique_ptr<jpeg_decompress_struct, void (*)(jpeg_decompress_struct*)> guard(
      &state, [](jpeg_decompress_struct* s) { jpeg_destroy_decompress(s); });
  Picture picture;
  if (!decode_jpeg_rows(state, errors, bytes, picture, true)) damaged(name, errors.message);
  check_size(state.image_width, state.image_height, name);
  picture = {state.image_width, state.image_height,
             std::vector<std::uint8_t>(std::size_t(state.image_width) * state.image_height * 3)};
  if (!decode_jpeg_rows(state, errors, bytes, picture, false)) damaged(name, errors.message);
  return picture;
}

}  // namespace

Picture read_picture(const compiler::FileName& file) {
  const std::string content = compiler::read_whole_file(file, most_file_bytes);
  const std::vector<std::uint8_t> bytes(content.begin(), content.end());
  if (bytes.size() >= 8 && png_sig_cmp(bytes.data(), 0, 8) == 0) return decode_png(bytes, file.string());
  if (bytes.size() >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff)
    return decode_jpeg(bytes, file.string());
  throw Error(ExitCode::invalid_input, in_quotes(file.string()) + " is neither a PNG nor a JPEG picture");
}

}  // namespace webnn::cli
