#include "runtime/vulkan/pipeline_cache.hpp"

#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "schema/error.hpp"
#include "schema/file/checksum.hpp"
#include "schema/file/output_file.hpp"
#include "schema/file/own_folder.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;
namespace fs = std::filesystem;

namespace {

constexpr char magic[8] = {'w', 'n', 'n', 'p', 'i', 'p', 'e', '1'};
constexpr std::size_t head_bytes = sizeof magic + 2 * sizeof(std::uint64_t);  // magic, checksum of the rest, key's size
constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) (text += digits[byte >> 4]) += digits[byte & 15u];
  return text;
}

/// Drivers trust the data that they are given, so the file must belong to the user. Its use is noted.
std::vector<std::byte> content_of(const fs::path& path) {
  std::string why;
  const auto folder = OwnFolder::open(path.parent_path(), OwnFolder::Missing::is_made, why);
  const Descriptor file = folder ? folder->file(path.filename().string(), O_RDONLY) : Descriptor();
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0 || std::uintmax_t(status.st_size) > most_bytes) return {};
  std::vector<std::byte> content(std::size_t(status.st_size), std::byte{});
  for (std::size_t at = 0; at < content.size();) {
    const ssize_t got = pread(file.get(), content.data() + at, content.size() - at, off_t(at));
    if (got <= 0) return {};
    at += std::size_t(got);
  }
  futimens(file.get(), nullptr);
  return content;
}

}  // namespace

std::string pipeline_key(const Functions& vk, VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 all{};
  VkPhysicalDeviceVulkan11Properties version11{};
  VkPhysicalDeviceVulkan12Properties version12{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &version11;
  version11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  version11.pNext = &version12;
  version12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  vk.GetPhysicalDeviceProperties2(device, &all);
  const VkPhysicalDeviceProperties& basic = all.properties;
  return "vendor " + std::to_string(basic.vendorID) + ", device " + std::to_string(basic.deviceID) + " " +
         hexadecimal(version11.deviceUUID) + ", driver " + version12.driverName + " " +
         std::to_string(basic.driverVersion) + " " + hexadecimal(version11.driverUUID) + " " +
         hexadecimal(basic.pipelineCacheUUID);
}

std::vector<std::byte> framed_pipelines(std::string_view key, std::span<const std::byte> data) {
  std::vector<std::byte> content(head_bytes + key.size() + data.size());
  const auto put = [&](std::size_t place, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(content.data() + place, from, bytes);
  };
  const std::uint64_t key_bytes = key.size();
  put(0, magic, sizeof magic);
  put(16, &key_bytes, sizeof key_bytes);
  put(head_bytes, key.data(), key.size());
  put(head_bytes + key.size(), data.data(), data.size());
  const std::uint64_t checksum = checksum_of(std::span(content).subspan(16));
  put(8, &checksum, sizeof checksum);
  return content;
}

std::optional<std::span<const std::byte>> unframed_pipelines(std::string_view key, std::span<const std::byte> content) {
  if (content.size() < head_bytes || std::memcmp(content.data(), magic, sizeof magic) != 0) return std::nullopt;
  std::uint64_t checksum = 0, key_bytes = 0;
  std::memcpy(&checksum, content.data() + 8, sizeof checksum);
  std::memcpy(&key_bytes, content.data() + 16, sizeof key_bytes);
  if (checksum_of(content.subspan(16)) != checksum) return std::nullopt;
  const std::span<const std::byte> rest = content.subspan(head_bytes);
  if (key_bytes != key.size() || rest.size() < key.size() || std::memcmp(rest.data(), key.data(), key.size()) != 0)
    return std::nullopt;
  return rest.subspan(key.size());
}

PipelineCache::PipelineCache(Queue& queue, fs::path folder) : queue_(&queue) {
  std::vector<std::byte> content;
  std::span<const std::byte> found;
  if (!folder.empty()) {
    key_ = pipeline_key(queue.vk(), queue.physical());
    file_ = std::move(folder);
    file_ /= checksum_text(checksum_of(key_)) + std::string(shader_file_extension);
    content = content_of(file_);
    found = unframed_pipelines(key_, content).value_or(std::span<const std::byte>());
  }
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = found.size();
  info.pInitialData = found.data();
  found_bytes_ = found.size();
  if (queue.vk().CreatePipelineCache(queue.device(), &info, nullptr, &cache_) != VK_SUCCESS) cache_ = VK_NULL_HANDLE;
}

PipelineCache::~PipelineCache() {
  if (!cache_) return;
  try {
    if (!file_.empty()) keep();
  } catch (const std::exception&) {  // for example a full disk: only makes the next start slower
  }
  queue_->vk().DestroyPipelineCache(queue_->device(), cache_, nullptr);
}

void PipelineCache::keep() const {
  const Functions& vk = queue_->vk();
  std::size_t bytes = 0;
  if (vk.GetPipelineCacheData(queue_->device(), cache_, &bytes, nullptr) != VK_SUCCESS) return;
  if (bytes <= found_bytes_ || bytes > most_bytes / 2) return;
  std::vector<std::byte> data(bytes);
  if (vk.GetPipelineCacheData(queue_->device(), cache_, &bytes, data.data()) != VK_SUCCESS) return;
  data.resize(bytes);
  const std::vector<std::byte> content = framed_pipelines(key_, data);
  std::string why;
  if (!OwnFolder::open(file_.parent_path(), OwnFolder::Missing::is_made, why)) return;
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(file_, error))) fs::remove(file_, error);  // or it would be followed
  OutputFile file(file_, OutputFile::Readers::user);
  file.append(text_of(content));
  file.commit(OutputFile::Sync::no);  // damage from a power cut is detected
}

}  // namespace webnn::runtime::vulkan
