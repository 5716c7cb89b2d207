// The files that a sandboxed command may use: what its options name, and nothing else. They are opened here, before the
// sandbox closes; later, its supervisor answers the command's calls from these open files and folders.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>

#include "cli/options/file_use.hpp"
#include "schema/file/descriptor.hpp"

namespace webnn::cli {

using schema::Descriptor;

/// The calls take paths as the command writes them, give a descriptor or 0, or the negative number of an error: -EACCES
/// for everything that was not granted. Below a granted folder only regular files and folders are opened, no link leads
/// out, and names that begin with a dot are refused, also behind links.
class Grants {
 public:
  /// Grants what describes the machine: processors, caches, limits of the group, standard input.
  Grants();
  /// Opens what the value of an option names. A file that cannot be opened for reading gives its error when the command
  /// opens it. Creates the folder of an output. Throws Error (io) when that is not possible.
  void add(const UsedFile& used);
  /// Waits until pipes to read have had a writer, and pipes to write have a reader. False: some had none before `end`.
  bool wait_for_pipes(std::chrono::steady_clock::time_point end);
  /// Grants the status of the process itself.
  void add_process(pid_t process);

  int open(const std::string& path, std::uint64_t flags, mode_t mode) const;
  /// Below a folder that the command was given.
  int open_beneath(int folder, const std::string& path, std::uint64_t flags) const;
  int status(const std::string& path, struct stat& result) const;
  int status_beneath(int folder, const std::string& path, std::uint64_t flags, struct stat& result) const;
  /// Of temporary files beside an output only.
  int rename(const std::string& from, const std::string& to) const;
  int remove(const std::string& path) const;
  /// Gives a file that has no name yet that of an output or of a temporary file beside it.
  int link(int file, const std::string& to) const;

 private:
  enum class Kind : std::uint8_t { file, folder, output, output_folder };
  struct Grant {
    Kind kind;
    std::string path;     // as the command writes it, in its shortest form
    Descriptor opened;    // the file, the folder, or the folder of the output
    int error = 0;        // why a file could not be opened
    std::string name{};   // of the output in its folder, with links followed
    Descriptor device{};  // an output that is a pipe or a device
  };
  /// What a path means to a grant: the file itself, a file of its folder, a temporary file beside an output, the folder
  /// of an output.
  enum class Part : std::uint8_t { itself, beneath, temporary, container };
  struct Place {
    const Grant* grant = nullptr;  // null: not granted
    Part part = Part::itself;
    std::string name;  // in the opened folder; empty: the folder itself
  };

  void add_file(const std::string& path, Descriptor opened);
  void read_file(const std::string& path);
  void read_folder(const std::string& path);
  void write_file(const std::string& path);
  void open_device(Grant& output);
  void write_folder(const std::string& path);
  template <typename Fits>
  Place find(const std::string& path, Fits fits) const;
  Place place_to_read(const std::string& path) const;
  Place place_to_write(const std::string& path) const;

  std::vector<Grant> grants_;
};

}  // namespace webnn::cli
