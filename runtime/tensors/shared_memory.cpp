#include "runtime/tensors/shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema/error.hpp"

namespace webnn::runtime {

using schema::Descriptor;
using schema::Error;
using schema::ExitCode;

namespace {

std::string reason() { return std::strerror(errno); }

}  // namespace

Descriptor duplicate(const Descriptor& descriptor) {
  const int copy = fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw Error(ExitCode::io, "cannot duplicate the file descriptor: " + reason());
  return Descriptor(copy);
}

bool may_be_device_memory(int file_descriptor) {
  struct stat status = {};
  return fstat(file_descriptor, &status) == 0 && ((status.st_mode & S_IFMT) == 0 || S_ISCHR(status.st_mode));
}

SharedMemory::SharedMemory(int file_descriptor, std::uint64_t offset, std::size_t bytes) {
  struct stat status = {};
  if (fstat(file_descriptor, &status) != 0)
    throw Error(ExitCode::usage,
                "file descriptor " + std::to_string(file_descriptor) + " cannot be imported: " + reason());
  if (!S_ISREG(status.st_mode))  // includes memfds
    throw Error(ExitCode::usage, "file descriptor " + std::to_string(file_descriptor) + " is not a file",
                "import a memfd or a regular file");
  const auto size = std::uint64_t(status.st_size);
  if (offset > size || bytes > size - offset)
    throw Error(ExitCode::usage, "the tensor needs " + std::to_string(bytes) + " bytes from offset " +
                                     std::to_string(offset) + " on, the file has " + std::to_string(size));

  writable_ = (fcntl(file_descriptor, F_GETFL) & O_ACCMODE) == O_RDWR;
  const auto page = std::uint64_t(sysconf(_SC_PAGESIZE));
  const std::size_t before = offset % page;
  void* address = mmap(nullptr, before + bytes, writable_ ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
                       file_descriptor, off_t(offset - before));
  if (address == MAP_FAILED) throw Error(ExitCode::io, "cannot map the file: " + reason());
  mapping_ = {static_cast<std::byte*>(address), before + bytes};
  bytes_ = mapping_.subspan(before);
}

SharedMemory::~SharedMemory() {
  if (!mapping_.empty()) munmap(mapping_.data(), mapping_.size());
}

void SharedMemory::swap(SharedMemory& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(bytes_, other.bytes_);
  std::swap(writable_, other.writable_);
}

Descriptor create_shared_memory(std::size_t bytes) {
  Descriptor memory(memfd_create("webnn-tensor", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // fallocate reserves the pages, so that lack of memory is an error here rather than a signal when they are touched.
  if (memory.get() < 0 || (bytes != 0 && fallocate(memory.get(), 0, 0, off_t(bytes)) != 0) ||
      fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    throw Error(ExitCode::resource, "cannot create shared memory of " + std::to_string(bytes) + " bytes: " + reason());
  return memory;
}

}  // namespace webnn::runtime
